//! The software side of the reference: writes take effect in their cycle, and read data is compared.

use super::super::pins::Access;
use super::view::{Around, View, keep, unite};
use super::{Reference, Timing};
use hpp_golden::profiler::drain::is_drains;
use hpp_golden::profiler::register_file::{Commands, lane_mask};
use hpp_golden::profiler::triggers::is_triggers;
use hpp_golden::registers::{self, Counter, at, status};

impl Reference {
    /// Processes the accesses that ended in this cycle, in order.
    pub(super) fn bus(&mut self, cycle: u64) -> Result<(), String> {
        while let Some(access) = self.accesses.pop_front_if(|access| access.ack <= cycle) {
            let offset = access.request.address * 4;
            let place = |what| format!("access of {offset:#04x} in cycle {cycle}: {what}");
            let is_triggers = is_triggers(offset, &self.geometry);
            if let Some(triggers) = self.triggers.as_mut().filter(|_| is_triggers) {
                triggers.access(&access).map_err(place)?;
                continue;
            }
            if let Some(drain) = self.drain.as_mut().filter(|_| is_drains(offset)) {
                drain.access(&access, cycle).map_err(place)?;
                continue;
            }
            match access.request.write {
                Some(value) => self.write(&access, value, cycle),
                None => self.read(&access, cycle)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, access: &Access, value: u32, cycle: u64) {
        let offset = access.request.address * 4;
        let select = access.request.select;
        let fetches = offset == at::TABLE_INDEX && select != 0;
        let before = (!access.certain).then(|| self.views.clone());
        let mut commands = Commands::default();
        let around = Around {
            counters: &self.no_counters,
            table: &self.table,
            shown: &self.shown,
            cycle,
        };
        for view in &mut self.views {
            commands = view.registers.write(offset, value, select, around.table);
            if fetches {
                view.fetch(around);
            }
        }
        unite(&mut self.views, before.unwrap_or_default());
        self.command(commands, cycle);
        if offset == at::ERRORS {
            self.sticky.clear(value & lane_mask(select), cycle);
        }
        self.gather_errors(cycle);
        self.apply_control();
    }

    fn command(&mut self, commands: Commands, cycle: u64) {
        if commands.clear {
            // A second command restarts the walk. The first one was in progress until now.
            let (from, to) = self.clearing;
            let from = if (from..to).contains(&cycle) {
                from
            } else {
                cycle
            };
            // Paths that arrived earlier are looked up first.
            let lookups = self.lookups.as_ref();
            let walk = lookups.map_or(cycle, |lookups| lookups.free_from(cycle));
            self.clearing = (from, walk + u64::from(self.geometry.clear_cycles()));
            // The first cell is cleared then.
            self.restart_scale(walk + 4);
        }
        if commands.purge {
            self.queue.purge();
        }
        if commands.clear_counters {
            self.tally.clear(cycle);
            if let Some(drain) = &mut self.drain {
                drain.clear_counters();
            }
            if let Some(triggers) = &mut self.triggers {
                triggers.clear_counters();
            }
        }
    }

    /// Collects the errors that the register file detects. The reference keeps all errors.
    fn gather_errors(&mut self, cycle: u64) {
        if self.registers().errors() == 0 {
            return;
        }
        self.sticky.raise(self.registers().errors(), cycle);
        for view in &mut self.views {
            view.registers.write(at::ERRORS, u32::MAX, 0xf, &self.table);
        }
    }

    /// Distributes the values of the control registers.
    pub(super) fn apply_control(&mut self) {
        let registers = &self.views[0].registers;
        self.queue.set_enabled(registers.enabled());
        self.queue.set_lossy(registers.lossy());
        self.stack.set_filter(registers.filter());
        if self.stack.ppcr() != registers.ppcr() {
            self.stack.set_ppcr(*registers.ppcr());
        }
    }

    /// A read that took effect in the previous cycle.
    fn read(&mut self, access: &Access, cycle: u64) -> Result<(), String> {
        let offset = access.request.address * 4;
        let place = |what: String| format!("read of {offset:#04x} in cycle {cycle}: {what}");
        if offset == at::TABLE_DATA {
            return self.read_entry(access, cycle).map_err(place);
        }
        if offset >= registers::COUNTERS_OFFSET {
            let (counter, high) = counter(offset);
            return self.tally.read(counter, high, access.data).map_err(place);
        }
        let Some(data) = access.data else {
            return Ok(());
        };
        if offset == at::REPAIRS {
            return self.tally.read_repairs(data).map_err(place);
        }
        if offset == at::STATUS {
            self.check_status(data, cycle).map_err(place)
        } else if offset == at::SHADOW && !self.scales.is_empty() {
            self.check_shadow(data, cycle).map_err(place)
        } else if offset == at::ERRORS {
            let allowed = self.sticky.allows(data, cycle);
            let unlike = || place(format!("{data:#x}, but {:x?}", self.sticky));
            allowed.then_some(()).ok_or_else(unlike)
        } else {
            self.check_plain(offset, data, cycle).map_err(place)
        }
    }

    fn read_entry(&mut self, access: &Access, cycle: u64) -> Result<(), String> {
        let before = (!access.certain).then(|| self.views.clone());
        let around = Around {
            counters: &self.no_counters,
            table: &self.table,
            shown: &self.shown,
            cycle,
        };
        keep(&mut self.views, |view| view.read_word(access.data, around))?;
        unite(&mut self.views, before.unwrap_or_default());
        Ok(())
    }

    /// A register that reads as in the model.
    fn check_plain(&mut self, offset: u32, data: u32, cycle: u64) -> Result<(), String> {
        let around = Around {
            counters: &self.no_counters,
            table: &self.table,
            shown: &self.shown,
            cycle,
        };
        keep(&mut self.views, |view| {
            let expected = view.read(offset, around);
            (data == expected)
                .then_some(())
                .ok_or_else(|| format!("{data:#x}, the model reads {expected:#x}"))
        })
    }

    /// `SHADOW` in the previous cycle, in which the read took effect.
    fn check_shadow(&mut self, data: u32, cycle: u64) -> Result<(), String> {
        let past = self.scales.iter().rev().find(|(from, _)| *from < cycle);
        let (_, expected) = *past.expect("the latest of the past is kept");
        (data == expected)
            .then_some(())
            .ok_or_else(|| format!("{data:#x}, the model has {expected:#x}"))
    }

    /// `STATUS` in the previous cycle, in which the read took effect.
    fn check_status(&mut self, data: u32, cycle: u64) -> Result<(), String> {
        let known = status::CLEARING.mask() | status::ENTRY_VALID.mask();
        let (from, to) = self.clearing;
        let clearing = u32::from((from + 1..=to).contains(&cycle));
        if data & !known != 0 {
            return Err(format!("{data:#x} has bits that belong to no field"));
        }
        if status::CLEARING.get(data) != clearing {
            return Err(format!("{data:#x}, but clearing is {clearing}"));
        }
        let timing = self.timing;
        let valid = status::ENTRY_VALID.get(data) == 1;
        keep(&mut self.views, |view| {
            let expected = entry_valid(view, &timing, cycle - 1);
            (expected.is_none_or(|expected| expected == valid))
                .then_some(())
                .ok_or_else(|| format!("{data:#x}, but entry_valid is {}", u32::from(!valid)))
        })
    }
}

/// `STATUS.ENTRY_VALID` in a cycle, if it is known.
fn entry_valid(view: &View, timing: &Timing, cycle: u64) -> Option<bool> {
    let Some(fetched) = view.fetched else {
        return Some(true);
    };
    let (least, most) = timing.fetch;
    if cycle < fetched + least {
        Some(false)
    } else if cycle >= fetched + most {
        Some(true)
    } else {
        None
    }
}

/// The counter at an offset, and whether the offset is that of its high word.
fn counter(offset: u32) -> (Counter, bool) {
    let place = offset - registers::COUNTERS_OFFSET;
    (Counter::ALL[(place / 8) as usize], place & 4 != 0)
}
