//! The comparison of two accumulators.

use rust_hdl::prelude::*;

use crate::circuit::circuit;

/// Compares two accumulators; combinational, one carry chain for each output.
///
/// ```text
///   other . 0 < value . 0 ? ---> greater
///   other . 0 < value . 1 ? ---> not_less
/// ```
///
/// Which of two equal entries is replaced first depends on their ways. The way of `value` is known later than its
/// accumulator. Both results are therefore computed, and the way selects one later. Both chains subtract `value`. A
/// device that cannot complement inside a carry chain then needs one complement for all comparators.
#[circuit(combinational, width: u32)]
pub struct Comparator {
    /// Accumulator to compare.
    #[bits(width)]
    pub value: Signal<In, Bits<32>>,
    /// Accumulator compared with value.
    #[bits(width)]
    pub other: Signal<In, Bits<32>>,
    /// value > other.
    pub greater: Signal<Out, Bit>,
    /// value >= other.
    pub not_less: Signal<Out, Bit>,
    #[bits(width + 1)]
    left: Signal<Local, Bits<33>>,
    #[bits(width + 1)]
    right: Signal<Local, Bits<33>>,
    #[number(1)]
    one: Constant<Bits<8>>,
    #[number(1)]
    lsb: Constant<Bits<33>>,
}

impl Logic for Comparator {
    #[hdl_gen]
    fn update(&mut self) {
        self.greater.next = self.other.val() < self.value.val();
        // other <= value, as a subtraction of the value.
        self.left.next = bit_cast::<33, 32>(self.other.val()) << self.one.val();
        self.right.next = (bit_cast::<33, 32>(self.value.val()) << self.one.val()) | self.lsb.val();
        self.not_less.next = self.left.val() < self.right.val();
    }
}
