//! Linux on a simulated system with the profiler: a program there profiles others, and each profile is that of the golden model.

mod compare;
mod faults;
mod harts;
mod perf;
mod uio;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use hpp_soc::linux::System;
use std::io::{self, Write};
use std::process::ExitCode;
use verilated::tools::command::ended;
use verilated::tools::figures::Measurement;

/// Boots Linux on a simulated VexRiscv once for each way to a profile, and shows the hottest paths of a program.
#[derive(Parser)]
struct Arguments {
    /// How many paths to show.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// One way alone.
    #[arg(long)]
    only: Option<Way>,
    /// Records the figures of docs/linux.md.
    #[arg(long, conflicts_with = "only")]
    record: bool,
}

/// How a program there gets a profile.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Through UIO, without a module: fpga/linux/commands.
    Uio,
    /// Through the kernel's module: fpga/linux/commands-perf.
    Perf,
    /// None, or not a whole one: fpga/linux/commands-faults and commands-bare.
    Faults,
    /// Through the module, of two harts that share a profiler: fpga/linux/commands-harts.
    Harts,
}

type Figure = (&'static str, String);

/// What the first process prints before a command.
const PROMPT: &[u8] = b"# /";

/// What the kernel's paths have in their context.
const PRIVILEGED: u8 = 0x80;

fn main() -> ExitCode {
    ended("linux", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let measurement = Measurement::begin_if(arguments.record, "linux")?;
    let wants = |way| arguments.only.is_none_or(|only| only == way);
    let mut figures = Vec::new();
    if wants(Way::Harts) {
        let system = System::with_a_second_hart()?;
        figures.extend(harts::run(&system, &system.make()?)?);
    }
    if arguments.only != Some(Way::Harts) {
        figures.extend(of_one_hart(arguments.top, wants)?);
    }
    for (name, value) in &figures {
        println!("{name:<20}{value}");
    }
    if let Some(measurement) = measurement {
        let figures = figures.into_iter();
        measurement.record(figures.map(|(name, value)| (name.to_string(), value)))?;
    }
    Ok(())
}

fn of_one_hart(top: usize, wants: impl Fn(Way) -> bool) -> Result<Vec<Figure>> {
    let system = System::build()?;
    let folder = system.make()?;
    let mut figures = Vec::new();
    if wants(Way::Uio) {
        figures.extend(uio::run(&system, &folder, top)?);
    }
    if wants(Way::Perf) {
        figures.extend(perf::run(&system, &folder)?);
    }
    if wants(Way::Faults) {
        figures.extend(faults::run(&system, &folder)?);
    }
    Ok(figures)
}

fn millions(cycles: u64) -> String {
    format!("{:.1}", cycles as f64 / 1e6)
}

/// Shows what is printed as it comes, but for the dump.
#[derive(Default)]
struct Console {
    shown: usize,
    in_dump: bool,
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
