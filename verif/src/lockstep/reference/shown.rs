//! The table as a readout sees it: behind the paths by as long as they take to be stored.

use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::HotPathTable;
use std::collections::VecDeque;

/// A table that takes each path when it can be read.
#[derive(Debug)]
pub struct Shown {
    table: HotPathTable,
    coming: VecDeque<(u64, CompletedPath)>,
}

impl Shown {
    /// An empty table.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            table: HotPathTable::new(geometry),
            coming: VecDeque::new(),
        }
    }

    /// What is read in the present cycle.
    pub fn table(&self) -> &HotPathTable {
        &self.table
    }

    /// A path that can be read from that cycle on. Paths come in order.
    pub fn enter(&mut self, cycle: u64, path: &CompletedPath) {
        self.coming.push_back((cycle, *path));
    }

    /// The table is emptied, with all that is on its way there.
    pub fn clear(&mut self) {
        self.table.clear();
        self.coming.clear();
    }

    /// Takes the paths of a cycle; whether there were any.
    pub fn advance(&mut self, cycle: u64) -> bool {
        let mut changed = false;
        while let Some((_, path)) = self.coming.pop_front_if(|(due, _)| *due <= cycle) {
            self.table.record(&path);
            changed = true;
        }
        changed
    }
}
