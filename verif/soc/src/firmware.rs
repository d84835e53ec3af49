//! Programs for the system, built by `fpga/firmware/Makefile`.

use super::ProfilerSources;
use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use verilated::tools::command::{make, said};
use verilated::tools::project_root;

/// The programs there are. None was written here.
pub const PROGRAMS: [&str; 4] = ["coremark", "dhrystone", "bzip2", "zlib"];

/// Builds the program for PicoRV32 and returns its ELF file, `build/firmware/NAME.elf`.
///
/// It knows the registers of the [system's profiler](ProfilerSources), and runs without one as well. Tests that ask for
/// programs at the same time take turns.
///
/// # Errors
///
/// If there is no such program, a tool is missing (the message says what to run), or the compiler fails.
pub fn firmware(name: &str) -> Result<PathBuf> {
    firmware_of(name, Core::PicoRv32, &[])
}

/// The same for a core, with variables of the Makefile set. Each instruction set and each setting has a folder of its own.
pub fn firmware_of(name: &str, core: Core, variables: &[(&str, u32)]) -> Result<PathBuf> {
    check(name)?;
    make_firmware_in(name, core, &set(variables))
}

/// Variables of the Makefile with their values.
fn set(variables: &[(&str, u32)]) -> Vec<String> {
    let set = variables.iter();
    set.map(|(name, value)| format!("{name}={value}")).collect()
}

/// The same for PicoRV32 and this profiler. Of one with a drain, evicted entries are put into memory by a drain writer if the variable `DRAIN` is 1;
/// with `WATERMARK`, the program reads them itself: in an interrupt, whenever as many wait.
pub fn firmware_for(
    name: &str,
    profiler: &ProfilerSources,
    variables: &[(&str, u32)],
) -> Result<PathBuf> {
    check(name)?;
    let profiler = format!("PROFILER={}", profiler.folder.display());
    let variables = [vec![profiler], set(variables)].concat();
    make_firmware_in(name, Core::PicoRv32, &variables)
}

/// What paths count if not events.
pub const EXECUTIONS: &str = "executions";

/// The variables of the Makefile for a program whose paths count events of this name, or [`EXECUTIONS`], on the system with this core. The
/// programs differ in nothing else, so a path is at the same addresses in all.
///
/// # Errors
///
/// If the system has no such events, or its profiler cannot be generated.
pub(super) fn counting(core: Core, events: &str) -> Result<Vec<String>> {
    let known: Vec<&str> = [EXECUTIONS, "cycles", "instructions"]
        .into_iter()
        .chain(core.about().events.iter().copied())
        .collect();
    ensure!(
        known.contains(&events),
        "the system with {} counts no `{events}`: there are {}",
        core.about().name,
        known.join(", ")
    );
    let profiler = ProfilerSources::for_core(core)?;
    let (metric, events) = match events {
        EXECUTIONS => ("EXECUTIONS", "INSTRUCTIONS".to_string()),
        events => ("EVENTS", events.to_uppercase().replace('-', "_")),
    };
    Ok(vec![
        format!("METRIC={metric}"),
        format!("EVENTS={events}"),
        format!("PROFILER={}", profiler.folder.display()),
    ])
}

fn check(name: &str) -> Result<()> {
    ensure!(
        PROGRAMS.contains(&name),
        "no program `{name}`: there are {}",
        PROGRAMS.join(", ")
    );
    Ok(())
}

/// The folder of `build` for the programs of a core with these variables. What sizes, instruction sets and profilers differ in has a folder of its own,
/// so that nobody builds a program while another runs it.
fn folder_name(core: Core, variables: &[String]) -> String {
    let other = Some(core.about().isa).filter(|&isa| isa != Core::PicoRv32.about().isa);
    let set = variables.iter().filter_map(|set| {
        let (name, value) = set.split_once('=')?;
        match name {
            "SOURCES" => None,
            "PROFILER" => {
                let folder = Path::new(value).file_name()?;
                Some(format!("-{}", folder.display()))
            }
            name => Some(format!("-{name}-{value}")),
        }
    });
    other
        .map(|isa| format!("-{isa}"))
        .into_iter()
        .chain(set)
        .chain((core.about().devices != 0).then(|| "-uncached".to_string()))
        .fold("firmware".to_string(), |name, part| name + &part)
}

/// Makes a program for a core, with variables of the Makefile set, and returns its ELF file.
pub(super) fn make_firmware_in(target: &str, core: Core, variables: &[String]) -> Result<PathBuf> {
    let build = project_root().join("build");
    let folder = build.join(folder_name(core, variables));
    let mut options = vec![
        format!("OUT={}", folder.display()),
        format!("ISA={}", core.about().isa),
    ];
    if core.about().memory != 0 {
        options.push(format!("RAM_BASE={:#x}", core.about().memory));
    }
    if core.about().devices != 0 {
        options.push(format!("DEVICES={:#x}", core.about().devices));
    }
    options.extend_from_slice(variables);
    make_firmware(target, &options)?;
    Ok(folder.join(format!("{target}.elf")))
}

/// Makes a target of the Makefile with these options, for the [system's profiler](ProfilerSources). Those who ask at the same time take turns.
pub fn make_firmware(target: &str, options: &[String]) -> Result<()> {
    let root = project_root();
    let build = root.join("build");
    fs::create_dir_all(&build).with_context(|| format!("cannot make {}", build.display()))?;
    let lock = build.join("firmware.lock");
    let turn = File::create(&lock).with_context(|| format!("cannot write {}", lock.display()))?;
    turn.lock()
        .with_context(|| format!("cannot lock {}", lock.display()))?;
    let profiler = ProfilerSources::generate()?;
    let mut make = make(&root.join("fpga/firmware"));
    // Of two settings of a variable, make takes the last: an option's.
    make.arg(target);
    make.arg(format!("PROFILER={}", profiler.folder.display()));
    make.args(options);
    said(&mut make).with_context(|| format!("{target} does not build"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_differ_are_in_folders_that_differ() {
        let with = |core, variables: &[&str]| {
            let variables: Vec<_> = variables.iter().map(ToString::to_string).collect();
            folder_name(core, &variables)
        };
        assert_eq!(with(Core::PicoRv32, &[]), "firmware");
        assert_eq!(
            with(Core::Serv, &["METRIC=EVENTS"]),
            "firmware-rv32i-METRIC-EVENTS"
        );
        let names = [
            with(
                Core::Serv,
                &["PROFILER=/p/build/soc/hpp-serv", "EVENTS=CYCLES"],
            ),
            with(
                Core::VexRiscv,
                &["PROFILER=/p/build/soc/hpp-vexriscv", "EVENTS=CYCLES"],
            ),
            with(Core::PicoRv32, &["PROFILER=/p/build/soc/hpp-1", "DRAIN=1"]),
            with(Core::PicoRv32, &["PROFILER=/p/build/soc/hpp-2", "DRAIN=1"]),
            with(Core::VexRiscvCaches, &[]),
        ];
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
