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
        "no program `{name}`: there are {}, {FAULTY}",
        PROGRAMS.join(", ")
    );
    let root = project_root();
    let build = root.join("build");
    fs::create_dir_all(&build).with_context(|| format!("cannot make {}", build.display()))?;
    let lock = build.join("firmware.lock");
    let turn = File::create(&lock).with_context(|| format!("cannot write {}", lock.display()))?;
    turn.lock()
        .with_context(|| format!("cannot lock {}", lock.display()))?;
    let profiler = ProfilerSources::generate()?;
    let set = variables
        .iter()
        .map(|(name, value)| format!("-{name}-{value}"));
    let folder = build.join(format!("firmware{}", set.collect::<String>()));
    let output = Command::new("make")
        .arg("--silent")
        .arg("-C")
        .arg(root.join("fpga/firmware"))
        .arg(name)
        .arg(format!("PROFILER={}", profiler.folder.display()))
        .arg(format!("OUT={}", folder.display()))
        .args(
            variables
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        )
        // A make above this process must not lend its job server or its flags.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .context("cannot run make")?;
    if !output.status.success() {
        bail!(
            "{name} does not build:\n{}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(folder.join(format!("{name}.elf")))
}
