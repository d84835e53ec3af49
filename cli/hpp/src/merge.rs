//! `hpp merge`: several dumps of one program and configuration, added up.

use std::path::PathBuf;

use anyhow::{Context, Result};
use hpp_report::Profile;

use crate::{Output, atomic_write, input};

const EXAMPLES: &str = "\
Examples:
  hpp merge monday.txt tuesday.txt -o week.json && hpp report week.json --elf program.elf
  hpp merge --all-dumps serial.txt > all.json";

/// Add several profiles up
///
/// The profiles must be of one program and one configuration of the profiler, and count the same; others are refused. Every
/// command reads the result in place of a dump.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The files: dumps, or profiles that were merged
    #[arg(required = true)]
    profiles: Vec<PathBuf>,
    /// Take every dump of each file, not the last one alone
    #[arg(long)]
    all_dumps: bool,
    /// The file for the sum, replaced atomically [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Output> {
    let output = atomic_write::output_file(args.output.as_deref());
    atomic_write::check(output, args.profiles.iter().map(PathBuf::as_path))?;
    input::stdin_once(&args.profiles)?;
    let mut sum: Option<(Profile, String)> = None;
    for file in &args.profiles {
        // A file is read once: of standard input there would be nothing left.
        let profiles = match args.all_dumps {
            true => input::profiles(file)?,
            false => vec![input::profile(file, None)?],
        };
        for (number, profile) in (1..).zip(profiles) {
            let name = match args.all_dumps {
                true => format!("{}, dump {number}", input::shown(file)),
                false => input::shown(file),
            };
            match &mut sum {
                None => sum = Some((profile, name)),
                Some((sum, first)) => {
                    sum.add(&profile)
                        .with_context(|| format!("cannot merge {first} and {name}"))?;
                }
            }
        }
    }
    let (sum, _) = sum.context("no profile was given")?;
    Output::to(output, sum.to_json())
}
