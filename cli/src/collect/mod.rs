//! `hpp collect`: the dumps of many runs and boards as one table, for engines that query such.

mod table;

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp_report::{Profile, Program, Report};

use crate::Output;
use crate::input;
use crate::parquet::Table;
use table::Row;

const EXAMPLES: &str = "\
Examples:
  hpp collect --elf program.elf -o profiles.parquet boards/*.txt
  datafusion-cli -c \"SELECT function, sum(count) FROM 'profiles.parquet' GROUP BY function ORDER BY 2 DESC LIMIT 10\"

docs/report.md lists the columns.";

/// Put the dumps of many runs and boards into one Parquet file
///
/// A row for each path of each dump in each log: where it comes from, which path, what it counts, and with a program its
/// function and line. Dumps that are damaged are named and left out; the exit status then is 3.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What serial lines said, other text included
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The program that ran on all of them: names paths; dumps of another program are refused
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Output> {
    let bytes = args.elf.as_deref().map(input::program).transpose()?;
    let program = match (&bytes, &args.elf) {
        (Some(bytes), Some(elf)) => {
            Some(Program::from_elf(bytes).with_context(|| elf.display().to_string())?)
        }
        _ => None,
    };
    // A draft beside it, so that the file is there whole or not at all.
    let draft = args.output.with_extension("parquet.draft");
    let collected = collect(args, program.as_ref(), &draft);
    if collected.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    let (rows, whole, damaged) = collected?;
    std::fs::rename(&draft, &args.output)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let mut output = Output::from(format!(
        "{rows} paths of {whole} dumps in {}\n",
        args.output.display()
    ));
    if damaged > 0 {
        let verb = if damaged == 1 { "is" } else { "are" };
        let all = whole + damaged;
        eprintln!("hpp: {damaged} of {all} dumps {verb} damaged and left out");
        output.trusted = false;
    }
    Ok(output)
}

/// Writes the draft: rows, dumps in it, and dumps left out.
fn collect(args: &Args, program: Option<&Program<'_>>, draft: &Path) -> Result<(u64, u64, u64)> {
    let file = File::create(draft).with_context(|| format!("cannot write {}", draft.display()))?;
    let mut table = Table::new(file, table::SCHEMA)?;
    let (mut whole, mut damaged) = (0, 0);
    for log in &args.logs {
        for (index, logged) in input::dumps(log)?.iter().enumerate() {
            let name = format!("{}, dump {}", log.display(), index + 1);
            match &logged.dump {
                Ok(dump) => {
                    let profile = Profile::of(dump)?.in_contexts(None)?;
                    check(&profile, program, &name)?;
                    add(&mut table, log, index, &profile, program)?;
                    whole += 1;
                }
                Err(error) => {
                    eprintln!("hpp: {name}: {error}");
                    damaged += 1;
                }
            }
        }
    }
    let rows = table
        .finish()
        .with_context(|| format!("cannot write {}", draft.display()))?;
    Ok((rows, whole, damaged))
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

fn add(
    table: &mut Table,
    log: &Path,
    index: usize,
    profile: &Profile,
    program: Option<&Program<'_>>,
) -> Result<()> {
    let report = Report::new(profile, program, None)?;
    let log = log.display().to_string();
    for path in &report.paths {
        table.add(table::cells(&Row {
            log: &log,
            dump: index + 1,
            profile,
            report: &report,
            path,
        }))?;
    }
    Ok(())
}
