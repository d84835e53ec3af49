//! How an accumulator compares with another.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::number;

/// Compares two accumulators, without a register. One carry chain for each answer.
///
/// ```text
///   other . 0 < value . 0 ? ---> greater
///   other . 0 < value . 1 ? ---> not_less
/// ```
///
/// Which of two equal entries is replaced first depends on their ways, and the value's way is not known before its accumulator is: so both
/// answers are kept, and the way chooses between them later. Both chains subtract the value, so that devices that cannot
/// complement in the chain need one complement of it for all comparators.
#[derive(LogicBlock)]
pub struct Comparator {
    /// The accumulator asked about.
    pub value: Signal<In, Bits<32>>,
    /// The accumulator it is compared with.
    pub other: Signal<In, Bits<32>>,
    /// The value is greater.
    pub greater: Signal<Out, Bit>,
    /// The value is greater, or they are equal.
    pub not_less: Signal<Out, Bit>,
    left: Signal<Local, Bits<33>>,
    right: Signal<Local, Bits<33>>,
    one: Constant<Bits<8>>,
    lsb: Constant<Bits<33>>,
}

impl Comparator {
    /// Compares accumulators of `width` bits.
    #[must_use]
    pub fn new(width: u32) -> Self {
        Self {
            value: sized(width),
            other: sized(width),
            greater: Signal::default(),
            not_less: Signal::default(),
            left: sized(width + 1),
            right: sized(width + 1),
            one: number(1),
            lsb: number(1),
        }
    }
}

impl Logic for Comparator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("comparator: how an accumulator compares with another.");
        self.greater.next = self.other.val() < self.value.val();
        // other <= value, as a subtraction of the value.
        self.left.next = bit_cast::<33, 32>(self.other.val()) << self.one.val();
        self.right.next = (bit_cast::<33, 32>(self.value.val()) << self.one.val()) | self.lsb.val();
        self.not_less.next = self.left.val() < self.right.val();
    }
}
