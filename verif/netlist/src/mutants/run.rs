//! Every mutant of a subject against the scenarios.

use super::scenario::{SCENARIOS, Scenario};
use super::subject::Built;
use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What became of the mutants of a subject.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many each scenario was the first to notice.
    pub killed: BTreeMap<&'static str, usize>,
    /// Numbers of those that none noticed.
    pub alive: Vec<u32>,
}

impl Outcome {
    /// How many died.
    pub fn dead(&self) -> usize {
        self.killed.values().sum()
    }
}

/// Runs mutants, by their numbers, through the scenarios until one notices; `done` is told of each that is over.
///
/// # Errors
///
/// If a scenario notices something in the profiler as it was, or there is no bench.
pub fn run(built: &Built, numbers: &[u32], done: impl Fn() + Sync) -> Result<Outcome> {
    for scenario in SCENARIOS {
        if let Some(what) = scenario.notices(built, 0)? {
            anyhow::bail!("{} finds without a mistake: {what}", scenario.name);
        }
    }
    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let work = || -> Result<()> {
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            let killer = killer(built, number)?;
            let mut outcome = outcome.lock().expect("no thread panics with it");
            match killer {
                Some(scenario) => *outcome.killed.entry(scenario.name).or_default() += 1,
                None => outcome.alive.push(number),
            }
            done();
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .try_for_each(|handle| handle.join().expect("panics are caught in the scenario"))
    })?;
    let mut outcome = outcome.into_inner().expect("no thread panics with it");
    outcome.alive.sort_unstable();
    Ok(outcome)
}

fn killer(built: &Built, number: u32) -> Result<Option<Scenario>> {
    for scenario in SCENARIOS {
        if scenario.notices(built, number)?.is_some() {
            return Ok(Some(scenario));
        }
    }
    Ok(None)
}
