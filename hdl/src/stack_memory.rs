//! The memory of the path stack: the entries below the top.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::memory;
use crate::ram::SameEdge;

/// Memory of the path stack: the entries below the top.
#[memory(
    geometry: &Geometry,
    depth = geometry.stack_depth,
    same_edge = SameEdge::New
)]
pub struct StackMemory {
    /// Start of the path, without constant low bits.
    start: Bits<64, { geometry.start_bits() - geometry.align }>,
    /// Outcomes of the path, first branch in bit 0.
    outcomes: Bits<64, { geometry.max_branches }>,
    /// Length of the path in branches.
    length: Bits<7, { stored_length_bits(geometry) }>,
    /// Event count of the path.
    events: Bits<32, { geometry.event_counter_bits }>,
    /// Extension counter of the path.
    extension: Bits<8, { geometry.extension_bits }>,
    /// New path: outcomes, length and events are 0 whatever the memory holds.
    blank: Bit,
}

/// Memory of the path stack: the entries below the top; a block RAM.
#[memory(
    geometry: &Geometry,
    depth = geometry.stack_depth,
    same_edge = SameEdge::Any
)]
pub struct StepwiseMemory {
    /// Start of the path, without constant low bits.
    start: Bits<64, { geometry.start_bits() - geometry.align }>,
    /// Outcomes of the path, first branch in bit 0.
    outcomes: Bits<64, { geometry.max_branches }>,
    /// Length of the path in branches.
    length: Bits<7, { stored_length_bits(geometry) }>,
    /// Event count of the path.
    events: Bits<32, { geometry.event_counter_bits }>,
    /// Extension counter of the path.
    extension: Bits<8, { geometry.extension_bits }>,
}

/// Width of the length of a stored entry. A full path leaves the stack, so a stored length is below the maximum. The length of
/// a blank entry is not used.
#[must_use]
pub fn stored_length_bits(geometry: &Geometry) -> u32 {
    (u32::BITS - (geometry.max_branches - 1).leading_zeros()).max(1)
}
