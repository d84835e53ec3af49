//! The set a path belongs to.

use hpp_golden::config::{Geometry, IndexScheme};
use rust_hdl::prelude::*;

use super::fold::Fold;
use crate::annotate::{comment, sized};

/// The set index: `fold(start) ^ fold(outcomes) ^ fold(length)`, or `fold(start)` alone; without a register.
#[derive(LogicBlock)]
pub struct SetIndex {
    /// Start address without its constant low bits.
    pub start: Signal<In, Bits<64>>,
    /// Outcomes.
    pub outcomes: Signal<In, Bits<64>>,
    /// Length.
    pub length: Signal<In, Bits<7>>,
    /// Set number.
    pub set: Signal<Out, Bits<16>>,
    start_fold: Fold,
    outcomes_fold: Fold,
    length_fold: Fold,
    full: Constant<Bit>,
}

impl SetIndex {
    /// The index of a table of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let start_bits = geometry.pc_bits - geometry.align;
        let set_bits = geometry.set_bits();
        Self {
            start: sized(start_bits),
            outcomes: sized(geometry.max_branches),
            length: sized(geometry.length_bits()),
            set: sized(set_bits),
            start_fold: Fold::new(start_bits, set_bits),
            outcomes_fold: Fold::new(geometry.max_branches, set_bits),
            length_fold: Fold::new(geometry.length_bits(), set_bits),
            full: Constant::new(geometry.index_scheme == IndexScheme::Full),
        }
    }
}

impl Logic for SetIndex {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("set_index: the set of the hot path table a path belongs to.");
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
