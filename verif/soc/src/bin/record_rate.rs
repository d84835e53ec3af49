//! Prints how fast a profiler takes the branch records of real programs, and how long cores would wait for it.
//!
//! ```text
//! cargo run --release -p hpp-soc --bin record_rate [-- --config FILE] [PROGRAM...]
//! cargo run --release -p hpp-soc --bin record_rate -- --config FILE --trace build/accuracy/1e8/riscv64/gzip.hpptrace
//! ```

use anyhow::{Result, ensure};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::rate::{Core, Rate, Timed, replay};
use hpp_lockstep::{Harness, Protocol, Subject};
use hpp_soc::{PROGRAMS, Soc, record_timed, traced};
use hpp_trace::Isa;
use std::path::PathBuf;

/// The share of the cycles, in per cent, in which a core that retires an instruction in every cycle may wait at most.
const AIM: f64 = 0.1;

/// How fast a profiler takes the branch records of real programs.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Programs [default: all].
    #[arg(value_parser = PossibleValuesParser::new(PROGRAMS), conflicts_with = "trace")]
    program: Vec<String>,
    /// A program traced by `hpp trace --write`, instead of the programs; may be given more than once.
    #[arg(long, value_name = "FILE")]
    trace: Vec<PathBuf>,
    /// Configuration of the profiler; its interfaces do not matter.
    #[arg(long, default_value = "fpga/configurations/small.toml")]
    config: PathBuf,
    /// Records of each program, the last ones of its run.
    #[arg(long, default_value_t = 1_000_000)]
    records: usize,
}

fn main() -> Result<()> {
    let options = Options::parse();
    ensure!(options.records > 0, "--records 0: there is nothing to take");
    let geometry = Config::from_file(&options.config)?.geometry;
    println!("| program | core | records | paths a record | records a cycle | waiting | longest |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let worst = match options.trace.as_slice() {
        [] => of_programs(&options, geometry)?,
        files => of_traces(files, options.records, geometry)?,
    };
    let verdict = if worst <= AIM { "met" } else { "missed" };
    println!(
        "\nAt an instruction a cycle at most {worst:.2} % of the cycles wait; aim: {AIM} %, {verdict}."
    );
    Ok(())
}

/// Plays the programs of the system at every pace: the greatest share of waiting cycles at an instruction a cycle.
fn of_programs(options: &Options, geometry: Geometry) -> Result<f64> {
    // The programs have compressed instructions.
    let harness = harness(Geometry {
        align: 1,
        ..geometry
    })?;
    let soc = Soc::build(None)?;
    let programs = match options.program.as_slice() {
        [] => PROGRAMS.map(String::from).to_vec(),
        some => some.to_vec(),
    };
    let mut worst: f64 = 0.0;
    for program in programs {
        let records = record_timed(&soc, &program, options.records)?;
        worst = worst.max(play(&harness, &program, &records, &Core::ALL)?);
    }
    Ok(worst)
}

/// Plays traces at the paces that need no clock, to profilers whose records hold the programs' addresses and events.
fn of_traces(files: &[PathBuf], limit: usize, geometry: Geometry) -> Result<f64> {
    let mut worst: f64 = 0.0;
    let mut harnesses: Vec<(Isa, Harness)> = Vec::new();
    for file in files {
        let (isa, records) = traced(file, limit)?;
        if !harnesses.iter().any(|(built, _)| *built == isa) {
            let widths = isa.geometry();
            let built = harness(Geometry {
                pc_bits: widths.pc_bits,
                align: widths.align,
                event_bits: widths.event_bits,
                ..geometry
            })?;
            harnesses.push((isa, built));
        }
        let built = harnesses.iter().find(|(built, _)| *built == isa);
        let (_, harness) = built.expect("it was built above");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let paces = [Core::BranchEveryCycle, Core::InstructionEveryCycle];
        worst = worst.max(play(harness, &name, &records, &paces)?);
    }
    Ok(worst)
}

fn harness(geometry: Geometry) -> Result<Harness> {
    let named = Named {
        name: "configured",
        seed: None,
        geometry,
    };
    let built = Subject::of(named).build(|builder| builder.optimisation(3))?;
    Ok(built.harness().clone())
}

/// Plays a program's records at some paces: the share of waiting cycles at an instruction a cycle, in per cent.
fn play(harness: &Harness, program: &str, records: &[Timed], paces: &[Core]) -> Result<f64> {
    let mut share = 0.0;
    for &core in paces {
        let rate = replay(&mut harness.bench(Protocol::Pipelined)?, records, core)?;
        print(program, core, &rate);
        if core == Core::InstructionEveryCycle {
            share = percent(&rate);
        }
    }
    Ok(share)
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn percent(rate: &Rate) -> f64 {
    100.0 * share(rate.waiting, rate.cycles)
}

fn print(program: &str, core: Core, rate: &Rate) {
    println!(
        "| {program} | {} | {} | {:.2} | {:.3} | {:.2} % | {} |",
        core.pace(),
        rate.records,
        share(rate.paths, rate.records),
        share(rate.records, rate.cycles),
        percent(rate),
        rate.longest,
    );
}
