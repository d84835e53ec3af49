//! A path as one word, whole: in a table whose ways have hashes of their own, no part of it follows from where it lies.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::table::layout::{TAG_BITS, ones};

/// Widths and places of a whole tag's fields.
///
/// ```text
///   msb  | filled | length | outcomes | start |  lsb
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WholeLayout {
    /// Width of a start address without its constant low bits.
    pub start_bits: u32,
    /// Width of the outcomes.
    pub outcome_bits: u32,
    /// Width of the length.
    pub length_bits: u32,
}

impl WholeLayout {
    /// The layout for a geometry.
    #[must_use]
    pub const fn new(geometry: &Geometry) -> Self {
        Self {
            start_bits: geometry.start_bits() - geometry.align,
            outcome_bits: geometry.max_branches,
            length_bits: geometry.length_bits(),
        }
    }

    /// Lowest bit of the length.
    #[must_use]
    pub const fn length_lsb(&self) -> u32 {
        self.start_bits + self.outcome_bits
    }

    /// Width of a tag.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.length_lsb() + self.length_bits + 1
    }

    /// The tag whose only 1 says that the entry is filled.
    #[must_use]
    pub fn filled_bit(&self) -> Bits<TAG_BITS> {
        Bits::from(1_u64) << u64::from(self.width() - 1)
    }
}

/// Lays a path out as a whole tag; wires alone.
#[circuit(combinational, layout: &WholeLayout)]
pub struct WholeOfPath {
    /// Start address without its constant low bits.
    #[bits(layout.start_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length.
    #[bits(layout.length_bits)]
    pub length: Signal<In, Bits<7>>,
    /// The tag.
    #[bits(layout.width())]
    pub tag: Signal<Out, Bits<TAG_BITS>>,
    #[number(layout.start_bits)]
    outcomes_lsb: Constant<Bits<8>>,
    #[number(layout.length_lsb())]
    length_lsb: Constant<Bits<8>>,
    #[number(layout.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
}

impl Logic for WholeOfPath {
    #[hdl_gen]
    fn update(&mut self) {
        self.tag.next = self.filled.val()
            | bit_cast::<TAG_BITS, 64>(self.start.val())
            | (bit_cast::<TAG_BITS, 64>(self.outcomes.val()) << self.outcomes_lsb.val())
            | (bit_cast::<TAG_BITS, 7>(self.length.val()) << self.length_lsb.val());
    }
}

/// The path that a whole tag stands for; wires alone.
#[circuit(combinational, layout: &WholeLayout)]
pub struct PathOfWhole {
    /// The tag.
    #[bits(layout.width())]
    pub tag: Signal<In, Bits<TAG_BITS>>,
    /// There is a path.
    pub filled: Signal<Out, Bit>,
    /// Start address without its constant low bits.
    #[bits(layout.start_bits)]
    pub start: Signal<Out, Bits<64>>,
    /// Outcomes.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Length.
    #[bits(layout.length_bits)]
    pub length: Signal<Out, Bits<7>>,
    #[number(layout.start_bits)]
    outcomes_lsb: Constant<Bits<8>>,
    #[number(layout.length_lsb())]
    length_lsb: Constant<Bits<8>>,
    #[number(ones(layout.start_bits))]
    start_part: Constant<Bits<TAG_BITS>>,
    #[number(ones(layout.outcome_bits))]
    outcomes_part: Constant<Bits<TAG_BITS>>,
    #[number(ones(layout.length_bits))]
    length_part: Constant<Bits<TAG_BITS>>,
    #[number(layout.filled_bit())]
    filled_part: Constant<Bits<TAG_BITS>>,
}

impl Logic for PathOfWhole {
    #[hdl_gen]
    fn update(&mut self) {
        self.filled.next = (self.tag.val() & self.filled_part.val()).any();
        self.start.next = bit_cast::<64, TAG_BITS>(self.tag.val() & self.start_part.val());
        self.outcomes.next = bit_cast::<64, TAG_BITS>(
            (self.tag.val() >> self.outcomes_lsb.val()) & self.outcomes_part.val(),
        );
        self.length.next = bit_cast::<7, TAG_BITS>(
            (self.tag.val() >> self.length_lsb.val()) & self.length_part.val(),
        );
    }
}
