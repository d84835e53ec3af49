//! The types of signals: bits and bit vectors, with a run-time width.

use std::ops::Not;

use rust_hdl::prelude::{Bit, Bits, Synth, bit_cast};

/// The value of a signal.
pub trait Value: Synth + Not<Output = Self> {
    /// The value of the low bits of `word`.
    fn from_word(word: u64) -> Self;
    /// Its low 64 bits.
    fn word(self) -> u64;
    /// Its low `width` bits.
    #[must_use]
    fn low(self, width: u32) -> Self;
    /// Its low `width` bits, inverted.
    #[must_use]
    fn inverted(self, width: u32) -> Self {
        (!self).low(width)
    }
}

impl Value for Bit {
    fn from_word(word: u64) -> Self {
        word & 1 == 1
    }

    fn word(self) -> u64 {
        u64::from(self)
    }

    fn low(self, _width: u32) -> Self {
        self
    }
}

impl<const N: usize> Value for Bits<N> {
    fn from_word(word: u64) -> Self {
        // The conversion panics if a value does not fit, so it goes through 64 bits.
        bit_cast::<N, 64>(Bits::<64>::from(word))
    }

    fn word(self) -> u64 {
        bit_cast::<64, N>(self).to_u64()
    }

    fn low(self, width: u32) -> Self {
        // A subtraction that underflows sets bits above those of the type.
        match width.min(N as u32) {
            width @ 0..64 => self & bit_cast::<N, 64>(Bits::from((1_u64 << width) - 1)),
            width => {
                let spare = (N as u32 - width) as u64;
                (self << spare) >> spare
            }
        }
    }
}
