//! `hpp replay`: a profiler over the records of a trace.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use hpp_explore::Run;
use hpp_trace::TraceReader;

use crate::model::Model;
use crate::trace::{keep, text};
use crate::{Output, atomic_write};

const EXAMPLES: &str = "\
Examples:
  hpp replay gzip.hpptrace                           what `hpp trace --write gzip.hpptrace` recorded
  hpp replay gzip.hpptrace --sets 32 --ways 2 --replacement shadow
  hpp replay gzip.hpptrace --profile gzip.txt        then: hpp report gzip.txt --elf program

Exit status: 0 all well; 1 no profile; 2 wrong command line; 3 the trace is not the whole run (it says why).";

/// Profile the branch records of a trace as the hardware would
///
/// Shows what a profiler of a given geometry would have held of the run that `hpp trace --write` recorded, and compares it with
/// the exact profile.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The trace
    trace: PathBuf,
    /// Write the profile that the table held, for hpp report
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Profile the paths of this context alone
    #[arg(long, value_name = "N", requires = "context_bits")]
    context: Option<u8>,
    /// How many of the hottest paths to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    model: Model,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Output> {
    atomic_write::check(args.profile.as_deref(), [args.trace.as_path()])?;
    let name = || args.trace.display().to_string();
    let file = File::open(&args.trace).with_context(|| format!("cannot read {}", name()))?;
    let mut reader = TraceReader::new(BufReader::new(file)).with_context(name)?;
    let header = reader.header().clone();
    let geometry = args.model.geometry(header.isa)?;
    let mut run = Run::new(&geometry, &args.model.reset(&geometry)?)?;
    if let Some(context) = args.context {
        let last = (1u32 << geometry.context_bits) - 1;
        ensure!(
            u32::from(context) <= last,
            "there is no context {context}: with --context-bits {} the last is {last}",
            geometry.context_bits
        );
        run.only(context);
    }
    while let Some((records, numbers)) = reader.next_chunk().with_context(name)? {
        run.profile(records, numbers);
    }
    let held = run.held();
    let profile = keep(&held, &header, args.profile.as_deref())?;
    let mut text = format!(
        "{} on {}, {} million branch records; {}\n",
        header.command.join(" "),
        header.isa,
        text::millions(held.records as f64),
        reader.ending().map_or("", |ending| &ending.reason)
    );
    for line in reader.ending().map_or(&[][..], |ending| &ending.left_out) {
        text += &format!("not in the trace: {line}\n");
    }
    text += &text::held(&held, &profile, args.top);
    let whole = reader
        .ending()
        .is_some_and(|ending| ending.left_out.is_empty());
    Ok(Output::styled(text, whole))
}
