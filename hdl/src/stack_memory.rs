//! The memory of the path stack: the entries below the top.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::memory;
use crate::ram::SameEdge;

/// Memory of the path stack: the entries below the top.
#[memory(
    geometry: &Geometry,
    let bits = StackBits::new(geometry),
    depth = geometry.stack_depth,
    same_edge = SameEdge::New
)]
pub struct StackMemory {
    /// Start of the path, without constant low bits.
    #[bits(bits.start)]
    start: Bits<64>,
    /// Outcomes of the path, first branch in bit 0.
    #[bits(bits.outcomes)]
    outcomes: Bits<64>,
    /// Length of the path in branches.
    #[bits(bits.length)]
    length: Bits<7>,
    /// Event count of the path.
    #[bits(bits.events)]
    events: Bits<32>,
    /// Extension counter of the path.
    #[bits(bits.extension)]
    extension: Bits<8>,
    /// New path: outcomes, length and events are 0 whatever the memory holds.
    blank: Bit,
}

/// Memory of the path stack: the entries below the top; a block RAM.
#[memory(
    geometry: &Geometry,
    let bits = StackBits::new(geometry),
    depth = geometry.stack_depth,
    same_edge = SameEdge::Any
)]
pub struct StepwiseMemory {
    /// Start of the path, without constant low bits.
    #[bits(bits.start)]
    start: Bits<64>,
    /// Outcomes of the path, first branch in bit 0.
    #[bits(bits.outcomes)]
    outcomes: Bits<64>,
    /// Length of the path in branches.
    #[bits(bits.length)]
    length: Bits<7>,
    /// Event count of the path.
    #[bits(bits.events)]
    events: Bits<32>,
    /// Extension counter of the path.
    #[bits(bits.extension)]
    extension: Bits<8>,
}

/// Widths of the fields of an entry, in bits.
pub struct StackBits {
    /// Start address without its constant low bits.
    pub start: u32,
    /// Outcomes.
    pub outcomes: u32,
    /// Number of outcomes. A stored entry never holds the maximum.
    pub length: u32,
    /// Event counter.
    pub events: u32,
    /// Extension counter.
    pub extension: u32,
}

impl StackBits {
    /// The widths for a geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            start: geometry.start_bits() - geometry.align,
            outcomes: geometry.max_branches,
            // A full path leaves the stack, so a stored length is below the maximum. The length of a blank entry is not
            // used.
            length: (u32::BITS - (geometry.max_branches - 1).leading_zeros()).max(1),
            events: geometry.event_counter_bits,
            extension: geometry.extension_bits,
        }
    }
}
