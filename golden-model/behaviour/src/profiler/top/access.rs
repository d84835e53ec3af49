//! Registers as software reads and writes them.

use super::{Hart, Profiler};
use crate::profiler::drain::{Drain, is_drains};
use crate::profiler::register_file::{ALL_LANES, Sight, lane_mask};
use crate::profiler::triggers::{Triggers, is_triggers};
use crate::registers::TABLE_INDEX;

impl Profiler {
    /// Reads the register at a byte offset.
    pub fn read(&mut self, offset: u32) -> u32 {
        if let Some(triggers) = self.triggers.filter(|_| self.is_triggers(offset)) {
            return triggers.read(offset & !3);
        }
        if let Some(drain) = self.drain.as_mut().filter(|_| is_drains(offset)) {
            let sight = drain.sight();
            return drain.read(offset & !3, &sight);
        }
        let sight = Sight {
            counters: &self.counters,
            table: &self.table,
            clearing: self.clearing,
        };
        self.registers.read(offset, sight)
    }

    /// Writes the register at a byte offset.
    pub fn write(&mut self, offset: u32, value: u32) {
        self.write_lanes(offset, value, ALL_LANES);
    }

    /// Writes the byte lanes set in `lanes` (bit 0 for bits 7 to 0) of the register at a byte offset.
    pub fn write_lanes(&mut self, offset: u32, value: u32, lanes: u8) {
        let is_triggers = self.is_triggers(offset);
        if let Some(triggers) = self.triggers.as_mut().filter(|_| is_triggers) {
            triggers.write(offset & !3, value, lane_mask(lanes));
            return;
        }
        if let Some(drain) = self.drain.as_mut().filter(|_| is_drains(offset)) {
            let level = drain.entries().len();
            drain.write(offset & !3, value, lane_mask(lanes), level, level > 0);
            return;
        }
        let emptied_by_index = self.clearing && !self.geometry.latches_entries();
        if emptied_by_index && offset & !3 == TABLE_INDEX.offset {
            return;
        }
        let commands = self.registers.write(offset, value, lanes, &self.table);
        if commands.clear {
            self.table.clear();
        }
        if commands.purge {
            self.harts.iter_mut().for_each(|hart| hart.queue.purge());
        }
        if commands.clear_counters {
            self.counters.clear();
            self.drain.iter_mut().for_each(Drain::clear_counters);
            (self.triggers.iter_mut()).for_each(Triggers::clear_counters);
        }
        self.apply_controls();
    }

    const fn is_triggers(&self, offset: u32) -> bool {
        is_triggers(offset, &self.geometry)
    }

    pub(super) fn apply_controls(&mut self) {
        self.table
            .set_frozen(self.registers.frozen() || self.clearing);
        for Hart { queue, stack } in &mut self.harts {
            queue.set_enabled(self.registers.enabled());
            queue.set_lossy(self.registers.lossy());
            stack.set_filter(self.registers.filter());
            if stack.ppcr() != self.registers.ppcr() {
                stack.set_ppcr(*self.registers.ppcr());
            }
        }
    }

    /// Says that a circuit's walk over the table, which takes this model no time, is under way: meanwhile paths are not
    /// looked up and `STATUS.CLEARING` is 1.
    pub fn set_clearing(&mut self, clearing: bool) {
        self.clearing = clearing;
        self.apply_controls();
    }
}
