//! Mutants of a subject against scenarios.

use super::known::Known;
use super::scenario::Scenario;
use super::subject::Built;
use anyhow::{Result, bail};
use rayon::prelude::*;
use std::collections::BTreeMap;

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

/// Runs mutants, by their numbers, through the scenarios until one notices; `done` is called for each that is over. What became of one is
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
    // Every design without a mistake meets the first; what takes long, one of them.
    let of_each = (1..built.designs()).map(|design| (design, &scenarios[..1]));
    let of_all = std::iter::once((0, scenarios)).chain(of_each);
    for (design, scenarios) in of_all {
        for scenario in scenarios {
            if let Some(what) = scenario.notices_in(built, design, 0)? {
                bail!("{} finds without a mistake: {what}", scenario.name);
            }
        }
    }
    let known = Known::of(built, scenarios)?;
    let killers: Vec<Option<Scenario>> = numbers
        .par_iter()
        .map(|&number| {
            let killer = known.killer(number, || killer(built, number, scenarios))?;
            done();
            Ok(killer)
        })
        .collect::<Result<_>>()?;
    let mut outcome = Outcome::default();
    for (number, killer) in numbers.iter().zip(killers) {
        outcome.add(*number, killer);
    }
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
