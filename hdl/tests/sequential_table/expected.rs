//! When a sequential table does what, and what it holds then.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Admission, HotPathTable as Model, Lookup};
use std::collections::VecDeque;

/// When the table does what: the rule of `docs/timing.md`, beside the contents that the model has.
pub struct Expected {
    geometry: Geometry,
    pub model: Model,
    /// The last cycles of the lookups that are not over yet, and what they report.
    lookups: Vec<(u64, Lookup)>,
    /// What the table holds from these cycles on.
    contents: VecDeque<(u64, Vec<Option<CompletedPath>>)>,
    pub last: Option<u64>,
    pub clearing_until: u64,
}

impl Expected {
    pub fn new(geometry: &Geometry, seed: u32, reset_ends: u64) -> Self {
        Self {
            geometry: *geometry,
            model: Model::seeded(geometry, seed),
            lookups: Vec::new(),
            contents: VecDeque::from([(0, vec![None; geometry.entries() as usize])]),
            last: None,
            clearing_until: reset_ends + u64::from(geometry.clear_cycles()),
        }
    }

    /// The way in which a path is found.
    fn way(&self, path: &CompletedPath) -> Option<u64> {
        let entries = 0..self.geometry.entries() as usize;
        let is_there = |&number: &usize| {
            self.model
                .entry(number)
                .is_some_and(|entry| entry.descriptor == path.descriptor)
        };
        let number = entries.into_iter().find(is_there)?;
        Some(number as u64 % u64::from(self.geometry.ways))
    }

    pub fn enter(&mut self, now: u64, path: &CompletedPath) {
        let (way, ways) = (self.way(path), u64::from(self.geometry.ways));
        let scale = self.model.shadow().map_or(0, |shadow| shadow.scale());
        let shifts = u64::from(scale.max(self.geometry.accumulator_bits));
        let (lookup, admission) = self.model.admit(path);
        let judged = 2 * ways + 18 + shifts;
        let steps = match (way, self.geometry.replacement, lookup, admission) {
            (Some(way), ..) => way + 4,
            (None, Replacement::Lfu, ..) => ways + 3,
            (None, Replacement::Rrip, Lookup::Replaced { .. }, _) => 2 * ways + 6,
            (None, Replacement::Rrip, ..) => ways + 4,
            (None, _, _, Admission::Inserted(_)) => ways + 5,
            (None, _, _, Admission::Promoted { moved: Some(_), .. }) => judged + 3,
            (None, _, _, Admission::Promoted { .. } | Admission::Grew) => judged,
            (None, ..) => ways + 4,
        };
        let last = now + steps - 1;
        self.last = Some(last);
        // Under `rrip` a path takes its row before the other values are less.
        let told = match (self.geometry.replacement, lookup) {
            (Replacement::Rrip, Lookup::Replaced { .. }) => now + ways + 3,
            _ => last,
        };
        self.lookups.push((told, lookup));
        self.changed(last + 1);
    }

    fn changed(&mut self, from: u64) {
        let held = |number| {
            let entry = self.model.entry(number);
            entry.map(|entry| CompletedPath {
                descriptor: entry.descriptor,
                count: entry.count,
            })
        };
        let entries = (0..self.geometry.entries() as usize).map(held).collect();
        self.contents.push_back((from, entries));
    }

    /// What the table holds at the beginning of a cycle; cycles are asked about in their order.
    pub fn contents(&mut self, now: u64) -> Vec<Option<CompletedPath>> {
        while self.contents.get(1).is_some_and(|(from, _)| *from <= now) {
            self.contents.pop_front();
        }
        self.contents[0].1.clone()
    }

    pub fn clear(&mut self, now: u64) {
        self.model.clear();
        let first = self.last.map_or(now + 1, |last| (last + 1).max(now + 1));
        self.clearing_until = first + u64::from(self.geometry.clear_cycles());
        self.changed(self.clearing_until);
    }

    /// `hit`, `replacement`, `saturated` in this cycle.
    pub fn reports(&self, now: u64) -> [bool; 3] {
        let over = self.lookups.iter().find(|(last, _)| *last == now);
        let lookup = over.map(|(_, lookup)| *lookup);
        [
            matches!(lookup, Some(Lookup::Hit { .. })),
            matches!(lookup, Some(Lookup::Replaced { .. })),
            matches!(lookup, Some(Lookup::Hit { saturated: true })),
        ]
    }
}
