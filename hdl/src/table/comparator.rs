//! Whether one entry of a set comes after another in the order of replacement.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::number;

/// `above`: the value's accumulator is greater, or they are equal and its way is the higher one. One carry chain, without
/// a register.
///
/// ```text
///   value . way  >=  other . other way  ---> above
/// ```
///
/// Two entries of a set are never in one way, so *greater or equal* says the same as *greater*, and it is the other entry, not
/// the late value, that synthesis complements.
#[derive(LogicBlock)]
pub struct Comparator {
    /// The accumulator asked about.
    pub value: Signal<In, Bits<32>>,
    /// Number of its way.
    pub way: Signal<In, Bits<5>>,
    /// The accumulator it is compared with.
    pub other: Signal<In, Bits<32>>,
    /// Number of that one's way.
    pub other_way: Signal<In, Bits<5>>,
    /// The answer.
    pub above: Signal<Out, Bit>,
    left: Signal<Local, Bits<37>>,
    right: Signal<Local, Bits<37>>,
    way_bits: Constant<Bits<8>>,
}

impl Comparator {
    /// Compares accumulators of `width` bits in ways whose numbers have `way_bits` bits.
    #[must_use]
    pub fn new(width: u32, way_bits: u32) -> Self {
        Self {
            value: sized(width),
            way: sized(way_bits),
            other: sized(width),
            other_way: sized(way_bits),
            above: Signal::default(),
            left: sized(width + way_bits),
            right: sized(width + way_bits),
            way_bits: number(way_bits),
        }
    }
}

impl Logic for Comparator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "comparator: whether an entry is kept longer than another: greater, or equal in a higher way."
        );
        self.left.next = (bit_cast::<37, 32>(self.value.val()) << self.way_bits.val())
            | bit_cast::<37, 5>(self.way.val());
        self.right.next = (bit_cast::<37, 32>(self.other.val()) << self.way_bits.val())
            | bit_cast::<37, 5>(self.other_way.val());
        self.above.next = self.left.val() >= self.right.val();
    }
}
