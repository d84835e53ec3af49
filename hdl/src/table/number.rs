use rust_hdl::prelude::*;

use super::layout::TagLayout;
use crate::circuit::{circuit, kernel};

/// Number of a table entry: set * WAYS + way; combinational.
///
/// The product is a sum of shifted sets, one for each 1 in WAYS. If WAYS is a power of two, the number is set and way
/// concatenated.
#[circuit(
    combinational,
    layout: &TagLayout,
    const not_power_of_two: Bit = !layout.ways.is_power_of_two(),
    const _shifts: Vec<u32> = (0..u32::BITS).filter(|bit| layout.ways >> bit & 1 == 1).collect()
)]
pub struct EntryNumber {
    /// Set of the entry.
    pub set: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Way of the entry.
    pub way: Signal<In, Bits<8, { layout.way_bits + 2 }>>,
    /// Number of the entry; that of another set or none if way is not below WAYS.
    pub number: Signal<Out, Bits<16, { layout.scan_bits() }>>,
}

#[kernel]
impl EntryNumber {
    /// A sum of shifted sets, and the way.
    fn number(&mut self) {
        let mut first: Bits<16> = 0.into();
        for i in 0..self._shifts.len() {
            first = first + (self.set << self._shifts[i]);
        }
        self.number.next = first | bit_cast::<16, 8>(self.way);
        if self.not_power_of_two {
            self.number.next = first + bit_cast::<16, 8>(self.way);
        }
    }
}
