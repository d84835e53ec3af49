//! Prints what the profiler costs a simulation: cycles a second of the PicoRV32 system alone, with the profiler, and their ratio.
//!
//! ```text
//! cargo run --release -p hpp-soc --bin simulation_rate [-- --rounds N] [PROGRAM]
//! ```

use anyhow::{Result, ensure};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use hpp_riscv::Retirement;
use hpp_soc::{PROGRAMS, ProfilerSources, Soc, firmware};
use std::path::Path;
use std::time::Instant;

/// What the profiler costs a simulation in Verilator.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// The program.
    #[arg(default_value = "coremark", value_parser = PossibleValuesParser::new(PROGRAMS))]
    program: String,
    /// Runs of each system, alternately; the fastest counts.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

fn main() -> Result<()> {
    let options = Options::parse();
    ensure!(options.rounds > 0, "--rounds 0: there is nothing to run");
    let sources = ProfilerSources::generate()?;
    let elf = firmware(&options.program)?;
    let alone = Soc::build(None)?;
    let profiled = Soc::build(Some(&sources.verilog))?;
    let (mut without, mut with) = (0.0_f64, 0.0_f64);
    for _ in 0..options.rounds {
        without = without.max(rate(&alone, &elf)?);
        with = with.max(rate(&profiled, &elf)?);
    }
    println!("million cycles a second in Verilator, {}:", options.program);
    println!("  system alone       {without:6.2}");
    println!("  with the profiler  {with:6.2}");
    println!("  ratio              {:6.2}", with / without);
    Ok(())
}

/// Million cycles a second of one run.
fn rate(soc: &Soc, elf: &Path) -> Result<f64> {
    let begin = Instant::now();
    let run = soc.run(elf, &mut |_: &Retirement| ())?;
    let seconds = begin.elapsed().as_secs_f64();
    run.ended_well(elf.display())?;
    Ok(run.cycles as f64 / seconds / 1e6)
}
