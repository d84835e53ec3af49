//! Prints how fast a profiler takes the branch records of real programs, and how long cores would wait for it.
//!
//! ```text
//! cargo run --release -p hpp-soc --bin record_rate [-- --config FILE] [PROGRAM...]
//! cargo run --release -p hpp-soc --bin record_rate -- --config FILE --width 1,2 --trace build/accuracy/1e8/riscv64/gzip.hpptrace
//! ```

use anyhow::{Result, ensure};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use hpp_explore::trace::Isa;
use hpp_fpga::core::Core;
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::rate::{Core as Pace, Rate, Timed, replay};
use hpp_lockstep::{Harness, Protocol, Subject};
use hpp_soc::{PROGRAMS, Soc, record_timed, traced};
use std::path::PathBuf;

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
    /// Instructions that the core retires in every cycle; several numbers are several cores.
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    width: Vec<u64>,
    /// The core that runs the programs, at whose pace they are taken too.
    #[arg(long, default_value = "picorv32", value_parser = core, conflicts_with = "trace")]
    core: Core,
}

fn core(key: &str) -> Result<Core, String> {
    Core::from_key(key).ok_or_else(|| {
        let keys = Core::ALL.map(Core::key).join(", ");
        format!("not a core; allowed: {keys}")
    })
}

fn main() -> Result<()> {
    let options = Options::parse();
    ensure!(options.records > 0, "--records 0: there is nothing to take");
    let geometry = Config::from_file(&options.config)?.geometry;
    println!("| program | pace | records | paths a record | records a cycle | waiting | longest |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    match options.trace.as_slice() {
        [] => of_programs(&options, geometry),
        files => of_traces(files, &options, geometry),
    }
}

/// Plays the programs of the system, as a core runs them.
fn of_programs(options: &Options, geometry: Geometry) -> Result<()> {
    // The programs have compressed instructions.
    let harness = harness(Geometry {
        align: 1,
        ..geometry
    })?;
    let soc = Soc::with_core(options.core, None)?;
    let programs = match options.program.as_slice() {
        [] => PROGRAMS.map(String::from).to_vec(),
        some => some.to_vec(),
    };
    let mut paces = vec![Pace::BranchEveryCycle];
    paces.extend(options.width.iter().copied().map(Pace::Instructions));
    paces.push(Pace::Recorded);
    for program in programs {
        let records = record_timed(&soc, &program, options.records)?;
        play(&harness, &program, &records, &paces)?;
    }
    Ok(())
}

/// Plays traces at the paces that need no clock, to profilers whose records hold the programs' addresses and events.
fn of_traces(files: &[PathBuf], options: &Options, geometry: Geometry) -> Result<()> {
    let mut harnesses: Vec<(Isa, Harness)> = Vec::new();
    for file in files {
        let (isa, records) = traced(file, options.records)?;
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
        let paces = options.width.iter().copied().map(Pace::Instructions);
        let paces: Vec<_> = paces.collect();
        play(harness, &name, &records, &paces)?;
    }
    Ok(())
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

/// Plays a program's records at some paces.
fn play(harness: &Harness, program: &str, records: &[Timed], paces: &[Pace]) -> Result<()> {
    for &pace in paces {
        let rate = replay(&mut harness.bench(Protocol::Pipelined)?, records, pace)?;
        print(program, pace, &rate);
    }
    Ok(())
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn percent(rate: &Rate) -> f64 {
    100.0 * share(rate.waiting, rate.cycles)
}

fn print(program: &str, pace: Pace, rate: &Rate) {
    let pace = match pace {
        Pace::BranchEveryCycle => "a branch a cycle".to_owned(),
        Pace::Instructions(width) => format!("{width} instructions a cycle"),
        Pace::Recorded => "its own".to_owned(),
    };
    println!(
        "| {program} | {} | {} | {:.2} | {:.3} | {:.2} % | {} |",
        pace,
        rate.records,
        share(rate.paths, rate.records),
        share(rate.records, rate.cycles),
        percent(rate),
        rate.longest,
    );
}
