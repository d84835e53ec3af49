//! The table's source of chance: a linear-feedback shift register.

/// Bits of the register.
pub const BITS: u32 = u32::BITS;

/// The feedback: the bits whose XOR is the next one, bit *i* - 1 for tap *i*.
pub const TAPS: [u32; 4] = [31, 21, 1, 0];

/// A Fibonacci register of [`BITS`] bits that runs through all states but 0. The newest bit is the lowest.
///
/// Source: the taps 32, 22, 2, 1 of Xilinx's application note XAPP 052.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lfsr(u32);

impl Lfsr {
    /// A register that begins at `seed`; 0, from which nothing leads away, is taken as 1.
    pub(super) const fn new(seed: u32) -> Self {
        Self(match seed {
            0 => 1,
            seed => seed,
        })
    }

    #[inline]
    pub(super) fn step(&mut self) {
        let next = TAPS.iter().fold(0, |sum, tap| sum ^ self.0 >> tap);
        self.0 = self.0 << 1 | next & 1;
    }

    #[inline]
    pub(super) const fn last(self) -> u32 {
        self.0 & 1
    }

    /// Whether the register has a 0 wherever `count` has a 1. The lowest bit of `count` is compared with the oldest of the register, the next with
    /// the next. With n ones that is so in one of 2^n states.
    #[inline]
    pub(super) const fn lets(self, count: u8) -> bool {
        self.0.reverse_bits() & count as u32 == 0
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
            assert_ne!(lfsr.0, 0);
        }
    }

    #[test]
    fn chances_are_what_they_say() {
        let mut lfsr = Lfsr::new(7);
        let mut found = [0; 2];
        for _ in 0..1 << 20 {
            lfsr.step();
            found[0] += u32::from(lfsr.lets(0b100_1011));
            found[1] += u32::from(lfsr.lets(0b1111));
        }
        for found in found {
            assert!(found.abs_diff(1 << 16) < 1 << 11, "{found}");
        }
    }
}
