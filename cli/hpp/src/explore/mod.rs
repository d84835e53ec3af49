//! `hpp explore`: how well tables of many geometries and policies hold the profiles of recorded runs.

mod grid;
mod rows;
mod text;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use hpp_explore::trace::{Header, Isa};
use hpp_explore::{Configuration, Distribution, Measured, Sweep};
use hpp_golden::profiler::ExactProfile;
use hpp_paths::metrics::phases;
use serde::Serialize;

use crate::Output;
use crate::atomic_write;
use crate::input::{self, TableFormat, shown};
use crate::records::{LogArgs, Records};
use crate::trace::number;
use grid::Grid;

const EXAMPLES: &str = "\
Examples:
  hpp explore cc1.hpptrace --entries 128,512,2048 --ways 2,4 --replacement lfu,shadow
  hpp explore *.hpptrace --entries 128,512 --format csv > explored.csv

docs/explore.md says what the columns are.";

/// Measure how well tables of many geometries and policies hold the profiles of recorded runs
///
/// Reads each trace of `hpp trace --write`, or log of a simulator, once, with all profilers at once and on all cores.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The traces, or logs of execution; one of them may be `-`, standard input
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// Instructions of a window; dynamic overlap is the mean over windows
    #[arg(long, value_name = "N", default_value = "1e8", value_parser = number)]
    window: u64,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,
    #[command(flatten)]
    log: LogArgs,
    // The last: its heading is that of all that comes after it.
    #[command(flatten)]
    grid: Grid,
}

/// The overlap from which on two windows are of one phase.
const ALIKE: f64 = 0.5;

/// What became of the profilers over one trace.
#[derive(Serialize)]
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
#[derive(Serialize)]
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
    input::stdin_once(&args.traces)?;
    let profilers = profilers(args)?;
    let mut explored = Vec::new();
    let mut failed = Vec::new();
    for (trace, (profilers, opened)) in args.traces.iter().zip(profilers) {
        let one = explore(args, trace, &profilers, opened);
        match one.with_context(|| shown(trace)) {
            Ok(one) => explored.push(one),
            Err(error) if args.traces.len() == 1 => return Err(error),
            Err(error) => failed.push(error),
        }
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
    let text = match args.format {
        TableFormat::Text => text::write(&explored),
        TableFormat::Json => serde_json::to_string_pretty(&explored)? + "\n",
        TableFormat::Csv => rows::csv(&explored),
    };
    let mut output = Output::styled(text, whole);
    // What was measured is printed even so.
    output.failed = (!failed.is_empty()).then(|| unmeasured(args, failed));
    Ok(output)
}

/// Traces that were found damaged when they were measured.
fn unmeasured(args: &Args, failed: Vec<Error>) -> Error {
    let count = failed.len();
    for error in failed {
        tell!("hpp: {error:#}");
    }
    let all = args.traces.len();
    anyhow!("{count} of {all} traces could not be measured; record them again or leave them out")
}

/// The profilers for each trace, and the trace where it can be read once alone.
type Prepared = (Vec<Configuration>, Option<Records>);

/// Opens all traces, so that a missing one is reported before the others are measured.
fn profilers(args: &Args) -> Result<Vec<Prepared>> {
    let of = |trace: &PathBuf| {
        let records = Records::open(trace, &args.log)?;
        let profilers = args.grid.configurations(records.header.isa)?;
        let again = atomic_write::refuse_pipe(trace).is_ok();
        Ok((profilers, (!again).then_some(records)))
    };
    args.traces.iter().map(of).collect()
}

/// What became of the profilers over a trace.
fn explore(
    args: &Args,
    trace: &Path,
    configurations: &[Configuration],
    opened: Option<Records>,
) -> Result<Explored> {
    let mut records = match opened {
        Some(records) => records,
        None => Records::open(trace, &args.log)?,
    };
    let Header { isa, command, .. } = records.header.clone();
    let mut sweep = Sweep::new(configurations, args.window);
    while records.next(|after_loss, records, numbers| {
        if after_loss {
            sweep.purge();
        }
        sweep.profile(records, numbers);
    })? {}
    let measured = sweep.finish();
    let counts = |window: &ExactProfile| -> HashMap<_, _> {
        window.iter().map(|(path, count)| (*path, count)).collect()
    };
    let windows: Vec<_> = sweep.profiles().iter().map(counts).collect();
    let spread = |(detector, distribution): (Configuration, _)| Spread {
        paths: detector.paths(),
        distribution,
    };
    Ok(Explored {
        trace: shown(trace),
        command,
        isa,
        left_out: records.ending().map_or(Vec::new(), |e| e.left_out),
        phases: phases(&windows, ALIKE),
        distributions: sweep.distributions().into_iter().map(spread).collect(),
        measured,
    })
}
