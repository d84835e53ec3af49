//! The values a signal can have: truth values and numbers, with a width chosen at run time.

use rust_hdl::prelude::{Bit, Bits, Synth, bit_cast};

/// A value a signal can have.
pub trait Value: Synth {
    /// The value with the low bits of `word`.
    fn from_word(word: u64) -> Self;
    /// Its low 64 bits.
    fn word(self) -> u64;
    /// Its low `width` bits.
    #[must_use]
    fn low(self, width: u32) -> Self;
    /// Its low `width` bits, inverted.
    #[must_use]
    fn inverted(self, width: u32) -> Self;
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

    fn inverted(self, _width: u32) -> Self {
        !self
    }
}

impl<const N: usize> Value for Bits<N> {
    fn from_word(word: u64) -> Self {
        // Through 64 bits, because the conversion refuses words that do not fit.
        bit_cast::<N, 64>(Bits::<64>::from(word))
    }

    fn word(self) -> u64 {
        bit_cast::<64, N>(self).to_u64()
    }

    fn low(self, width: u32) -> Self {
        // A difference below zero leaves ones above the type's bits.
        match width.min(N as u32) {
            width @ 0..64 => self & bit_cast::<N, 64>(Bits::from((1_u64 << width) - 1)),
            width => {
                let spare = (N as u32 - width) as u64;
                (self << spare) >> spare
            }
        }
    }

    fn inverted(self, width: u32) -> Self {
        (!self).low(width)
    }
}
