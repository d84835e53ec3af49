//! A cycle of the bench: what the core and the bus drive, and the comparison.

use super::{Bench, Disagreement};
use crate::ingress::Shown;
use crate::pins::{BusMaster, Device, Drive, Request};
use hpp_golden::branch::BranchRecord;
use hpp_golden::registers::{self, drain_control};

impl<D: Device> Bench<D> {
    /// Holds reset for some cycles. Accesses in progress are dropped.
    pub fn reset(&mut self, cycles: u32) -> Result<(), Disagreement> {
        self.reset_amid(cycles, None, None)
    }

    /// [`Bench::reset`] while a record is offered and a request is strobed, neither of which is accepted.
    pub fn reset_amid(
        &mut self,
        cycles: u32,
        record: Option<BranchRecord>,
        request: Option<Request>,
    ) -> Result<(), Disagreement> {
        let bus_cycle = request.is_some() || !self.master.is_idle();
        self.bus().reset();
        for _ in 0..cycles {
            let drive = Drive {
                reset: true,
                bus_cycle,
                request,
                ..self.offered(record.as_ref())
            };
            self.reference.next_cycle().drive = drive;
            self.clock()?;
        }
        if let Some(core) = &mut self.core {
            core.reset();
        }
        Ok(())
    }

    /// The inputs of a cycle in which the core offers a record, whether it is stalled or not.
    fn offered(&mut self, record: Option<&BranchRecord>) -> Drive {
        let Some(core) = &mut self.core else {
            return Drive {
                record: record.copied(),
                ..Drive::default()
            };
        };
        let mut drive = Drive {
            event_in: core.begin(),
            ..Drive::default()
        };
        core.show(record, &mut drive.shown);
        drive
    }

    /// One cycle with or without a record, and with the current bus access. Returns whether the record was accepted.
    pub fn cycle(&mut self, record: Option<&BranchRecord>) -> Result<bool, Disagreement> {
        let taken = self.cycle_of_many(record)?;
        self.catch_up()?;
        Ok(taken)
    }

    /// [`cycle`](Self::cycle) in a series, after which the reference [catches up](Self::catch_up).
    pub(super) fn cycle_of_many(
        &mut self,
        record: Option<&BranchRecord>,
    ) -> Result<bool, Disagreement> {
        let Some(core) = &mut self.core else {
            self.reference.next_cycle().drive.record = record.copied();
            self.run(record.is_some())?;
            return Ok(self.reference.last_seen().ready);
        };
        let (event_in, prompt) = (core.begin(), core.is_prompt());
        let held = self.core_holds(prompt);
        let drive = &mut self.reference.next_cycle().drive;
        drive.event_in = event_in;
        drive.shown = Shown::Nothing;
        let core = self.core.as_mut().filter(|_| !held);
        let taken = core.is_some_and(|core| core.show(record, &mut drive.shown));
        self.run(record.is_some())?;
        Ok(taken)
    }

    /// One cycle in which the core outputs `shown`, unless it is stalled, and with the current bus access. The core
    /// sees a stall in the same cycle. Returns whether it was output. Only for an ingress other than the native one.
    pub fn show(&mut self, shown: impl Into<Shown>, event_in: u64) -> Result<bool, Disagreement> {
        let shown = shown.into();
        let held = self.core_holds(true);
        let shown = if held { Shown::Nothing } else { shown };
        let drive = &mut self.reference.next_cycle().drive;
        drive.shown = shown;
        drive.event_in = event_in;
        self.run(shown != Shown::Nothing)?;
        self.catch_up()?;
        Ok(!held)
    }

    /// Compares everything up to [`LAG`](crate::LAG) cycles ago.
    pub(super) fn catch_up(&mut self) -> Result<(), Disagreement> {
        let outcome = self.reference.catch_up();
        outcome.map_err(|what| self.disagreement(what))
    }

    /// Whether the core retires nothing in the next cycle. It obeys the stall of the last cycle or, if it is prompt, of
    /// the next.
    fn core_holds(&self, prompt: bool) -> bool {
        let late = !self.reference.last_seen().ready;
        let stalls = self.device.stalls().filter(|_| prompt);
        self.holds && stalls.unwrap_or(late)
    }

    /// One cycle with the inputs of the core and the current bus access. `offers` says whether the core has something
    /// to output.
    fn run(&mut self, offers: bool) -> Result<(), Disagreement> {
        let (bus_cycle, request) = self.master.drive();
        let drive = &mut self.reference.next_cycle().drive;
        drive.reset = false;
        drive.bus_cycle = bus_cycle;
        drive.request = request;
        if let Some(consumer) = &mut self.consumer {
            drive.drain_ready = consumer.ready();
        }
        if let Some(inputs) = &mut self.trigger_inputs {
            (drive.trigger_start, drive.trigger_stop) = inputs.draw();
        }
        self.clock()?;
        let seen = self.reference.last_seen();
        self.master.see(seen);
        let waits = offers && !seen.ready;
        if (self.consumer.as_mut()).is_some_and(|consumer| consumer.waited(waits)) {
            self.write(
                registers::DRAIN_CONTROL.offset,
                drain_control::STREAM.mask(),
            );
        }
        Ok(())
    }

    /// Clocks the device with the reference's inputs and compares the outputs.
    fn clock(&mut self) -> Result<(), Disagreement> {
        let past = self.reference.next_cycle();
        if let Err(what) = self.device.cycle_into(&past.drive, &mut past.seen) {
            return Err(self.disagreement(what));
        }
        self.cycles += 1;
        let outcome = if self.device.bus().is_some() {
            let access = self.device.finished();
            self.reference.observe(access)
        } else {
            self.reference.cycle()
        };
        outcome.map_err(|what| self.disagreement(what))
    }
}
