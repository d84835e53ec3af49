//! `hpp export`: a profile in the formats of other tools.

mod autofdo;
mod bolt;
mod flame;
mod lcov;
mod perf;
mod pprof;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use hpp_report::{Profile, Program, Report};

use crate::input::{self, Source};
use crate::{Output, atomic_write, trust};

const EXAMPLES: &str = "\
Examples:
  hpp export serial.txt --elf program.elf --format svg -o flame.svg
  hpp export serial.txt --elf program.elf --format pprof -o profile.pb.gz && pprof -top profile.pb.gz
  hpp export serial.txt --elf program.elf --format autofdo -o program.afdo && clang -fprofile-sample-use=program.afdo ...

docs/report.md says what each format keeps and loses of paths.";

/// Write a profile in the format of another tool
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The program that ran: a linked RISC-V ELF file with symbols; source lines need -g
    #[arg(long, value_name = "PROGRAM")]
    elf: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Where to write it [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Folded stacks: function, then block by block; for flame graphs
    Folded,
    /// An interactive flame graph
    Svg,
    /// For pprof and speedscope: compressed profile.proto
    Pprof,
    /// A coverage tracefile: lines and branches
    Lcov,
    /// A sample profile of LLVM, as text
    Autofdo,
    /// A pre-aggregated profile of BOLT
    Bolt,
    /// What perf script prints of samples with branch records, for llvm-profgen
    Perf,
}

struct Input<'a> {
    profile: &'a Profile,
    program: &'a Program<'a>,
    report: &'a Report,
    name: String,
}

pub fn run(args: &Args) -> Result<Output> {
    let inputs = args.source.files().chain([args.elf.as_path()]);
    let file = atomic_write::output_file(args.output.as_deref());
    atomic_write::check(file, inputs)?;
    let profile = args.source.profile()?;
    let elf = input::program(&args.elf)?;
    let program = input::decoded(&elf)?;
    let profile = profile.sign_extended(Some(&program));
    let report = Report::new(&profile, Some(&program), None)?;
    let input = Input {
        profile: &profile,
        program: &program,
        report: &report,
        name: args.elf.display().to_string(),
    };
    // Before a format is refused that has nothing to say of such a profile.
    trust::complain(&report, None);
    let bytes = match args.format {
        Format::Folded => flame::folded(&input).into_bytes(),
        Format::Svg => flame::svg(&input)?,
        Format::Pprof => pprof::write(&input)?,
        Format::Lcov => lcov::write(&input)?.into_bytes(),
        Format::Autofdo => autofdo::write(&input)?.into_bytes(),
        Format::Bolt => bolt::write(&input)?.into_bytes(),
        Format::Perf => perf::write(&input, elf.bytes())?.into_bytes(),
    };
    trust::unread(&program, &elf);
    let mut output = Output::plain(bytes);
    output.trusted = report.health.trusted;
    match file {
        Some(file) => atomic_write::write(file, std::mem::take(&mut output.bytes))?,
        None if args.format == Format::Pprof && io::stdout().is_terminal() => {
            bail!("this format is binary: give a file with --output");
        }
        None => {}
    }
    Ok(output)
}

impl Input<'_> {
    /// What counts are, in a word.
    fn unit(&self) -> &'static str {
        match self.report.counted.events {
            true => "events",
            false => "executions",
        }
    }

    /// Why a format of source lines has nothing to say.
    fn without_lines(&self) -> String {
        if self.report.paths.iter().all(|path| path.problem.is_some()) {
            return format!("no path of the profile leads through {}", self.name);
        }
        match self.program.unread() {
            Some(why) => format!("{}: {why}", self.name),
            None => format!(
                "{} has no debug information where its paths ran; build it with -g",
                self.name
            ),
        }
    }

    /// Formats that say how often code ran need counts of executions.
    fn needs_executions(&self) -> Result<()> {
        if self.report.counted.events {
            bail!(
                "this format says how often code ran, but the profile counts {}; profile with METRIC = EXECUTIONS",
                self.report.counted.metric
            );
        }
        Ok(())
    }
}
