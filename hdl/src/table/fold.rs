//! The XOR of all slices of a word: what the set index is made of.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};

/// Folds a word of `width` bits into `slice` bits, without a register.
///
/// ```text
///   word: | ... | slice 2 | slice 1 | slice 0 |
///                    |         |         |
///                   [XOR]<----[XOR]<-----+      the highest slice is filled up with zeros
///                    +---> folded
/// ```
#[derive(LogicBlock)]
pub struct Fold {
    /// The word.
    pub word: Signal<In, Bits<64>>,
    /// The XOR of its slices.
    pub folded: Signal<Out, Bits<16>>,
    rest: Vec<Signal<Local, Bits<64>>>,
    sum: Vec<Signal<Local, Bits<64>>>,
    slice_bits: Constant<Bits<8>>,
    slice_mask: Constant<Bits<64>>,
    _slices: usize,
    _end: usize,
}

impl Fold {
    /// Folds `width` bits into `slice` bits.
    #[must_use]
    pub fn new(width: u32, slice: u32) -> Self {
        let slices = width.div_ceil(slice) as usize;
        Self {
            word: sized(width),
            folded: sized(slice),
            rest: (0..=slices).map(|_| sized(width)).collect(),
            sum: (0..=slices).map(|_| sized(slice)).collect(),
            slice_bits: number(slice),
            slice_mask: mask(slice),
            _slices: slices,
            _end: slices + 1,
        }
    }
}

impl Logic for Fold {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("fold: XOR of all slices of a word.");
        self.rest[0].next = self.word.val();
        for i in self._slices..self._end {
            self.sum[i].next = 0.into();
        }
        for i in 0..self._slices {
            self.sum[i].next = self.sum[i + 1].val() ^ (self.rest[i].val() & self.slice_mask.val());
            self.rest[i + 1].next = self.rest[i].val() >> self.slice_bits.val();
        }
        self.folded.next = bit_cast::<16, 64>(self.sum[0].val());
    }
}
