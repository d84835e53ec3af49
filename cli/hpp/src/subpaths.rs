//! `hpp subpaths`: sequences of paths in which a run spends itself.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use hpp_explore::{Completed, NumberedStack, Run};
use hpp_golden::path::CompletedPath;
use hpp_paths::subpath::{
    Encoding, Lengths, Memory, Report, Settings, SettingsError, Sides, SubpathProfiler, Windows,
};
use hpp_paths::wpp::{Grammar, GrammarSymbol, HotLimits, Sequitur, hot_subpaths};
use hpp_report::columns::{lines, table};
use hpp_report::numbers::{number_of, thousands};

use crate::Output;
use crate::input::shown;
use crate::model::Model;
use crate::records::{LogArgs, Records};

const EXAMPLES: &str = "\
Examples:
  hpp subpaths gzip.hpptrace                          hot sequences of 2 to 8 paths, in fixed memory
  hpp subpaths spike.log.gz --elf program --grammar   and the whole program path, as a grammar
  hpp subpaths gzip.hpptrace --shortest 4 --longest 4 --period 1000

docs/subpaths.md says what the columns are.

Exit status: 0 all well; 1 nothing written; 2 wrong command line; 3 the trace is not the whole run (it says why).";

/// Find the hot sequences of paths in a trace or a log
///
/// A path ends at a loop's back edge or a return; a subpath is a sequence of paths that follow one another. The hottest ones are sampled in
/// fixed memory, with bounds. With --grammar the whole run is kept as a grammar, whose hottest rules and shortest hot subpaths are exact.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The trace, a log of execution, or the packets of a trace encoder; `-` for standard input
    trace: PathBuf,
    /// The fewest paths of a subpath
    #[arg(long, value_name = "N", default_value_t = 2)]
    shortest: usize,
    /// The most paths of a subpath
    #[arg(long, value_name = "N", default_value_t = 8)]
    longest: usize,
    /// One in so many paths begins a sampled subpath; 1 counts every one, until memory is full
    #[arg(long, value_name = "F", default_value_t = 1.0)]
    period: f64,
    /// Bytes for the list of hot subpaths; when it is full, the period grows
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    memory: usize,
    /// With which confidence the bounds hold
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    /// What the samples are drawn with
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Keep the whole run as a grammar as well, in as much memory as that takes
    #[arg(long)]
    grammar: bool,
    /// The share of all paths that a subpath of the grammar must have to be hot, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    #[arg(requires = "grammar")]
    hot: f64,
    /// How many subpaths and rules to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    model: Model,
}

/// In the place of paths that are missing.
const GAP: u32 = u32::MAX;

impl Args {
    fn settings(&self) -> Result<Settings> {
        ensure!(
            self.confidence > 0.0 && self.confidence < 1.0,
            "--confidence {}: it is more than 0 and less than 1",
            self.confidence
        );
        Ok(Settings {
            lengths: Lengths::uniform(self.shortest..=self.longest).map_err(|_| {
                let Self { shortest, longest, .. } = self;
                anyhow!("--shortest {shortest} --longest {longest}: lengths begin at 1, and the longest is not below the shortest")
            })?,
            // The thesis's own is the same for every pair of equal paths, and loops are full of such pairs.
            encoding: Encoding::Linear,
            period: self.period,
            memory: Memory::Bytes(self.memory),
            windows: Windows::Overlapping,
            ..Settings::default()
        })
    }
}

impl Args {
    /// An error of the settings, as one of the option that it is about.
    fn refused(&self, error: &SettingsError) -> anyhow::Error {
        let Self { period, memory, .. } = self;
        match error {
            SettingsError::Memory { longest, least, .. } => anyhow!(
                "--memory {memory}: a subpath of up to {longest} paths takes {least} bytes; remedy: --memory {least} or more, or a smaller --longest"
            ),
            SettingsError::Period(_) => anyhow!("--period {period}: it is 1 or more"),
            other => anyhow!("{other}"),
        }
    }
}

pub fn run(args: &Args) -> Result<Output> {
    let sampler = SubpathProfiler::seeded(args.settings()?, args.seed);
    let mut sampler = sampler.map_err(|error| args.refused(&error))?;
    let mut sequitur = Sequitur::new();
    let mut records = Records::open(&args.trace, &args.log)?;
    let geometry = args.model.geometry(records.header.isa)?;
    let profiler = Run::new(&geometry, &args.model.reset(&geometry)?)?;
    let stack = profiler
        .detector()
        .expect("without triggers it takes every record");
    let (mut stack, mut all) = (NumberedStack::new(stack), 0u64);
    let mut enter = |path: u32| {
        sampler.enter(path.into());
        if args.grammar {
            sequitur.push(path);
        }
    };
    let mut show = |after_loss, records: &[_], numbers: &[u32]| {
        if after_loss && all > 0 {
            enter(GAP);
        }
        if after_loss {
            stack.purge();
        }
        let mut completed = Completed::default();
        stack.run(records, numbers, &mut completed);
        for times in &completed.paths {
            all += u64::from(times.times);
            (0..times.times).for_each(|_| enter(times.path));
        }
    };
    while records
        .next(&mut show)
        .with_context(|| shown(&args.trace))?
    {}
    let names: Vec<&CompletedPath> = stack.paths().iter().collect();
    let name = |path: u64| match names.get(path as usize) {
        Some(path) => path.descriptor.to_string(),
        None => "(missing)".into(),
    };
    let (mut text, is_whole) = records.summary("");
    writeln!(
        text,
        "{} completed, {} of them different\n\nsubpaths of {} to {} paths: {} sampled, 1 in {:.1} paths begins one; {} bytes",
        number_of(all, "path"),
        thousands(names.len() as u64),
        args.shortest,
        args.longest,
        thousands(sampler.report().samples()),
        sampler.period(),
        thousands(sampler.memory() as u64)
    )?;
    text += &sampled(&sampler.report(), args, &name);
    if args.grammar {
        text += &whole(&sequitur.grammar(), sequitur.stream_length(), args, &name)?;
    }
    Ok(Output::styled(text, is_whole))
}

/// The hottest subpaths: as often as they were sampled and, by estimate, executed.
fn sampled(report: &Report, args: &Args, name: &impl Fn(u64) -> String) -> String {
    let heads = [
        "sampled", "executed", "at least", "at most", "error", "subpath",
    ];
    let mut rows = table(heads, 0..5);
    // By the paths that run in them.
    let report = report.clone().weighted(|length| length as f64);
    for subpath in report.subpaths().iter().take(args.top) {
        let bounds = subpath.bounds(args.confidence);
        let whole = |number: f64| thousands(number.round() as u64);
        let error = subpath.relative_error(Sides::Both, args.confidence);
        let blocks = subpath.blocks.iter().flat_map(|blocks| blocks.iter());
        rows.add_row([
            thousands(subpath.count),
            whole(subpath.estimate),
            whole(*bounds.start()),
            whole(*bounds.end()),
            format!("{:.2} %", 100.0 * error),
            blocks
                .map(|&path| name(path))
                .collect::<Vec<_>>()
                .join("  "),
        ]);
    }
    format!("\n{}", lines(&rows))
}

/// The grammar's size, its rules that derive most of the run, and its minimal hot subpaths.
fn whole(
    grammar: &Grammar<u32>,
    paths: u64,
    args: &Args,
    name: &impl Fn(u64) -> String,
) -> Result<String> {
    let (lengths, frequencies) = (grammar.lengths(), grammar.frequencies());
    let mut text = format!(
        "\ngrammar: {} of {} symbols for {}, in {} bits: {:.3} bits a path\n\n",
        number_of(grammar.rules().len() as u64, "rule"),
        thousands(grammar.symbols() as u64),
        number_of(paths, "path"),
        thousands(grammar.bits()),
        grammar.bits() as f64 / paths.max(1) as f64
    );
    let share = |part: u64| format!("{:.2} %", 100.0 * part as f64 / paths.max(1) as f64);
    // Rule 0 is the run.
    let mut rules: Vec<usize> = (1..grammar.rules().len()).collect();
    let covered = |rule: usize| lengths[rule].saturating_mul(frequencies[rule]);
    rules.sort_by_key(|&rule| (std::cmp::Reverse(covered(rule)), rule));
    let mut rows = table(["rule", "times", "paths", "of all", "derives"], 0..4);
    for rule in rules.into_iter().take(args.top) {
        let body = grammar.rules()[rule].iter().map(|symbol| match symbol {
            GrammarSymbol::Terminal(path) => name(grammar.terminals()[*path as usize].into()),
            GrammarSymbol::Rule(rule) => format!("R{rule}"),
        });
        rows.add_row([
            format!("R{rule}"),
            thousands(frequencies[rule]),
            thousands(lengths[rule]),
            share(covered(rule)),
            body.collect::<Vec<_>>().join("  "),
        ]);
    }
    text += &lines(&rows);
    let limits = HotLimits {
        lengths: args.shortest..=args.longest,
        cost: ((paths as f64 * args.hot / 100.0).ceil() as u64).max(1),
    };
    let hot = hot_subpaths(grammar, &limits, |path| u64::from(*path != GAP))?;
    writeln!(
        text,
        "\n{} of at least {} % of all paths",
        number_of(hot.len() as u64, "minimal hot subpath"),
        args.hot
    )?;
    let mut rows = table(["times", "of all", "subpath"], 0..2);
    for subpath in hot.iter().take(args.top) {
        let names = subpath.symbols.iter().map(|&&path| name(path.into()));
        rows.add_row([
            thousands(subpath.frequency),
            share(subpath.cost),
            names.collect::<Vec<_>>().join("  "),
        ]);
    }
    Ok(text + &lines(&rows))
}
