//! The set index of a path.
//!
//! ```text
//!   word: | ... | slice 2 | slice 1 | slice 0 |
//!                    |         |         |
//!                   [XOR]<----[XOR]<-----+      the highest slice is filled up with zeros
//!                    +---> folded
//! ```

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::ones;
use crate::circuit::{circuit, kernel};

/// Set of a path: `fold(start) ^ fold(outcomes) ^ fold(length)`; combinational.
#[circuit(
    combinational,
    geometry: &Geometry,
    let start_bits = geometry.start_bits() - geometry.align,
    let set_bits = geometry.set_bits(),
    let slices = start_bits.max(geometry.max_branches).div_ceil(set_bits),
    const slice_mask: Bits<64> = ones(set_bits),
    const _start_slices: usize = start_bits.div_ceil(set_bits) as usize,
    const _slice_shifts: Vec<u32> = (0..slices).map(|slice| slice * set_bits).collect()
)]
pub struct SetIndex {
    /// Start of the path, without constant low bits.
    pub start: Signal<In, Bits<64, start_bits>>,
    /// Outcomes of the path, first branch in bit 0.
    pub outcomes: Signal<In, Bits<64, { geometry.max_branches }>>,
    /// Length of the path in branches.
    pub length: Signal<In, Bits<7, { geometry.length_bits() }>>,
    /// Set of the path.
    pub set: Signal<Out, Bits<16, set_bits>>,
    folded_start: Signal<Local, Bits<64, set_bits>>,
    folded: Signal<Local, Bits<64, set_bits>>,
}

#[kernel]
impl SetIndex {
    /// The fold of all fields.
    fn set(&mut self) {
        let long_length = bit_cast::<64, 7>(self.length);
        self.folded_start.next = 0.into();
        for i in 0..self._start_slices {
            self.folded_start.next =
                self.folded_start ^ ((self.start >> self._slice_shifts[i]) & self.slice_mask);
        }
        self.folded.next = self.folded_start;
        for i in 0..self._slice_shifts.len() {
            self.folded.next = self.folded
                ^ ((self.outcomes >> self._slice_shifts[i]) & self.slice_mask)
                ^ ((long_length >> self._slice_shifts[i]) & self.slice_mask);
        }
        self.set.next = bit_cast::<16, 64>(self.folded);
    }
}
