//! How long lookups and accesses take.

use super::table::shadow::LARGEST_SCALE;
use crate::config::{Geometry, Replacement};

impl Geometry {
    /// Most cycles from the one in which the bus accepts an access to the one in which it is acknowledged, whatever retires: a
    /// counter's word waits for a scan of sixteen, an entry for the end of a lookup one way after another.
    #[must_use]
    pub const fn longest_access(&self) -> u32 {
        if self.is_tiny() {
            return self.tiny_access();
        }
        // Under LFU a readout also lets a path pass that comes in the next cycle.
        match self.longest_lookup() + 5 + self.repeats_paths() as u32 {
            longest if longest > 17 => longest,
            _ => 17,
        }
    }

    /// Most cycles of the lookup of a path that others wait for; 0 if none does.
    #[must_use]
    pub const fn longest_lookup(&self) -> u32 {
        match self.replacement {
            Replacement::Lfu if !self.buffers_paths() => 0,
            Replacement::Lfu => self.ways + 3,
            Replacement::Rrip => 2 * self.ways + 6,
            Replacement::Shadow => {
                let shifts = match self.accumulator_bits > LARGEST_SCALE {
                    true => self.accumulator_bits,
                    false => LARGEST_SCALE,
                };
                2 * self.ways + 21 + shifts
            }
        }
    }
}
