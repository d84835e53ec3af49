//! Entries evicted from the table of a profiler with a drain.

use crate::registers::{
    drain_command, drain_control, drain_count, drain_length, drain_outcomes_hi, drain_outcomes_lo,
    drain_start_hi, drain_start_lo, geometry3,
};
use crate::{Access, Driver, Error};

/// An evicted entry. A path may be evicted more than once: its count is the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Address of the path's first instruction, with the context in the bits above.
    pub start: u64,
    /// Outcomes of the branches, the first in bit 0.
    pub outcomes: u64,
    /// Number of branches.
    pub length: u32,
    /// Value of the accumulator, or the sum over all evicted entries of the path.
    pub count: u64,
}

impl<A: Access> Driver<A> {
    /// Whether the profiler has a drain for evicted entries.
    #[must_use]
    pub fn drains(&self) -> bool {
        geometry3::LOG2_DRAIN_DEPTH.get(self.geometry[3]) != 0
    }

    /// Sets how the drain handles evicted entries.
    ///
    /// - `hold`: `true` stalls the core before the drain is full, `false` loses entries and counts them. With `true`, another core must take
    ///   the entries: a stalled core cannot.
    /// - `ports`: `true` sends entries out through the drain's ports, `false` leaves them to [`drain`](Self::drain).
    /// - `watermark`: fill level from which the interrupt is raised. 0: never.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], if there is no drain, or the watermark is above its depth.
    pub fn set_drain(&mut self, hold: bool, ports: bool, watermark: u32) -> Result<(), Error> {
        let word = drain_control::HOLD.put(hold.into())
            | drain_control::STREAM.put(ports.into())
            | drain_control::WATERMARK.put(watermark);
        let depth = 1 << geometry3::LOG2_DRAIN_DEPTH.get(self.geometry[3]);
        if !self.drains() || watermark > depth {
            return Err(Error::Refused);
        }
        self.access.write(drain_control::OFFSET, word);
        match self.access.read(drain_control::OFFSET) == word {
            true => Ok(()),
            false => Err(Error::Refused),
        }
    }

    /// Passes the entries of the drain to `each`, the oldest first. Removes an entry if `each` returns true, and stops otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], if there is no drain, or entries leave through its ports.
    pub fn drain(&mut self, mut each: impl FnMut(Left) -> bool) -> Result<(), Error> {
        let control = match self.drains() {
            true => self.access.read(drain_control::OFFSET),
            false => return Err(Error::Refused),
        };
        if drain_control::STREAM.get(control) != 0 {
            return Err(Error::Refused);
        }
        loop {
            let count = self.access.read(drain_count::OFFSET);
            if count == 0 {
                return Ok(());
            }
            let mut wide = |[low, high]: [u32; 2]| {
                u64::from(self.access.read(low)) | u64::from(self.access.read(high)) << 32
            };
            let left = Left {
                start: wide([drain_start_lo::OFFSET, drain_start_hi::OFFSET]),
                outcomes: wide([drain_outcomes_lo::OFFSET, drain_outcomes_hi::OFFSET]),
                length: self.access.read(drain_length::OFFSET),
                count: count.into(),
            };
            if !each(left) {
                return Ok(());
            }
            self.access
                .write(drain_command::OFFSET, drain_command::TAKE.mask());
            // A bus may post writes. The read waits until the write is done.
            self.access.read(drain_control::OFFSET);
        }
    }
}
