//! Queries of the reference and of the model.

use super::{LAG, REMEMBERED, Reference, SHOWN};
use hpp_golden::profiler::HotPathTable;
use hpp_golden::registers::Counter;

impl Reference {
    /// Number of records and paths compared, including those before resets.
    pub fn compared(&self) -> (u64, u64) {
        (self.records, self.paths)
    }

    /// The current cycle of the pins, since reset.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Checks that a table with a drain loses no count. Everything counted since the last clear is in the table or has
    /// left it. What left it is in the drain, was taken, or was lost.
    ///
    /// # Errors
    ///
    /// If a count is missing.
    pub fn balance(&self) -> Result<(), String> {
        let Some(drain) = &self.drain else {
            return Ok(());
        };
        let [counted, before] = self.counted;
        let entries = self.table.entries();
        let held: u64 = entries.map(|(_, entry)| u64::from(entry.count)).sum();
        let left = drain.left() - before;
        if held + left != counted {
            return Err(format!(
                "{counted} counted, but {held} are in the table and {left} left it"
            ));
        }
        drain.balance()
    }

    /// The model's table, [`LAG`] cycles behind the pins.
    pub fn table(&self) -> &HotPathTable {
        &self.table
    }

    /// Cycles without new events until every value can be read exactly.
    pub fn settling(&self) -> u64 {
        let before = self.ingress.as_ref();
        let before = before.map_or(0, |ingress| ingress.capacity());
        let queued = u64::from(self.geometry.queue_depth) + before;
        let lookups = self.lookups.as_ref();
        let lookups = lookups.map_or(0, |lookups| lookups.left(self.model_now, queued));
        let returns = self.timing.check.map_or(0, |check| {
            queued * (check.passes + check.looks + u64::from(self.geometry.stack_depth))
        });
        before + returns + LAG + self.timing.longest() + self.timing.settle() + lookups
    }

    /// Cycles until a clear in progress ends.
    pub fn clearing_left(&self) -> u64 {
        self.clearing.1.saturating_sub(self.model_now)
    }

    /// The value that a counter reads once everything has settled.
    pub fn total(&self, counter: Counter) -> u64 {
        self.tally.total(counter)
    }

    /// The last cycles of the pins, one in each line.
    pub fn recent(&self) -> String {
        let line = |number: u64| {
            let past = &self.past[number as usize % REMEMBERED];
            format!("{:>8} {} | {}\n", past.cycle, past.drive, past.seen)
        };
        let shown = self.clocked.saturating_sub(SHOWN)..self.clocked;
        shown.map(line).collect()
    }
}
