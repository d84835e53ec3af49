//! The table's side of the reference: paths looked up, and when what they change can be read.

use super::{Reference, View};
use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{HotPathTable, Lookup, set_index};
use hpp_golden::registers::{Counter, errors};

impl Reference {
    /// The table's side: one completed path.
    pub(super) fn look_up(&mut self, path: &CompletedPath) {
        let (from, to) = self.clearing;
        if (from..to).contains(&self.model_now) || self.registers().frozen() {
            return;
        }
        let mut stored = self.model_now + self.timing.stored;
        if let Some(lookups) = &mut self.lookups {
            let way = find(&self.table, &self.geometry, path);
            stored = lookups.enter(self.model_now, way) + 1;
        }
        self.shown.enter(stored, path);
        match self.table.record(path) {
            Lookup::Hit { saturated } => {
                self.tally.add(Counter::Hits, 1);
                if saturated {
                    self.raise(errors::ACCUMULATOR_SATURATED);
                }
            }
            Lookup::Replaced { .. } => self.tally.add(Counter::Replacements, 1),
            Lookup::Inserted | Lookup::Nothing | Lookup::Frozen => {}
        }
    }

    pub(super) fn watch_changed(&mut self) {
        for View { watch, .. } in &mut self.views {
            let number = watch.number();
            watch.change(|| self.shown.table().words(number));
        }
    }
}

/// The way in which the table holds a path.
fn find(table: &HotPathTable, geometry: &Geometry, path: &CompletedPath) -> Option<u64> {
    let first = set_index(geometry, &path.descriptor) * geometry.ways as usize;
    let is_there = |way: &usize| {
        table
            .entry(first + way)
            .is_some_and(|entry| entry.descriptor == path.descriptor)
    };
    (0..geometry.ways as usize)
        .find(is_there)
        .map(|way| way as u64)
}
