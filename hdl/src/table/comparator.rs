//! Whether one accumulator lies above another, or at least equals it.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::mask;

/// `above` = `value` > `other`, or >= when `or_equal` is 1: one carry chain, without a register.
///
/// ```text
///      value . 1
///    + ~other . or_equal
///    -------------------   above = carry out
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
    carry_in: Signal<Local, Bits<34>>,
    sum: Signal<Local, Bits<34>>,
    value_mask: Constant<Bits<32>>,
    carry_out: Constant<Bits<34>>,
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
            carry_in: sized(1),
            sum: sized(width + 2),
            value_mask: mask(width),
            carry_out: Constant::new((1_u64 << (width + 1)).into()),
        }
    }
}

impl Logic for Comparator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("comparator: whether value > other, or value >= other.");
        self.carry_in.next = 0.into();
        if self.or_equal.val() {
            self.carry_in.next = 1.into();
        }
        self.sum.next = ((bit_cast::<34, 32>(self.value.val()) << 1) | 1)
            + ((bit_cast::<34, 32>(self.other.val() ^ self.value_mask.val()) << 1)
                | self.carry_in.val());
        self.above.next = (self.sum.val() & self.carry_out.val()).any();
    }
}
