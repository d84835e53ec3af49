//! Linux on a simulated system with the profiler: a program there profiles another, and its profile is that of the golden model.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::registers::Counter;
use hpp_report::{ElfFile, Profile, Program, Report, text};
use hpp_soc::linux::{Boot, System};
use hpp_tools::figures::Measurement;
use hpp_tools::project_root;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Boots Linux on a simulated VexRiscv, carries out fpga/linux/commands, and shows the hottest paths of the program that was profiled.
#[derive(Parser)]
struct Arguments {
    /// How many paths to show.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// Records the figures of docs/linux.md.
    #[arg(long)]
    record: bool,
}

/// What the first process prints before a command.
const PROMPT: &[u8] = b"# /";

/// What the kernel's paths have in their context.
const PRIVILEGED: u8 = 0x80;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("linux: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let measurement = arguments
        .record
        .then(|| Measurement::begin(&project_root(), "linux"));
    let measurement = measurement.transpose()?;
    let system = System::build()?;
    let folder = system.make()?;
    let image = system.linux(&folder)?;
    let begin = Instant::now();
    let mut console = Console::default();
    let boot = system.run(&image, |cycles, uart| console.show(cycles, uart))?;
    let seconds = begin.elapsed().as_secs_f64();
    let log = folder.join("serial.txt");
    fs::write(&log, &boot.run.uart).with_context(|| format!("cannot write {}", log.display()))?;

    let elf = folder.join("queens");
    let (context, report) = report(&boot, &contexts(&boot, &system.sources.geometry), &elf)?;
    println!("{}", text::paths(&report, arguments.top, None));
    let figures = [
        ("cycles.prompt", millions(console.prompt.unwrap_or(0))),
        ("cycles", millions(boot.run.cycles)),
        ("instructions", millions(boot.run.retired)),
        ("paths", report.paths.len().to_string()),
        (
            "processes",
            contexts(&boot, &system.sources.geometry).len().to_string(),
        ),
    ];
    for (name, value) in &figures {
        println!("{name:<16}{value}");
    }
    println!("{:<16}{seconds:.0}", "seconds");
    agree(&boot, &system.sources.geometry)?;
    println!(
        "Of each process, the profile equals, path for path, the golden model's of the core's own retirements in its context."
    );
    println!(
        "What was printed is kept: hpp report build/linux/serial.txt --context {context} --elf build/linux/queens"
    );
    if let Some(measurement) = measurement {
        measurement.record(figures.map(|(name, value)| (name.to_string(), value)))?;
    }
    Ok(())
}

fn millions(cycles: u64) -> String {
    format!("{:.1}", cycles as f64 / 1e6)
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
    let context = |path: &PathDescriptor| geometry.address_and_context(path.start).1;
    let contexts = boot.exact.keys().map(context);
    contexts.filter(|context| *context < PRIVILEGED).collect()
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

/// Shows what is printed as it comes, but for the dump.
#[derive(Default)]
struct Console {
    shown: usize,
    in_dump: bool,
    /// The cycle of the first prompt.
    prompt: Option<u64>,
}

impl Console {
    fn show(&mut self, cycles: u64, uart: &[u8]) {
        if self.prompt.is_none() && uart.windows(PROMPT.len()).any(|part| part == PROMPT) {
            self.prompt = Some(cycles);
        }
        while let Some(length) = uart[self.shown..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&uart[self.shown..self.shown + length]);
            self.shown += length + 1;
            self.in_dump |= line.starts_with("HPP dump");
            if !self.in_dump {
                // Nobody to tell is no failure.
                let _ = writeln!(io::stdout(), "{}", line.trim_end());
            }
            self.in_dump &= !line.contains("HPP dump 2 ends");
        }
    }
}
