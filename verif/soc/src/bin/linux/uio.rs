//! The first boot: UIO shows the profiler to a program, and a process's profile is that of its context.

use super::{Console, Figure, PRIVILEGED, millions};
use anyhow::{Context, Result, bail, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use hpp_report::{ElfFile, Profile, Program, Report, text};
use hpp_soc::linux::{self, Boot, System};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Boots, and shows the hottest paths of the program that was profiled.
///
/// # Errors
///
/// If a profile is not that of the core's own retirements.
pub fn run(system: &System, folder: &Path, top: usize) -> Result<Vec<Figure>> {
    let image = system.linux(folder, "hpp.dtb", &[])?;
    let mut console = Console::default();
    let boot = system.run(&image, |cycles, uart| console.show(cycles, uart))?;
    let log = folder.join("serial.txt");
    fs::write(&log, &boot.run.uart).with_context(|| format!("cannot write {}", log.display()))?;

    let geometry = &system.sources.geometry;
    let elf = folder.join("queens");
    let contexts = contexts(&boot, geometry);
    let (context, report) = report(&boot, &contexts, &elf)?;
    println!("{}", text::paths(&report, top, None));
    agree(&boot, geometry)?;
    println!(
        "Of each process, the profile equals, path for path, the golden model's of the core's own retirements in its context."
    );
    println!(
        "What was printed is kept: hpp report build/linux/serial.txt --context {context} --elf build/linux/queens"
    );
    Ok(vec![
        ("cycles.prompt", millions(console.prompt.unwrap_or(0))),
        ("cycles", millions(boot.run.cycles)),
        ("instructions", millions(boot.run.retired)),
        ("paths", report.paths.len().to_string()),
        ("processes", contexts.len().to_string()),
    ])
}

/// The profile of the context in which a program ran: the one of these whose paths all walk through its code.
fn report(boot: &Boot, contexts: &BTreeSet<u8>, elf: &Path) -> Result<(u8, Report)> {
    let name = elf.display();
    let file = ElfFile::read(elf).with_context(|| format!("cannot read {name}"))?;
    let program = Program::from_elf(&file).with_context(|| name.to_string())?;
    for &context in contexts {
        let profile = Profile::of(&boot.dump)?.in_contexts(Some(context))?;
        let report = Report::new(&profile, Some(&program), None)?;
        if report.paths.iter().all(|path| path.problem.is_none()) {
            return Ok((context, report));
        }
    }
    bail!("none of the contexts {contexts:?} has the paths of {name}")
}

/// The contexts of processes that paths of the dump are in.
fn contexts(boot: &Boot, geometry: &Geometry) -> BTreeSet<u8> {
    let mut contexts = linux::contexts(boot.exact.keys(), geometry);
    contexts.retain(|context| *context < PRIVILEGED);
    contexts
}

/// # Errors
///
/// If the hardware's dump is not the golden model's, or records were lost.
fn agree(boot: &Boot, geometry: &Geometry) -> Result<()> {
    ensure!(
        boot.dump == boot.expected,
        "the hardware's profile is not the golden model's:\n{}\n{}",
        boot.dump,
        boot.expected
    );
    let lost = boot.dump.counters[Counter::LostRecords as usize];
    ensure!(lost == 0, "{lost} records were lost");
    for context in contexts(boot, geometry) {
        let paths = boot.paths_of(geometry, context);
        ensure!(
            paths.dumped == paths.exact,
            "context {context}: the profile is not exact"
        );
    }
    Ok(())
}
