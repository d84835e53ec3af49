//! The set a path belongs to.

use hpp_golden::config::{Geometry, IndexScheme};
use rust_hdl::prelude::*;

use super::fold::Fold;
use crate::circuit::circuit;

/// Set of the hot path table a path belongs to: `fold(start) ^ fold(outcomes) ^ fold(length)`, or `fold(start)` alone; without
/// a register.
#[circuit(
    combinational,
    geometry: &Geometry,
    let start_bits = geometry.pc_bits - geometry.align,
    let set_bits = geometry.set_bits()
)]
pub struct SetIndex {
    /// Start address without its constant low bits.
    #[bits(start_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length.
    #[bits(geometry.length_bits())]
    pub length: Signal<In, Bits<7>>,
    /// Set number.
    #[bits(set_bits)]
    pub set: Signal<Out, Bits<16>>,
    #[new(start_bits, set_bits)]
    start_fold: Fold,
    #[new(geometry.max_branches, set_bits)]
    outcomes_fold: Fold,
    #[new(geometry.length_bits(), set_bits)]
    length_fold: Fold,
    #[number(geometry.index_scheme == IndexScheme::Full)]
    full: Constant<Bit>,
}

impl Logic for SetIndex {
    #[hdl_gen]
    fn update(&mut self) {
        self.start_fold.word.next = self.start.val();
        self.outcomes_fold.word.next = self.outcomes.val();
        self.length_fold.word.next = bit_cast::<64, 7>(self.length.val());
        self.set.next = self.start_fold.folded.val();
        if self.full.val() {
            self.set.next = self.start_fold.folded.val()
                ^ self.outcomes_fold.folded.val()
                ^ self.length_fold.folded.val();
        }
    }
}
