//! `hpp collect`: the dumps of many runs and boards as one table for query engines.

pub mod read;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp_golden::dump::DumpError;
use hpp_report::numbers::number_of;
use hpp_report::{Profile, Program, Report};

use crate::atomic_write::{self, AtomicFile};
use crate::parquet::Table;
use crate::{Output, input, trust};
use table::Row;

const EXAMPLES: &str = "\
Examples:
  hpp collect --elf program.elf -o profiles.parquet boards/*.txt
  datafusion-cli -c \"SELECT function, sum(count) FROM 'profiles.parquet' GROUP BY function ORDER BY 2 DESC LIMIT 10\"

docs/report.md lists the columns.";

/// Put the dumps of many runs and boards into one Parquet file
///
/// The file has a row for each path of each dump: log and dump, path, count, and with a program function and line. Damaged
/// dumps, and logs without a dump, are named and left out; the exit status is then 3.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs with dumps, other text included
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The program that ran on all of them: names paths; dumps of another program are refused
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// What was found in the logs.
#[derive(Default)]
struct Found {
    /// Paths in the table.
    rows: u64,
    /// Dumps in the table.
    whole: u64,
    /// Paths in the table that do not walk through the program's code.
    unwalked: u64,
    /// Dumps that are left out.
    damaged: u64,
    /// Logs without a dump.
    empty: u64,
}

pub fn run(args: &Args) -> Result<Output> {
    let inputs = args.logs.iter().chain(&args.elf).map(PathBuf::as_path);
    atomic_write::check([args.output.as_path()], inputs)?;
    let elf = args.elf.as_deref().map(input::program).transpose()?;
    let program = elf.as_ref().map(input::decoded).transpose()?;
    if let (Some(program), Some(elf)) = (&program, &elf) {
        trust::unread(program, elf);
    }
    let draft = AtomicFile::new(&args.output)?;
    let mut table = Table::new(draft.file()?, table::SCHEMA)?;
    let mut found = Found::default();
    for log in &args.logs {
        collect(log, program.as_ref(), &mut table, &mut found)?;
    }
    if found.whole == 0 {
        found.is_all();
        bail!(
            "there is no intact dump to collect, so {} is not written",
            args.output.display()
        );
    }
    found.rows = table
        .finish()
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    draft.finish()?;
    let mut output = Output::from(format!(
        "{} of {} in {}\n",
        number_of(found.rows, "path"),
        number_of(found.whole, "dump"),
        args.output.display()
    ));
    output.trusted = found.is_all();
    Ok(output)
}

impl Found {
    /// Whether nothing is left out; says what is.
    fn is_all(&self) -> bool {
        if self.unwalked > 0 {
            tell!(
                "hpp: {} of {} do not walk through the program's code: their instructions are missing, and their functions may be wrong",
                self.unwalked,
                number_of(self.rows, "path")
            );
        }
        if self.damaged > 0 {
            let verb = if self.damaged == 1 { "is" } else { "are" };
            let all = self.whole + self.damaged;
            tell!(
                "hpp: {} of {all} dumps {verb} damaged and left out",
                self.damaged
            );
        }
        match self.empty {
            0 => {}
            1 => tell!("hpp: 1 log has no dump and is left out"),
            empty => tell!("hpp: {empty} logs have no dump and are left out"),
        }
        self.damaged == 0 && self.empty == 0
    }
}

fn collect(
    log: &Path,
    program: Option<&Program<'_>>,
    table: &mut Table,
    found: &mut Found,
) -> Result<()> {
    let dumps = input::log(log)?;
    if dumps.is_empty() {
        tell!("hpp: {}: {}", log.display(), DumpError::Missing);
        found.empty += 1;
    }
    for (index, logged) in dumps.iter().enumerate() {
        let name = format!("{}, dump {}", log.display(), index + 1);
        match &logged.dump {
            Ok(dump) => {
                let profile = Profile::of(dump)?.in_contexts(None)?;
                check(&profile, program, &name)?;
                let profile = input::within(profile, program);
                found.unwalked += add(table, log, index, &profile, program)?;
                found.whole += 1;
            }
            Err(error) => {
                tell!("hpp: {name}: {error}");
                found.damaged += 1;
            }
        }
    }
    Ok(())
}

/// A dump that says which program ran must be of this one.
fn check(profile: &Profile, program: Option<&Program<'_>>, name: &str) -> Result<()> {
    let build_id = program.and_then(Program::build_id);
    if let (Some(ran), Some(given)) = (&profile.program, build_id) {
        // A dump holds the beginning of the build ID.
        if !given.starts_with(ran.as_str()) && !ran.starts_with(given) {
            bail!("{name} is of program {ran}, not of {given}; give the program that ran");
        }
    }
    Ok(())
}

/// Adds a dump's paths; how many do not walk.
fn add(
    table: &mut Table,
    log: &Path,
    index: usize,
    profile: &Profile,
    program: Option<&Program<'_>>,
) -> Result<u64> {
    let report = Report::new(profile, program, None)
        .with_context(|| format!("{}, dump {}", log.display(), index + 1))?;
    let log = log.display().to_string();
    for (at, path) in report.paths.iter().enumerate() {
        table.add(table::cells(&Row {
            log: &log,
            dump: index + 1,
            begins: at == 0,
            profile,
            report: &report,
            path,
        }))?;
    }
    let lost = report.walked.map_or(0, |walked| walked.of - walked.walk);
    Ok(lost as u64)
}
