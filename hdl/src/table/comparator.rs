//! The comparison of two accumulators.

use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};

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
    #[number(1)]
    one: Constant<Bits<8>>,
    #[number(1)]
    lsb: Constant<Bits<33>>,
}

#[kernel]
impl Comparator {
    /// Both results.
    fn comparison(&mut self) {
        self.greater.next = self.other < self.value;
        // other <= value, as a subtraction of the value.
        let left = bit_cast::<33, 32>(self.other) << self.one;
        let right = (bit_cast::<33, 32>(self.value) << self.one) | self.lsb;
        self.not_less.next = left < right;
    }
}
