//! Mutants against the tests that reach them.

use crate::fate::Fate;
use crate::list::Mutant;
use crate::unit::{End, Unit};
use anyhow::Result;
use std::collections::HashMap;
use std::sync::Mutex;

/// So many tests that noticed mutants of the same file are tried before others.
const RECENT: usize = 6;

/// Tests, and which of them noticed something lately.
#[derive(Debug)]
pub struct Runner<'a> {
    units: &'a [Unit],
    /// By file, the last first.
    recent: Mutex<HashMap<String, Vec<usize>>>,
}

impl<'a> Runner<'a> {
    /// A runner of these tests, of which the quickest come first.
    pub fn new(units: &'a [Unit]) -> Self {
        Self {
            units,
            recent: Mutex::default(),
        }
    }

    /// What becomes of a mutant; the test of this name is asked before all others.
    ///
    /// # Errors
    ///
    /// If a test cannot be run.
    pub fn fate(&self, mutant: &Mutant, first: Option<&str>) -> Result<Fate> {
        let order = self.order(mutant, first);
        if order.is_empty() {
            return Ok(Fate::Unreached);
        }
        for index in order {
            let unit = &self.units[index];
            let name = || unit.name.clone();
            let fate = match unit.meets(mutant.number)? {
                End::Passed => continue,
                End::Failed => Fate::Died(name()),
                End::Stopped => Fate::TimedOut(name()),
            };
            self.note(mutant, index);
            return Ok(fate);
        }
        Ok(Fate::Alive)
    }

    /// The tests that reach it, the most promising first.
    fn order(&self, mutant: &Mutant, first: Option<&str>) -> Vec<usize> {
        let reaches = |&index: &usize| self.units[index].reaches.contains(&mutant.number);
        let named = |&index: &usize| Some(self.units[index].name.as_str()) == first;
        let all = 0..self.units.len();
        let mut order: Vec<usize> = all.clone().filter(named).collect();
        order.extend(self.lock().get(&mutant.file).into_iter().flatten());
        order.extend(all);
        let mut seen = vec![false; self.units.len()];
        order.retain(|index| reaches(index) && !std::mem::replace(&mut seen[*index], true));
        order
    }

    fn note(&self, mutant: &Mutant, index: usize) {
        let mut recent = self.lock();
        let recent = recent.entry(mutant.file.clone()).or_default();
        recent.retain(|&other| other != index);
        recent.insert(0, index);
        recent.truncate(RECENT);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<usize>>> {
        self.recent
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
