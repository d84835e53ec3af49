//! The table's source of chance: a linear-feedback shift register.

use crate::config::Geometry;

/// Bits of the register.
pub const BITS: u32 = 27;

/// A Galois register of [`BITS`] bits that runs through all states but 0.
///
/// Source: the taps 27, 5, 2, 1 of Xilinx's application note XAPP 052.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lfsr(u32);

/// The feedback: bit *i* - 1 for tap *i*.
pub const TAPS: u32 = 1 << 26 | 1 << 4 | 1 << 1 | 1;

impl Lfsr {
    /// A register that begins at the low bits of `seed`; 0, from which nothing leads away, is taken as 1.
    pub(super) const fn new(seed: u32) -> Self {
        match seed & Geometry::mask(BITS) as u32 {
            0 => Self(1),
            seed => Self(seed),
        }
    }

    pub(super) const fn state(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) const fn step(&mut self) {
        self.0 = self.0 >> 1 ^ (self.0 & 1).wrapping_neg() & TAPS;
    }

    /// Whether `bits` low bits are all 0: true in one of 2^`bits` states.
    #[inline]
    pub(super) const fn low(self, bits: u32) -> bool {
        self.0.trailing_zeros() >= bits
    }

    /// The same of the bits from 20 on, at most 7, of which [`low`](Self::low) looks at none while `bits` there is at most 20.
    #[inline]
    pub(super) const fn high(self, bits: u32) -> bool {
        (self.0 >> 20).trailing_zeros() >= bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_does_not_come_back_soon() {
        let mut lfsr = Lfsr::new(0);
        let began = lfsr;
        for _ in 0..1_000_000 {
            lfsr.step();
            assert_ne!(lfsr, began);
            assert_ne!(lfsr.state(), 0);
        }
    }

    #[test]
    fn chances_are_what_they_say() {
        let mut lfsr = Lfsr::new(7);
        let mut found = [0; 2];
        for _ in 0..1 << 20 {
            lfsr.step();
            found[0] += u32::from(lfsr.low(4));
            found[1] += u32::from(lfsr.high(4));
        }
        for found in found {
            assert!(found.abs_diff(1 << 16) < 1 << 11, "{found}");
        }
    }
}
