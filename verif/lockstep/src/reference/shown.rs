//! The table as the readout sees it: changes become visible when they have been stored.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::{TableEntry, entry_words};
use std::collections::VecDeque;

/// A change of an entry, and the first cycle in which it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub cycle: u64,
    pub number: usize,
    pub entry: Option<TableEntry>,
}

#[derive(Debug)]
pub struct Shown {
    geometry: Geometry,
    entries: Vec<Option<TableEntry>>,
    pending: VecDeque<Change>,
}

impl Shown {
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            entries: vec![None; geometry.entries() as usize],
            pending: VecDeque::new(),
        }
    }

    /// The words of an entry in the current cycle; 0 beyond the last.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        let entry = self.entries.get(number).copied().flatten();
        entry_words(&self.geometry, entry)
    }

    /// Schedules a change. Changes come in the order of their cycles.
    pub fn enter(&mut self, change: Change) {
        self.pending.push_back(change);
    }

    /// Clears the table and all pending changes.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.pending.clear();
    }

    /// Applies the changes of a cycle. Returns whether there were any.
    pub fn advance(&mut self, cycle: u64) -> bool {
        let mut changed = false;
        while let Some(change) = self.pending.pop_front_if(|change| change.cycle <= cycle) {
            self.entries[change.number] = change.entry;
            changed = true;
        }
        changed
    }
}
