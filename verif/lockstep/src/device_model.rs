//! The golden model behind pins: a [`Device`] without delays, to test the test bench with.

use super::pins::{Device, Drive, Request, Seen};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Offer, Profiler, ProfilerError, ResetValues};

/// A profiler in which every record takes effect in its own cycle, and every access in the one after it was accepted;
/// paths and answers show in the next.
#[derive(Debug)]
pub struct ModelDevice {
    profiler: Profiler,
    shown: Seen,
    /// Accepted in the cycle before.
    accepted: Option<Request>,
    clearing: u32,
}

impl ModelDevice {
    /// A device just out of reset.
    ///
    /// # Errors
    ///
    /// If the geometry or a reset value is impossible.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        let mut device = Self {
            profiler: Profiler::new(geometry, reset)?,
            shown: Seen::default(),
            accepted: None,
            clearing: 0,
        };
        device.start_clearing(0);
        Ok(device)
    }

    /// The table takes no paths for as many cycles as it has sets, from `delay` cycles on.
    fn start_clearing(&mut self, delay: u32) {
        self.clearing = self.profiler.geometry().clear_cycles() + delay;
        self.profiler.set_clearing(true);
    }

    fn request(&mut self, request: Request) -> u32 {
        let offset = request.address * 4;
        let Some(value) = request.write else {
            return self.profiler.read(offset);
        };
        self.profiler.write_lanes(offset, value, request.select);
        let clear = offset == hpp_golden::registers::COMMAND.offset;
        if clear && request.select & 1 == 1 && value & 1 == 1 {
            self.start_clearing(1);
        }
        0
    }
}

impl Device for ModelDevice {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let ready = self.profiler.queue().ready();
        let event_select = self.profiler.registers().ppcr().event_select;
        let stall = self.accepted.is_some() || self.shown.stall;
        let seen = Seen {
            ready,
            event_select,
            stall,
            ack: self.shown.ack.filter(|_| drive.bus_cycle),
            ..self.shown
        };
        self.shown = Seen::default();
        if drive.reset {
            self.profiler.reset();
            self.start_clearing(0);
            self.accepted = None;
            return Ok(seen);
        }
        let taken = |record| self.profiler.offer(record) == Offer::Accepted;
        if drive.record.as_ref().is_some_and(taken) {
            self.shown.path = self.profiler.step();
        }
        if drive.record.is_none() {
            self.profiler.idle();
        }
        if let Some(request) = self.accepted.take().filter(|_| drive.bus_cycle) {
            self.shown.ack = Some(self.request(request));
            self.shown.stall = true;
        }
        self.accepted = drive.request.filter(|_| drive.bus_cycle && !stall);
        self.clearing = self.clearing.saturating_sub(1);
        if self.clearing == 0 {
            self.profiler.set_clearing(false);
        }
        Ok(seen)
    }
}
