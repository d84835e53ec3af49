//! The tag layout of the hot path table, and the sizes derived from the geometry.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};

/// The greatest width of a tag: start, outcomes, length, filled.
pub const TAG_BITS: usize = 136;

/// Widths and positions of the fields of a tag, and the sizes of the table.
///
/// ```text
///   msb  | filled | length | outcomes | high part of start |  lsb
/// ```
///
/// A tag omits two parts of the start address: its constant low bits, and the next bits, as many as a set number has.
/// Each of the latter is an operand of exactly one bit of the set index. Set and tag therefore determine the path:
/// within a set, equal tags are equal paths.
#[derive(Clone, Copy, Debug)]
pub struct TagLayout {
    /// Width of a start address without its constant low bits.
    pub address_bits: u32,
    /// Width of the part of the start address that a tag holds.
    pub start_bits: u32,
    /// Width of the outcomes.
    pub outcome_bits: u32,
    /// Width of the length.
    pub length_bits: u32,
    /// Width of a path's count.
    pub events_bits: u32,
    /// Width of an accumulator.
    pub count_bits: u32,
    /// Width of a set number.
    pub set_bits: u32,
    /// Ways of a set.
    pub ways: u32,
    /// Width of a way number; 0 if there is one way.
    pub way_bits: u32,
    /// Whether evicted entries go into a drain.
    pub drains: bool,
}

impl TagLayout {
    /// The layout for a geometry.
    #[must_use]
    pub const fn new(geometry: &Geometry) -> Self {
        Self {
            address_bits: geometry.start_bits() - geometry.align,
            start_bits: geometry.start_bits() - geometry.align - geometry.set_bits(),
            outcome_bits: geometry.max_branches,
            length_bits: geometry.length_bits(),
            events_bits: geometry.event_counter_bits,
            count_bits: geometry.accumulator_bits,
            set_bits: geometry.set_bits(),
            ways: geometry.ways,
            way_bits: geometry.ways.next_power_of_two().trailing_zeros(),
            drains: geometry.has_drain(),
        }
    }

    /// Lowest bit of the outcomes.
    #[must_use]
    pub const fn outcomes_lsb(&self) -> u32 {
        self.start_bits
    }

    /// Lowest bit of the length.
    #[must_use]
    pub const fn length_lsb(&self) -> u32 {
        self.outcomes_lsb() + self.outcome_bits
    }

    /// Width of a tag.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.length_lsb() + self.length_bits + 1
    }

    /// Width of an entry's number.
    #[must_use]
    pub const fn number_bits(&self) -> u32 {
        self.set_bits + self.way_bits
    }

    /// Width of an entry number in a scan. The last steps of a scan may address a way beyond the set. The number then
    /// wraps within 16 bits, the width for the largest table.
    #[must_use]
    pub const fn scan_bits(&self) -> u32 {
        let bits = self.number_bits() + 2;
        if bits < 16 { bits } else { 16 }
    }

    /// Width of the order of a set's accumulators: one bit for each pair of ways.
    #[must_use]
    pub const fn order_bits(&self) -> u32 {
        self.ways * (self.ways - 1) / 2
    }

    /// The tag in which only the filled bit is 1.
    #[must_use]
    pub fn filled_bit(&self) -> Bits<TAG_BITS> {
        Bits::from(1_u64) << u64::from(self.width() - 1)
    }
}

/// The number whose low `width` bits are 1.
#[must_use]
pub const fn ones(width: u32) -> u64 {
    match width {
        0 => 0,
        width => u64::MAX >> (u64::BITS - width),
    }
}

/// Packs a path into a tag; wires only.
#[circuit(
    combinational, layout: &TagLayout,
    const set_bits: Bits<8> = layout.set_bits,
    const low_mask: Bits<64> = ones(layout.set_bits),
    const outcomes_lsb: Bits<8> = layout.outcomes_lsb(),
    const length_lsb: Bits<8> = layout.length_lsb(),
    const filled: Bits<TAG_BITS> = layout.filled_bit()
)]
pub struct TagOfPath {
    /// Start of the path, without constant low bits.
    pub start: Signal<In, Bits<64, { layout.address_bits }>>,
    /// Outcomes of the path, first branch in bit 0.
    pub outcomes: Signal<In, Bits<64, { layout.outcome_bits }>>,
    /// Length of the path in branches.
    pub length: Signal<In, Bits<7, { layout.length_bits }>>,
    /// Tag of the path.
    pub tag: Signal<Out, Bits<TAG_BITS, { layout.width() }>>,
    /// Low part of the start address, which the tag omits.
    pub start_low: Signal<Out, Bits<16, { layout.set_bits }>>,
}

#[kernel]
impl TagOfPath {
    /// The tag, and what it omits.
    fn tag(&mut self) {
        self.tag.next = self.filled
            | bit_cast::<TAG_BITS, 64>(self.start >> self.set_bits)
            | (bit_cast::<TAG_BITS, 64>(self.outcomes) << self.outcomes_lsb)
            | (bit_cast::<TAG_BITS, 7>(self.length) << self.length_lsb);
        self.start_low.next = bit_cast::<16, 64>(self.start & self.low_mask);
    }
}

/// Unpacks a tag into a path; wires only.
#[circuit(
    combinational, layout: &TagLayout,
    const set_bits: Bits<8> = layout.set_bits,
    const outcomes_lsb: Bits<8> = layout.outcomes_lsb(),
    const length_lsb: Bits<8> = layout.length_lsb(),
    const start_mask: Bits<TAG_BITS> = ones(layout.start_bits),
    const outcomes_mask: Bits<TAG_BITS> = ones(layout.outcome_bits),
    const length_mask: Bits<TAG_BITS> = ones(layout.length_bits),
    const filled_mask: Bits<TAG_BITS> = layout.filled_bit()
)]
pub struct PathOfTag {
    /// Tag of the path.
    pub tag: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Low part of the start address, which the tag omits.
    pub start_low: Signal<In, Bits<16, { layout.set_bits }>>,
    /// The tag holds a path.
    pub filled: Signal<Out, Bit>,
    /// Start of the path, without constant low bits.
    pub start: Signal<Out, Bits<64, { layout.address_bits }>>,
    /// Outcomes of the path, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { layout.outcome_bits }>>,
    /// Length of the path in branches.
    pub length: Signal<Out, Bits<7, { layout.length_bits }>>,
}

#[kernel]
impl PathOfTag {
    /// The path, from both.
    fn path(&mut self) {
        self.filled.next = (self.tag & self.filled_mask).any();
        self.start.next = (bit_cast::<64, TAG_BITS>(self.tag & self.start_mask) << self.set_bits)
            | bit_cast::<64, 16>(self.start_low);
        self.outcomes.next =
            bit_cast::<64, TAG_BITS>((self.tag >> self.outcomes_lsb) & self.outcomes_mask);
        self.length.next =
            bit_cast::<7, TAG_BITS>((self.tag >> self.length_lsb) & self.length_mask);
    }
}
