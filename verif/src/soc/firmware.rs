//! Programs for the system, built by `fpga/firmware/Makefile`.

use super::ProfilerSources;
use crate::tools::project_root;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

/// The programs there are. None was written here.
pub const PROGRAMS: [&str; 4] = ["coremark", "dhrystone", "bzip2", "zlib"];

/// zlib with a fault in it: some inputs do not come back as they were.
pub const FAULTY: &str = "zlib_faulty";

/// Builds the program and returns its ELF file, `build/firmware/NAME.elf`; see [`firmware_with`].
///
/// # Errors
///
/// As [`firmware_with`].
pub fn firmware(name: &str) -> Result<PathBuf> {
    firmware_with(name, &[])
}

/// Builds the program with variables of the Makefile set, for instance `SAMPLE_BYTES`, and returns its ELF file. With any set it is
/// in a folder of its own.
///
/// It knows the registers of the [system's profiler](ProfilerSources), and runs without one as well. Tests that ask for
/// programs at the same time take turns.
///
/// # Errors
///
/// If there is no such program, a tool is missing (the message says what to run), or the compiler fails.
pub fn firmware_with(name: &str, variables: &[(&str, u32)]) -> Result<PathBuf> {
    ensure!(
        PROGRAMS.contains(&name) || name == FAULTY,
        "no program `{name}`: there are {}",
        PROGRAMS.join(", ")
    );
    let set = variables.iter();
    let set = set.map(|(name, value)| format!("-{name}-{value}"));
    let folder = format!("build/firmware{}", set.collect::<String>());
    let folder = project_root().join(folder);
    let variables = variables.iter();
    let variables = variables.map(|(name, value)| format!("{name}={value}"));
    let mut options = vec![format!("OUT={}", folder.display())];
    options.extend(variables);
    make_firmware(name, &options)?;
    Ok(folder.join(format!("{name}.elf")))
}

/// Makes a target of the Makefile with these options, for the [system's profiler](ProfilerSources). Those who ask at the same time take turns.
///
/// # Errors
///
/// If a tool is missing, or the compiler fails.
pub fn make_firmware(target: &str, options: &[String]) -> Result<()> {
    let root = project_root();
    let build = root.join("build");
    fs::create_dir_all(&build).with_context(|| format!("cannot make {}", build.display()))?;
    let lock = build.join("firmware.lock");
    let turn = File::create(&lock).with_context(|| format!("cannot write {}", lock.display()))?;
    turn.lock()
        .with_context(|| format!("cannot lock {}", lock.display()))?;
    let profiler = ProfilerSources::generate()?;
    let output = Command::new("make")
        .arg("--silent")
        .arg("-C")
        .arg(root.join("fpga/firmware"))
        .arg(target)
        .arg(format!("PROFILER={}", profiler.folder.display()))
        .args(options)
        // A make above this process must not lend its job server or its flags.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .context("cannot run make")?;
    if !output.status.success() {
        bail!(
            "{target} does not build:\n{}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(())
}
