//! `hpp diff`: two profiles compared.

use std::path::PathBuf;

use anyhow::{Context, Result};
use hpp_report::{Diff, Report, text};

use crate::input::{self, Format};
use crate::{Output, trust};

const EXAMPLES: &str = "\
Examples:
  hpp diff before.txt after.txt --elf program.elf
  hpp diff before.txt after.txt --elf old.elf --elf-b new.elf     two builds, function by function";

/// Compare two profiles
///
/// Shows the paths and functions whose share changed most, and the overlap of the two profiles.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The first profile (its last dump)
    first: PathBuf,
    /// The second profile (its last dump)
    second: PathBuf,
    /// The program that ran: a linked ELF file with symbols, for RISC-V or x86-64
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// The program of the second profile, if it is another build: then functions are compared, not paths
    #[arg(long, value_name = "PROGRAM", requires = "elf")]
    elf_b: Option<PathBuf>,
    /// How many paths and how many functions the tables show; JSON has all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub fn run(args: &Args) -> Result<Output> {
    input::stdin_once([&args.first, &args.second])?;
    let first = input::profile(&args.first, None)?.in_contexts(None)?;
    let second = input::profile(&args.second, None)?.in_contexts(None)?;
    let open = |file: &Option<PathBuf>| file.as_deref().map(input::program).transpose();
    let (file, file_b) = (open(&args.elf)?, open(&args.elf_b)?);
    let program = file.as_ref().map(input::named).transpose()?;
    let program_b = file_b.as_ref().map(input::named).transpose()?;
    let first = first.sign_extended(program.as_ref());
    let own = program_b.as_ref().or(program.as_ref());
    let second = second.sign_extended(own);
    let reports = [
        Report::new(&first, program.as_ref(), None)?,
        Report::new(&second, own, None)?,
    ];
    let diff = match program_b {
        Some(_) => {
            let counted = reports.each_ref().map(|report| report.counted.to_string());
            anyhow::ensure!(
                counted[0] == counted[1],
                "the first counts {}, the second {}: take both with the same settings",
                counted[0],
                counted[1]
            );
            Diff::of_builds(reports.each_ref())
        }
        None => Diff::new([&first, &second], reports.each_ref(), program.as_ref())
            .with_context(|| format!("{} and {}", args.first.display(), args.second.display()))?,
    };
    let text = match args.format {
        Format::Text => text::diff(&diff, args.top),
        Format::Json => serde_json::to_string_pretty(&diff)? + "\n",
    };
    for (report, file) in reports.iter().zip([&args.first, &args.second]) {
        trust::complain(report, Some(file));
    }
    let trusted = reports.iter().all(|report| report.health.trusted);
    Ok(Output::styled(text, trusted))
}
