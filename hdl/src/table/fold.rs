//! The XOR of all slices of a word: what the set index is made of.

use rust_hdl::prelude::*;

use super::layout::ones;
use crate::circuit::circuit;

/// XOR of all slices of a word, without a register.
///
/// ```text
///   word: | ... | slice 2 | slice 1 | slice 0 |
///                    |         |         |
///                   [XOR]<----[XOR]<-----+      the highest slice is filled up with zeros
///                    +---> folded
/// ```
#[circuit(combinational, width: u32, slice_bits: u32)]
pub struct Fold {
    /// The word.
    #[bits(width)]
    pub word: Signal<In, Bits<64>>,
    /// The XOR of its slices.
    #[bits(slice_bits)]
    pub folded: Signal<Out, Bits<16>>,
    #[bits(slice_bits)]
    sum: Signal<Local, Bits<64>>,
    #[each(i in width.div_ceil(slice_bits))]
    #[number(i * slice_bits)]
    lsb: Vec<Constant<Bits<8>>>,
    #[number(ones(slice_bits))]
    slice: Constant<Bits<64>>,
    #[value(width.div_ceil(slice_bits) as usize)]
    _slices: usize,
}

impl Logic for Fold {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = 0.into();
        for i in 0..self._slices {
            self.sum.next =
                self.sum.val() ^ ((self.word.val() >> self.lsb[i].val()) & self.slice.val());
        }
        self.folded.next = bit_cast::<16, 64>(self.sum.val());
    }
}
