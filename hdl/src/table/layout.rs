//! How a path descriptor is laid out as a tag of the hot path table.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::Bits;

/// The greatest width of a tag: start, outcomes, length, filled.
pub const TAG_BITS: usize = 136;

/// Widths and places of a tag's fields, and the sizes of the table around it.
///
/// ```text
///   msb  | filled | length | outcomes | high part of start |  lsb
/// ```
///
/// The start address lacks its constant low bits, and as many bits above them as a set number has: each of those occurs
/// once in the set index, so set and tag together give them back, and within a set equal tags are equal paths.
#[derive(Clone, Copy, Debug)]
pub struct TagLayout {
    /// Width of a start address without its constant low bits.
    pub address_bits: u32,
    /// Width of the high part of it that a tag holds.
    pub start_bits: u32,
    /// Width of the outcomes.
    pub outcome_bits: u32,
    /// Width of the length.
    pub length_bits: u32,
    /// Width of an accumulator.
    pub count_bits: u32,
    /// Width of a set number.
    pub set_bits: u32,
    /// Ways of a set.
    pub ways: u32,
    /// Width of a way number.
    pub way_bits: u32,
}

impl TagLayout {
    /// The layout for a geometry.
    #[must_use]
    pub const fn new(geometry: &Geometry) -> Self {
        Self {
            address_bits: geometry.pc_bits - geometry.align,
            start_bits: geometry.pc_bits - geometry.align - geometry.set_bits(),
            outcome_bits: geometry.max_branches,
            length_bits: geometry.length_bits(),
            count_bits: geometry.accumulator_bits,
            set_bits: geometry.set_bits(),
            ways: geometry.ways,
            way_bits: if geometry.ways > 2 {
                geometry.ways.next_power_of_two().trailing_zeros()
            } else {
                1
            },
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

    /// The tag whose only 1 says that the way is filled.
    #[must_use]
    pub fn filled_bit(&self) -> Bits<TAG_BITS> {
        Bits::from(1_u64) << u64::from(self.width() - 1)
    }
}
