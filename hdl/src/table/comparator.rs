//! Whether one accumulator lies above another, or at least equals it.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};

/// `above` = `value` > `other`, or >= when `or_equal` is 1: one carry chain, without a register.
///
/// ```text
///   value . or_equal  >  other . 0  ---> above
/// ```
#[derive(LogicBlock)]
pub struct Comparator {
    /// The accumulator asked about.
    pub value: Signal<In, Bits<32>>,
    /// The accumulator it is compared with.
    pub other: Signal<In, Bits<32>>,
    /// Equality counts as above.
    pub or_equal: Signal<In, Bit>,
    /// The answer.
    pub above: Signal<Out, Bit>,
    left: Signal<Local, Bits<33>>,
    right: Signal<Local, Bits<33>>,
}

impl Comparator {
    /// Compares accumulators of `width` bits.
    #[must_use]
    pub fn new(width: u32) -> Self {
        Self {
            value: sized(width),
            other: sized(width),
            or_equal: Signal::default(),
            above: Signal::default(),
            left: sized(width + 1),
            right: sized(width + 1),
        }
    }
}

impl Logic for Comparator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("comparator: whether value > other, or value >= other.");
        self.left.next = bit_cast::<33, 32>(self.value.val()) << 1;
        if self.or_equal.val() {
            self.left.next = (bit_cast::<33, 32>(self.value.val()) << 1) | 1;
        }
        self.right.next = bit_cast::<33, 32>(self.other.val()) << 1;
        self.above.next = self.right.val() < self.left.val();
    }
}
