//! Mutants of a subject against scenarios.

use super::known::Known;
use super::scenario::Scenario;
use super::subject::Built;
use anyhow::{Result, bail};
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

    /// The same with what became of some of those that were alive.
    pub fn then(mut self, later: Self) -> Self {
        for (scenario, killed) in later.killed {
            *self.killed.entry(scenario).or_default() += killed;
        }
        self.alive = later.alive;
        self
    }

    fn add(&mut self, number: u32, killer: Option<Scenario>) {
        match killer {
            Some(scenario) => *self.killed.entry(scenario.name).or_default() += 1,
            None => self.alive.push(number),
        }
    }
}

/// Runs mutants, by their numbers, through the scenarios until one notices; `done` is told of each that is over. What became of one is
/// kept for the same text and the same bench, so that a run that was interrupted goes on.
///
/// # Errors
///
/// If a scenario notices something in the profiler as it was, or there is no bench.
pub fn run(
    built: &Built,
    numbers: &[u32],
    scenarios: &[Scenario],
    done: impl Fn() + Sync,
) -> Result<Outcome> {
    for scenario in scenarios {
        if let Some(what) = scenario.notices(built, 0)? {
            bail!("{} finds without a mistake: {what}", scenario.name);
        }
    }
    let known = Known::of(built, scenarios)?;
    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let work = || -> Result<()> {
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            let killer = known.killer(number, || killer(built, number, scenarios))?;
            let mut outcome = outcome.lock().expect("no thread panics with it");
            outcome.add(number, killer);
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

fn killer(built: &Built, number: u32, scenarios: &[Scenario]) -> Result<Option<Scenario>> {
    for scenario in scenarios {
        if scenario.notices(built, number)?.is_some() {
            return Ok(Some(*scenario));
        }
    }
    Ok(None)
}
