//! The model's side of a cycle.

use super::drain::TimedDrain;
use super::{Past, REMEMBERED, Reference};
use hpp_golden::registers::{Field, errors};

impl Reference {
    /// Steps the model through the cycles before `end`.
    pub(super) fn advance_to(&mut self, end: u64) -> Result<(), String> {
        // Moved out, so that no part needs to be copied.
        let past = std::mem::take(&mut self.past);
        let since = self.since;
        let place = |cycle| (since + cycle) as usize % REMEMBERED;
        let outcome = (self.model_now..end).try_for_each(|cycle| self.advance(&past[place(cycle)]));
        self.past = past;
        outcome
    }

    fn advance(&mut self, past: &Past) -> Result<(), String> {
        let cycle = self.model_now;
        let Past { drive, seen, .. } = past;
        if let Some(drain) = &mut self.drain {
            drain.begin(cycle);
        }
        self.bus(cycle)?;
        if let Some(drain) = &mut self.drain {
            drain.compare(cycle, seen)?;
        }
        if let Some(triggers) = &mut self.triggers {
            triggers.compare(cycle, seen)?;
        }
        let waits = self.timing.sequential.is_some();
        if waits {
            self.table_side(cycle);
            self.move_on(cycle);
        }
        self.intake(cycle, drive, seen)?;
        while self.to_stack.front().is_some_and(|entry| entry.0 == cycle) {
            let (_, queued) = self.to_stack.pop_front().expect("just seen");
            self.process(&queued);
        }
        if !waits {
            self.table_side(cycle);
        }
        self.report_due();
        if (self.drain.as_mut()).is_some_and(|drain| drain.end(cycle, drive)) {
            self.raise(errors::DRAIN_LOST);
        }
        if self.shown.advance(cycle) {
            self.watch_changed();
        }
        if let Some(triggers) = &mut self.triggers {
            triggers.end(drive, seen);
        }
        self.tally.end_cycle(cycle);
        self.model_now += 1;
        self.compare_path(cycle, seen.path.as_ref())
    }

    /// The table in a cycle: a clear, and the arriving path.
    fn table_side(&mut self, cycle: u64) {
        if cycle == self.clearing.0 {
            self.table.clear();
            self.counted = [0, self.drain.as_ref().map_or(0, TimedDrain::left)];
            self.shown.clear();
            self.watch_changed();
        }
        while self.to_table.front().is_some_and(|entry| entry.0 == cycle) {
            let (_, path) = self.to_table.pop_front().expect("just seen");
            self.look_up(&path);
        }
    }

    pub(super) fn raise(&mut self, error: Field) {
        self.sticky.raise(error.mask(), self.model_now);
    }
}
