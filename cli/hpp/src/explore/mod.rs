//! `hpp explore`: how well tables of many geometries and policies hold the profiles of recorded runs.

mod effects;
mod grid;
mod resume;
mod rows;
mod sizes;
mod text;

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, ensure};
use clap::ValueEnum;
use hpp_explore::phases::{ALIKE, phases};
use hpp_explore::trace::{Header, Isa};
use hpp_explore::{Configuration, Distribution, Measured, Sweep};
use hpp_golden::profiler::ResetValues;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::Output;
use crate::atomic_write::{self, AtomicFile};
use crate::input::{self, shown};
use crate::parquet::Table;
use crate::records::{LogArgs, Records};
use crate::sources::folder;
use crate::trace::{Recording, complain, number, program, record};
use grid::{Experiment, Grid, Plan};
use resume::{Kept, Key};

const EXAMPLES: &str = "\
Examples:
  hpp explore cc1.hpptrace --entries 128,512,2048 --ways 2,4 --replacement lfu,shadow
  hpp explore *.hpptrace --design plackett-burman --entries 128,2048 --ways 2,32 --index start,full
  hpp explore *.hpptrace --entries 128,512 --parquet explored.parquet --resume kept.jsonl
  hpp explore --entries 128,512,2048 --limit 1e9 -- gzip -9 -k file

docs/explore.md says what the columns are.";

/// Measure how well tables of many geometries and policies hold the profiles of recorded runs
///
/// Reads each trace of `hpp trace --write`, or log of a simulator, once, with all profilers at once and on all cores. Given a
/// program instead of traces, records it first, into a temporary file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The traces, or logs of execution; one of them may be `-`, standard input
    #[arg(required_unless_present = "command", value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// A program and its arguments, after `--`, to record and measure
    #[arg(last = true, value_name = "PROGRAM", conflicts_with = "traces")]
    command: Vec<String>,
    /// Stop the program after this many instructions
    #[arg(long, value_name = "N", value_parser = number, requires = "command", conflicts_with = "traces")]
    limit: Option<u64>,
    /// The folder with the program's libraries, if it is for another machine
    #[arg(long, value_name = "DIR", value_parser = folder)]
    #[arg(requires = "command", conflicts_with = "traces")]
    sysroot: Option<PathBuf>,
    /// Choose the profilers by a designed experiment, and show the effect of each list of two values on the overlap
    #[arg(long, value_name = "PLAN")]
    design: Option<Plan>,
    /// Write the effects of the designed experiment to a CSV file as well; the text form shows them below the table
    #[arg(long, value_name = "FILE", requires = "design")]
    effects: Option<PathBuf>,
    /// Show the entries evicted for 1,000 branches, and the fewest possible (Belady's policy, which knows the future); takes 8
    /// bytes of memory for each completed path
    #[arg(long)]
    least: bool,
    /// Instructions of a window; dynamic overlap is the mean over windows
    #[arg(long, value_name = "N", default_value = "1e8", value_parser = number)]
    window: u64,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write the rows to a Parquet file as well
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Keep each trace's measurements in this file, and reuse those that are there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    // The last: its heading is that of all that comes after it.
    #[command(flatten)]
    grid: Grid,
}

/// Paths that may complete where the fewest possible evictions are computed.
const MOST_PATHS: u64 = 4_000_000_000;

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// One JSON array
    Json,
    /// A line for each profiler over each trace
    Csv,
}

/// What became of the profilers over one trace.
#[derive(Debug, Serialize, Deserialize)]
pub struct Explored {
    pub trace: String,
    pub command: Vec<String>,
    pub isa: Isa,
    /// What the program did that is not in the trace.
    pub left_out: Vec<String>,
    /// The phase of each window, from 0.
    pub phases: Vec<usize>,
    /// How the run is spread over its paths, for each way in which the profilers tell them.
    pub distributions: Vec<Spread>,
    pub measured: Vec<Measured>,
}

/// How a run is spread over its paths.
#[derive(Debug, Serialize, Deserialize)]
pub struct Spread {
    /// The paths, and what is counted, in words.
    pub paths: String,
    #[serde(flatten)]
    pub distribution: Distribution,
}

impl Explored {
    /// The trace's file without folders and ending.
    pub fn name(&self) -> String {
        let stem = Path::new(&self.trace).file_stem();
        stem.map_or(self.trace.clone(), |stem| {
            stem.to_string_lossy().into_owned()
        })
    }
}

pub fn run(args: &Args) -> Result<Output> {
    args.grid.check()?;
    let experiment = args
        .design
        .map(|plan| args.grid.experiment(plan))
        .transpose()?;
    let program = match args.command.is_empty() {
        true => None,
        false => Some(program(&args.command)?),
    };
    let inputs = args.traces.iter().chain(&program).chain(&args.log.elf);
    let inputs = inputs.map(PathBuf::as_path);
    input::once(&args.traces)?;
    atomic_write::check(args.outputs(), inputs)?;
    let profilers = profilers(args, experiment.as_ref())?;
    let mut kept = Kept::open(args.resume.as_deref())?;
    let mut explored = Vec::new();
    let mut failed = Vec::new();
    let mut unkept = None;
    for (trace, (profilers, opened)) in args.traces.iter().zip(profilers) {
        let one = explore(args, trace, &profilers, opened, &mut kept);
        match one.with_context(|| shown(trace)) {
            Ok((one, kept)) => {
                unkept = unkept.or(kept.err());
                explored.push(one);
            }
            Err(error) if args.traces.len() == 1 => return Err(error),
            Err(error) => failed.push(error),
        }
    }
    if !args.command.is_empty() {
        explored.push(explore_program(args, experiment.as_ref())?);
    }
    if explored.is_empty() {
        return Err(unmeasured(args, failed));
    }
    let mut whole = true;
    for one in &explored {
        for line in &one.left_out {
            whole = false;
            tell!("hpp: {}: not in the trace: {line}", one.trace);
        }
    }
    if experiment.is_some() && args.effects.is_none() && !matches!(args.format, Format::Text) {
        tell!("hpp: the effects are in the text, or in a file of their own with --effects FILE");
    }
    let text = match args.format {
        Format::Text => text::write(&explored, experiment.as_ref()),
        Format::Json => serde_json::to_string_pretty(&explored)? + "\n",
        Format::Csv => rows::csv(&explored),
    };
    let mut output = Output::styled(text, whole);
    // What was measured is printed even so.
    output.failed = match failed.is_empty() {
        true => write_files(args, &explored, experiment.as_ref())
            .err()
            .or(unkept),
        false => Some(unmeasured(args, failed)),
    };
    Ok(output)
}

/// Traces that were found damaged when they were measured. A file that lacks them is incomplete, which is an error.
fn unmeasured(args: &Args, failed: Vec<Error>) -> Error {
    let count = failed.len();
    for error in failed {
        tell!("hpp: {error:#}");
    }
    let others = args
        .outputs()
        .any(|file| Some(file) != args.resume.as_deref());
    let files = match (others, &args.resume) {
        (false, _) => "",
        (true, None) => ", so no file was written",
        (true, Some(_)) => ", so no file but that of --resume was written",
    };
    let all = args.traces.len();
    anyhow!(
        "{count} of {all} traces could not be measured{files}; record them again or leave them out"
    )
}

impl Args {
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.parquet, &self.effects, &self.resume]
            .into_iter()
            .filter_map(|file| file.as_deref())
    }
}

/// The profilers for each trace, and the trace where it can be read once alone.
type Prepared = (Vec<Configuration>, Option<Records>);

/// Opens all traces, so that a missing one is reported before the others are measured.
fn profilers(args: &Args, experiment: Option<&Experiment>) -> Result<Vec<Prepared>> {
    let of = |trace: &PathBuf| {
        let records = Records::open(trace, &args.log)?;
        let profilers = args.grid.configurations(records.header.isa, experiment)?;
        let again = atomic_write::lasting(trace).is_ok();
        Ok((profilers, (!again).then_some(records)))
    };
    args.traces.iter().map(of).collect()
}

/// Records the program into a temporary file and measures that.
fn explore_program(args: &Args, experiment: Option<&Experiment>) -> Result<Explored> {
    let folder = tempfile::tempdir().context("no folder for the records")?;
    let program = Path::new(&args.command[0]);
    let name = program.file_name().unwrap_or(program.as_os_str());
    let file = folder.path().join(name);
    let recording = Recording {
        command: &args.command,
        sysroot: args.sysroot.as_deref(),
        limit: args.limit,
        write: Some(file.clone()),
        every_hart: false,
        follow: false,
        is_machine: false,
    };
    let reset = ResetValues::enabled();
    let mut profilers = Vec::new();
    let recorded = record(recording, |isa| {
        profilers = args.grid.configurations(isa, experiment)?;
        Ok((isa.geometry(), reset))
    })?;
    complain(&recorded);
    let (mut explored, _) = explore(args, &file, &profilers, None, &mut Kept::open(None)?)?;
    explored.trace = name.to_string_lossy().into_owned();
    Ok(explored)
}

/// What became of the profilers over a trace, and whether it could be kept.
fn explore(
    args: &Args,
    trace: &Path,
    configurations: &[Configuration],
    opened: Option<Records>,
    kept: &mut Kept,
) -> Result<(Explored, Result<()>)> {
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{msg} {bar:30} {percent} %, {eta}").expect("a template"),
    );
    bar.set_message(shown(trace));
    let key = match &opened {
        // Nobody knows whether a pipe says the same again.
        Some(_) => None,
        None => Some(Key::new(trace, args, configurations)?),
    };
    if let Some(known) = key.as_ref().and_then(|key| kept.find(key)) {
        return Ok((known, Ok(())));
    }
    let mut records = match opened {
        Some(records) => records,
        None => {
            let file = File::open(trace).context("cannot be read")?;
            bar.set_length(file.metadata().map_or(0, |data| data.len()));
            Records::read(trace, bar.wrap_read(file), &args.log)?
        }
    };
    let Header { isa, command, .. } = records.header.clone();
    let mut sweep = Sweep::new(configurations, args.window);
    if args.least {
        sweep = sweep.with_least();
    }
    while records.next(|after_loss, records, numbers| {
        if after_loss {
            sweep.purge();
        }
        sweep.profile(records, numbers);
    })? {
        ensure!(
            !args.least || sweep.completed() < MOST_PATHS,
            "more than {MOST_PATHS} paths complete, too many for --least; leave it out, or record less of the program (--limit)"
        );
    }
    bar.finish_and_clear();
    let measured = sweep.finish();
    let spread = |(detector, distribution): (Configuration, _)| Spread {
        paths: detector.paths(),
        distribution,
    };
    let explored = Explored {
        trace: shown(trace),
        command,
        isa,
        left_out: records.ending().map_or(Vec::new(), |e| e.left_out),
        phases: phases(sweep.profiles(), ALIKE),
        distributions: sweep.distributions().into_iter().map(spread).collect(),
        measured,
    };
    let kept = key.map_or(Ok(()), |key| kept.add(&key, &explored));
    Ok((explored, kept))
}

/// Writes the files that were asked for beside the table.
fn write_files(args: &Args, explored: &[Explored], experiment: Option<&Experiment>) -> Result<()> {
    if let (Some(file), Some(experiment)) = (&args.effects, experiment) {
        atomic_write::write(file, effects::csv(explored, experiment))?;
    }
    if let Some(file) = &args.parquet {
        write_parquet(file, explored)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn write_parquet(file: &Path, explored: &[Explored]) -> Result<()> {
    let mut rows = rows::all(explored).peekable();
    let schema = rows.peek().map(|cells| rows::schema(cells));
    let schema = schema.context("nothing was measured")?;
    let draft = AtomicFile::new(file)?;
    let mut table = Table::new(draft.file()?, &schema)?;
    for cells in rows {
        table.add(cells.into_iter().map(|(_, cell)| cell).collect())?;
    }
    table.finish()?;
    draft.finish()
}
