//! The software's side of the reference: writes at the moment they take effect, reads against what they may show.

use super::super::bus::Transfer;
use super::{EntryWatch, Reference};
use hpp_golden::profiler::register_file::Sight;
use hpp_golden::registers::{self, Counter, errors, status};

impl Reference {
    /// Writes that take effect in this cycle and reads acknowledged in it, in their order.
    pub(super) fn bus(&mut self, cycle: u64) -> Result<(), String> {
        while let Some(transfer) = self.transfers.front().copied() {
            let moment = match transfer.request.write {
                Some(_) => transfer.ack.saturating_add_signed(self.timing.write),
                None => transfer.ack,
            };
            if moment > cycle {
                break;
            }
            self.transfers.pop_front();
            match transfer.request.write {
                Some(value) => self.write(&transfer, value, cycle),
                None => self.check_read(&transfer, cycle)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, transfer: &Transfer, value: u32, cycle: u64) {
        let offset = transfer.request.address * 4;
        let select = transfer.request.select;
        let commands = self.registers.write(offset, value, select, &self.table);
        if commands.clear {
            // A second command starts the walk again; the first one's was under way until now.
            let (from, to) = self.clearing;
            let from = if (from..to).contains(&cycle) {
                from
            } else {
                cycle
            };
            // Paths that came in before are looked up first.
            let lookups = self.lookups.as_ref();
            let walk = lookups.map_or(cycle, |lookups| lookups.free_from(cycle));
            self.clearing = (from, walk + u64::from(self.geometry.clear_cycles()));
        }
        if commands.purge {
            self.queue.purge();
        }
        if commands.clear_counters {
            self.tally.clear(cycle);
        }
        if offset == registers::TABLE_INDEX.offset && select != 0 {
            self.watch_index();
        }
        if offset == registers::ERRORS.offset {
            self.sticky.clear(value & lane_mask(select), cycle);
        }
        if self.registers.errors() != 0 {
            // The only error the register file finds by itself; the reference keeps all of them.
            self.raise(errors::ILLEGAL_ROW);
            self.registers
                .write(registers::ERRORS.offset, u32::MAX, 0xf, &self.table);
        }
        self.apply_control();
    }

    /// What the control registers say reaches the parts.
    pub(super) fn apply_control(&mut self) {
        self.queue.set_enabled(self.registers.enabled());
        self.queue.set_lossy(self.registers.lossy());
        if self.stack.ppcr() != self.registers.ppcr() {
            self.stack.set_ppcr(*self.registers.ppcr());
        }
    }

    /// Watches the entry the index register now points to.
    fn watch_index(&mut self) {
        let number = self.register(registers::TABLE_INDEX.offset) as usize;
        self.watch = EntryWatch::new(number, self.table.words(number).collect());
    }

    /// What the register file of the model reads.
    fn register(&mut self, offset: u32) -> u32 {
        let sight = Sight {
            counters: &self.no_counters,
            table: &self.table,
            clearing: false,
        };
        self.registers.read(offset, sight)
    }

    fn check_read(&mut self, transfer: &Transfer, cycle: u64) -> Result<(), String> {
        let offset = transfer.request.address * 4;
        let data = transfer.data;
        let expected = self.register(offset);
        let place = |what: String| format!("read of {offset:#04x} in cycle {cycle}: {what}");
        if offset == registers::TABLE_DATA.offset {
            if self.watch.read(data).map_err(place)? {
                self.watch_index();
            }
            Ok(())
        } else if offset == registers::STATUS.offset {
            self.check_status(data, cycle).map_err(place)
        } else if offset == registers::ERRORS.offset {
            let allowed = self.sticky.allows(data, cycle);
            allowed
                .then_some(())
                .ok_or_else(|| place(format!("{data:#x}, but {:x?}", self.sticky)))
        } else if offset >= registers::COUNTERS_OFFSET {
            self.check_counter(offset - registers::COUNTERS_OFFSET, data)
                .map_err(place)
        } else if data != expected {
            Err(place(format!("{data:#x}, the model reads {expected:#x}")))
        } else {
            Ok(())
        }
    }

    /// `clearing` near its edges and `entry_valid` depend on when the circuits look.
    fn check_status(&self, data: u32, cycle: u64) -> Result<(), String> {
        let known = status::CLEARING.mask() | status::ENTRY_VALID.mask();
        let (from, to) = self.clearing;
        let near = |edge: u64| cycle.abs_diff(edge) <= self.timing.settle;
        let clearing = u32::from((from..to).contains(&cycle));
        if data & !known != 0 {
            return Err(format!("{data:#x} has bits that belong to no field"));
        }
        if !near(from) && !near(to) && status::CLEARING.get(data) != clearing {
            return Err(format!("{data:#x}, but clearing is {clearing}"));
        }
        Ok(())
    }

    fn check_counter(&self, offset: u32, data: u32) -> Result<(), String> {
        let counter = Counter::ALL[(offset / 8) as usize];
        let (low, high) = self.tally.bounds(counter);
        let shift = if offset & 4 == 0 { 0 } else { u32::BITS };
        let (low, high) = (low >> shift & 0xffff_ffff, high >> shift & 0xffff_ffff);
        if u64::from(data) < low || u64::from(data) > high {
            return Err(format!(
                "{counter:?} reads {data}, the model counted {low} to {high}"
            ));
        }
        Ok(())
    }
}

/// The bits of the byte lanes.
fn lane_mask(lanes: u8) -> u32 {
    (0..4)
        .filter(|lane| lanes >> lane & 1 == 1)
        .fold(0, |mask, lane| mask | 0xff << (8 * lane))
}
