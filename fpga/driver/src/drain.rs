//! Entries evicted from the table of a profiler with a drain.

use crate::registers::{
    drain_command, drain_control, drain_count, drain_length, drain_outcomes_hi, drain_outcomes_lo,
    drain_start_hi, drain_start_lo, geometry3,
};
use crate::{Access, Driver, Error};

/// An evicted entry. A path may be evicted more than once: its count is the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Address of the path's first instruction, and above it its context if there are contexts.
    pub start: u64,
    /// Outcomes of its branches, the first in bit 0.
    pub outcomes: u64,
    /// Branches recorded along it.
    pub length: u32,
    /// What its accumulator held; or the sum, where entries of one path are added up.
    pub count: u64,
}

impl<A: Access> Driver<A> {
    /// Whether evicted entries go into a drain.
    #[must_use]
    pub fn drains(&self) -> bool {
        geometry3::LOG2_DRAIN_DEPTH.get(self.geometry[3]) != 0
    }

    /// What happens to evicted entries.
    ///
    /// - `hold`: a drain that is nearly full holds the core; otherwise entries are lost and counted. The core that is held must not be the
    ///   one that takes the entries.
    /// - `ports`: entries leave through the drain's ports; otherwise by [`drain`](Self::drain).
    /// - `watermark`: the interrupt is raised while so many entries or more wait; 0 for never.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], if there is no drain, or it has fewer entries than the watermark.
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

    /// Hands the entries that wait in the drain to `each`, the oldest first. An entry is removed if `each` returns true.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], if there is no drain, or entries leave through its ports: they are taken there alone.
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
            // A bus may finish the write while the core goes on.
            self.access.read(drain_control::OFFSET);
        }
    }
}
