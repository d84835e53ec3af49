//! `hpp replay`: a profiler over the records of a trace.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use hpp_explore::Run;
use hpp_explore::trace::Header;

use crate::input::shown;
use crate::model::Model;
use crate::records::{LogArgs, Records};
use crate::trace::{text, write_profile};
use crate::{Output, atomic_write};

const EXAMPLES: &str = "\
Examples:
  hpp replay gzip.hpptrace                           what `hpp trace --write gzip.hpptrace` recorded
  hpp replay gzip.hpptrace --sets 32 --ways 2 --replacement shadow
  hpp replay gzip.hpptrace --profile gzip.txt        then: hpp report gzip.txt --elf program
  hpp replay spike.log.gz --elf program --profile p.txt    the log of a simulator: Spike, Sail, Ibex's tracer, QEMU ..
  hpp replay linux.hpptrace --context-bits 8 --each-context   the cost of one table for kernel and processes

Exit status: 0 all well; 1 no profile; 2 wrong command line; 3 the trace is not the whole run (it says why).";

/// Profile the branch records of a trace, or the log of a simulator, as the hardware would
///
/// Shows what a profiler of a given geometry would have held of the run that `hpp trace --write` or a simulator's log recorded, and
/// compares it with the exact profile.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The trace, or a log of execution, which may be compressed by gzip, xz or zstd; `-` for standard input
    trace: PathBuf,
    /// Write the profile that the table held, for hpp report
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Profile only the paths of this context
    #[arg(long, value_name = "N", requires = "context_bits")]
    context: Option<u8>,
    /// Compare the one table with tables of its size for each context
    #[arg(long, requires = "context_bits", conflicts_with_all = ["context", "profile"])]
    each_context: bool,
    /// How many of the hottest paths to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    model: Model,
}

/// Profiles the records of the trace by runs that are made for it.
fn profile(
    args: &Args,
    begin: impl FnOnce(&Header) -> Result<Vec<Run>>,
) -> Result<(Records, Vec<Run>)> {
    let mut records = Records::open(&args.trace, &args.log)?;
    let mut runs = begin(&records.header)?;
    let mut show = |after_loss, records: &[_], numbers: &[_]| {
        for run in &mut runs {
            if after_loss {
                run.purge();
            }
            run.profile(records, numbers);
        }
    };
    while records
        .next(&mut show)
        .with_context(|| shown(&args.trace))?
    {}
    Ok((records, runs))
}

impl Args {
    fn profiler(&self, header: &Header, context: Option<u8>) -> Result<Run> {
        let geometry = self.model.geometry(header.isa)?;
        let mut run = Run::new(&geometry, &self.model.reset(&geometry)?)?;
        if let Some(context) = context {
            let last = (1u32 << geometry.context_bits) - 1;
            ensure!(
                u32::from(context) <= last,
                "there is no context {context}: with --context-bits {} the last is {last}",
                geometry.context_bits
            );
            run.only(context);
        }
        Ok(run)
    }
}

pub fn run(args: &Args) -> Result<Output> {
    let inputs = [Some(&args.trace), args.log.elf.as_ref()]
        .into_iter()
        .flatten();
    atomic_write::check(args.profile.as_deref(), inputs.map(PathBuf::as_path))?;
    if args.each_context {
        atomic_write::refuse_pipe(&args.trace).with_context(|| shown(&args.trace))?;
    }
    let (records, mut runs) = profile(args, |header| {
        Ok(vec![args.profiler(header, args.context)?])
    })?;
    let held = runs[0].held();
    let profile = write_profile(&held, &records.header, args.profile.as_deref())?;
    let millions = text::millions(held.records as f64);
    let (mut text, whole) = records.summary(&format!(", {millions} million branch records"));
    text += &match args.each_context {
        true => each_context(args, &mut runs[0])?,
        false => text::held(&held, &profile, args.top, None),
    };
    Ok(Output::styled(text, whole))
}

/// The table that all contexts share, beside tables of its size for each.
fn each_context(args: &Args, shared: &mut Run) -> Result<String> {
    let mut geometry = None;
    let mut contexts = BTreeSet::new();
    let (_, mut own) = profile(args, |header| {
        let sizes = geometry.insert(args.model.geometry(header.isa)?);
        let starts = shared.exact().iter().map(|(path, _)| path.start);
        contexts.extend(starts.map(|start| sizes.address_and_context(start).1));
        let one = |&context| args.profiler(header, Some(context));
        contexts.iter().map(one).collect()
    })?;
    let mut rows = Vec::new();
    for (context, own) in contexts.iter().zip(&mut own) {
        let (with_others, alone) = (own.held_by(shared).accounted, own.held().accuracy.accounted);
        let name = format!("context {context}");
        rows.push((name, own.exact().total(), with_others, alone));
    }
    let all = rows.iter().map(|row| row.1).sum::<u64>();
    let mean = |share: fn(&(String, u64, f64, f64)) -> f64| {
        let counts = rows.iter().map(|row| row.1 as f64 * share(row));
        counts.sum::<f64>() / (all as f64).max(1.0)
    };
    let (with_others, alone) = (mean(|row| row.2), mean(|row| row.3));
    rows.push(("all".into(), all, with_others, alone));
    Ok(text::shared(&rows))
}
