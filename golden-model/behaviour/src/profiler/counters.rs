//! The statistics counters.

use crate::config::Geometry;
use crate::registers::Counter;

/// One counter for each [`Counter`], `counter_bits` wide; they wrap around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    values: [u64; Counter::COUNT],
    mask: u64,
    /// Repairs of a checked stack; 32 bits wide, whatever the others are.
    repairs: u32,
}

impl Counters {
    /// Counters of this geometry, all 0.
    pub const fn new(geometry: &Geometry) -> Self {
        Self::starting(geometry, 0)
    }

    /// Counters of this geometry, all at the low bits of `start`.
    pub const fn starting(geometry: &Geometry, start: u64) -> Self {
        let mask = Geometry::mask(geometry.counter_bits);
        Self {
            values: [start & mask; Counter::COUNT],
            mask,
            repairs: 0,
        }
    }

    /// The value of a counter.
    pub const fn get(&self, counter: Counter) -> u64 {
        self.values[counter as usize]
    }

    /// Every value, in the order of [`Counter::ALL`].
    pub const fn values(&self) -> [u64; Counter::COUNT] {
        self.values
    }

    /// Counts `n` times.
    #[inline]
    pub const fn add(&mut self, counter: Counter, n: u64) {
        let value = &mut self.values[counter as usize];
        *value = value.wrapping_add(n) & self.mask;
    }

    /// Repairs of the path stack.
    pub const fn repairs(&self) -> u32 {
        self.repairs
    }

    /// Counts `n` repairs of the path stack.
    pub const fn add_repairs(&mut self, n: u64) {
        self.repairs = self.repairs.wrapping_add(n as u32);
    }

    /// Sets every counter to 0.
    pub const fn clear(&mut self) {
        self.repairs = 0;
        self.values = [0; Counter::COUNT];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_at_their_width() {
        for (counter_bits, last) in [(32, u64::from(u32::MAX)), (64, u64::MAX)] {
            let mut counters = Counters::new(&Geometry {
                counter_bits,
                ..Geometry::default()
            });
            counters.add(Counter::Hits, last);
            assert_eq!(counters.get(Counter::Hits), last);
            counters.add(Counter::Hits, 2);
            assert_eq!(counters.get(Counter::Hits), 1);
            counters.clear();
            assert_eq!(counters.values(), [0; Counter::COUNT]);
        }
    }
}
