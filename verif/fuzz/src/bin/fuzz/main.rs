//! Runs the targets under coverage-guided fuzzing, and prints the result of each.

mod engine;
mod outcome;
mod working;

use anyhow::{Context, Result};
use clap::Parser;
use engine::Engine;
use hpp_fuzz::{TARGETS, Target, UnknownTarget};
use outcome::Outcome;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use verilated::tools::command::columns;
use verilated::tools::figures::{Measurement, fenced};
use working::Working;

/// Fuzzes every parser with inputs that evolve to reach new code, and prints the results.
///
/// Inputs that make a target panic, hang or take more than 2 GB are left in build/fuzz, and the exit status is 1.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Only these targets [default: all]
    targets: Vec<String>,
    /// How long each target is tried
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Targets to run at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Save the smallest set of inputs that reaches the same code, in the repository
    #[arg(long)]
    keep: bool,
    /// Run the target on the inputs in these files instead, and say where it panics
    #[arg(long, value_name = "FILE")]
    input: Vec<std::path::PathBuf>,
    /// Records the table in docs/figures.toml and on the page that shows it, if nothing fails
    #[arg(long, conflicts_with_all = ["targets", "input"])]
    record: bool,
}

impl Options {
    fn targets(&self) -> Result<Vec<&'static Target>, UnknownTarget> {
        match self.targets.is_empty() {
            true => Ok(TARGETS.iter().collect()),
            false => self.targets.iter().map(|name| Target::find(name)).collect(),
        }
    }
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let targets = options.targets()?;
    if !options.input.is_empty() {
        return replay(&targets, &options.input);
    }
    let measurement = Measurement::begin_if(options.record, "fuzzing")?;
    let outcomes = fuzz(&Engine::build()?, &targets, &options)?;
    let table = table(&outcomes);
    println!("{table}");
    let mut status = ExitCode::SUCCESS;
    for (target, outcome) in &outcomes {
        for file in &outcome.crashes {
            let file = file.display();
            println!("{target} fails on {file}; again: make fuzz TARGET={target} INPUT={file}");
            status = ExitCode::FAILURE;
        }
    }
    if let Some(measurement) = measurement.filter(|_| status == ExitCode::SUCCESS) {
        let text = format!(
            "Each target for {} seconds, from the kept inputs; nothing failed:\n\n{}",
            options.seconds,
            fenced(&table)
        );
        measurement.record([("all".into(), text)])?;
    }
    Ok(status)
}

/// What becomes of each target, some at a time.
fn fuzz(
    engine: &Engine,
    targets: &[&'static Target],
    options: &Options,
) -> Result<Vec<(&'static str, Outcome)>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push((target.name, one(engine, target, options)?));
        }
        Ok(outcomes)
    };
    let workers = 0..options.jobs.max(1);
    let outcomes: Result<Vec<Vec<_>>> = thread::scope(|scope| {
        let workers: Vec<_> = workers.map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .map(|outcomes| outcomes.expect("no worker panics"))
            .collect()
    });
    let mut outcomes: Vec<_> = outcomes?.into_iter().flatten().collect();
    outcomes.sort_by_key(|(name, _)| targets.iter().position(|target| target.name == *name));
    Ok(outcomes)
}

fn one(engine: &Engine, target: &'static Target, options: &Options) -> Result<Outcome> {
    eprintln!("{}: {} seconds", target.name, options.seconds);
    let working = Working::prepare(target)?;
    let outcome = engine.run(&working, options.seconds)?;
    if options.keep {
        engine.minimise(&working)?;
    }
    Ok(outcome)
}

/// Runs targets on inputs without the engine; a panic ends it with its message.
fn replay(targets: &[&Target], inputs: &[std::path::PathBuf]) -> Result<ExitCode> {
    for file in inputs {
        let input = std::fs::read(file).with_context(|| file.display().to_string())?;
        for target in targets {
            println!("{} on {}", target.name, input.escape_ascii());
            (target.run)(&input);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn table(outcomes: &[(&str, Outcome)]) -> String {
    let head = "target | executions | a second | inputs | coverage | new | crashes";
    let row = |(name, outcome): &(&str, Outcome)| {
        let new = outcome.coverage.saturating_sub(outcome.coverage_before);
        let crashes = outcome.crashes.len() as u64;
        let Outcome {
            executions,
            a_second,
            inputs,
            coverage,
            ..
        } = *outcome;
        let numbers = [executions, a_second, inputs, coverage, new, crashes];
        let numbers = numbers.iter().map(u64::to_string);
        [name.to_string()].into_iter().chain(numbers).collect()
    };
    columns(head, 1, outcomes.iter().map(row))
}
