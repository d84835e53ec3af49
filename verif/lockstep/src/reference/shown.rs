//! The table as a readout sees it: delayed by the time that storing a path takes.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::{TableEntry, entry_words};
use std::collections::VecDeque;

/// A change of an entry, and from which cycle on it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub cycle: u64,
    pub number: usize,
    pub entry: Option<TableEntry>,
}

/// Entries that change when that can be read.
#[derive(Debug)]
pub struct Shown {
    geometry: Geometry,
    entries: Vec<Option<TableEntry>>,
    coming: VecDeque<Change>,
}

impl Shown {
    /// An empty table.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            entries: vec![None; geometry.entries() as usize],
            coming: VecDeque::new(),
        }
    }

    /// The words of an entry in the present cycle; 0 beyond the last.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        let entry = self.entries.get(number).copied().flatten();
        entry_words(&self.geometry, entry)
    }

    /// An entry will change. Changes come in the order of their cycles.
    pub fn enter(&mut self, change: Change) {
        self.coming.push_back(change);
    }

    /// The table is emptied, with all that is on its way there.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.coming.clear();
    }

    /// Takes the changes of a cycle; whether there were any.
    pub fn advance(&mut self, cycle: u64) -> bool {
        let mut changed = false;
        while let Some(change) = self.coming.pop_front_if(|change| change.cycle <= cycle) {
            self.entries[change.number] = change.entry;
            changed = true;
        }
        changed
    }
}
