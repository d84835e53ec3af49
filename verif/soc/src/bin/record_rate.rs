//! Prints how fast a profiler takes the branch records of real programs, and how long cores would wait for it.
//!
//! ```text
//! cargo run --release -p hpp-soc --bin record_rate [-- --config FILE] [PROGRAM...]
//! ```

use anyhow::{Result, ensure};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::rate::{Core, Rate, replay};
use hpp_lockstep::{Harness, Protocol};
use hpp_soc::{PROGRAMS, Soc, record_timed};
use std::path::PathBuf;

/// How fast a profiler takes the branch records of real programs.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Programs [default: all].
    #[arg(value_parser = PossibleValuesParser::new(PROGRAMS))]
    program: Vec<String>,
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
    let named = Named {
        name: "configured",
        seed: None,
        geometry: Geometry {
            // The programs have compressed instructions.
            align: 1,
            ..Config::from_file(&options.config)?.geometry
        },
    };
    let harness = Harness::build(&named, |builder| builder.optimisation(3))?;
    let soc = Soc::build(None)?;
    let programs = match options.program.as_slice() {
        [] => PROGRAMS.map(String::from).to_vec(),
        some => some.to_vec(),
    };
    println!("| program | core | records | paths a record | records a cycle | waiting | longest |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for program in programs {
        let records = record_timed(&soc, &program, options.records)?;
        for core in Core::ALL {
            let rate = replay(&mut harness.bench(Protocol::Pipelined)?, &records, core)?;
            print(&program, core, &rate);
        }
    }
    Ok(())
}

fn print(program: &str, core: Core, rate: &Rate) {
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    println!(
        "| {program} | {} | {} | {:.2} | {:.3} | {:.2} % | {} |",
        core.pace(),
        rate.records,
        share(rate.paths, rate.records),
        share(rate.records, rate.cycles),
        100.0 * share(rate.waiting, rate.cycles),
        rate.longest,
    );
}
