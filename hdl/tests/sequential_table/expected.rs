//! When a sequential table does what, and what it holds then.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Admission, HotPathTable as Model, Lookup, set_index};
use std::collections::VecDeque;

/// When the table does what: the rule of `docs/timing.md`, beside the contents that the model has.
pub struct Expected {
    geometry: Geometry,
    pub model: Model,
    /// The last cycles of the lookups that are not over yet, and what they report.
    lookups: Vec<(u64, Lookup)>,
    /// What the table holds from these cycles on.
    contents: VecDeque<(u64, Vec<Option<CompletedPath>>)>,
    last: Option<u64>,
    /// From which cycle on the next path may be shown.
    pub free: u64,
    /// Under LFU the way with which the latest lookup ended, and the set of the path shown last.
    ended_with: Option<usize>,
    shown_set: usize,
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
            free: 0,
            ended_with: None,
            shown_set: 0,
            clearing_until: reset_ends + u64::from(geometry.clear_cycles()),
        }
    }

    /// The number of the entry that holds a path.
    fn number(&self, path: &CompletedPath) -> Option<usize> {
        let entries = 0..self.geometry.entries() as usize;
        let is_there = |&number: &usize| {
            self.model
                .entry(number)
                .is_some_and(|entry| entry.descriptor == path.descriptor)
        };
        entries.into_iter().find(is_there)
    }

    /// The way of the set of the path shown that has the least accumulator.
    fn least_way(&self) -> usize {
        let ways = self.geometry.ways as usize;
        let count = |way: &usize| {
            let entry = self.model.entry(self.shown_set * ways + way);
            entry.map_or(0, |entry| entry.count)
        };
        (0..ways).min_by_key(count).expect("a way at least")
    }

    /// Whether the path is found in the entry with which the lookup before ended.
    fn repeats(&self, now: u64, found: Option<usize>, set_before: usize) -> bool {
        let ways = self.geometry.ways as usize;
        let reread = self.ended_with.map(|way| set_before * ways + way);
        let rested = self.last.is_some_and(|last| last + 2 <= now);
        found.is_some() && found == reread && rested
    }

    /// A path is shown, and looked up or not.
    pub fn show(&mut self, now: u64, path: &CompletedPath, looked_up: bool) {
        let before = self.shown_set;
        if self.geometry.repeats_paths() {
            self.shown_set = set_index(&self.geometry, &path.descriptor);
        }
        if looked_up {
            self.enter(now, path, before);
        }
    }

    fn enter(&mut self, now: u64, path: &CompletedPath, set_before: usize) {
        let found = self.number(path);
        let ways = u64::from(self.geometry.ways);
        let way = found.map(|number| number as u64 % ways);
        let repeats = self.repeats(now, found, set_before);
        if self.geometry.repeats_paths() {
            self.ended_with = Some(way.map_or_else(|| self.least_way(), |way| way as usize));
        }
        let scale = self.model.shadow().map_or(0, |shadow| shadow.scale());
        let shifts = u64::from(scale.max(self.geometry.accumulator_bits));
        let (lookup, admission) = self.model.admit(path);
        let judged = 2 * ways + 18 + shifts;
        let steps = match (way, self.geometry.replacement, lookup, admission) {
            (Some(_), ..) if repeats => 2,
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
        let early = self.geometry.repeats_paths() && steps == ways + 3;
        self.free = last + u64::from(!early);
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
