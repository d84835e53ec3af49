//! The ports that both hot path tables have.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::table::shadow::CHANCE_BITS;
use rust_hdl::prelude::*;

use super::entry_port::EntryPort;
use super::layout::TagLayout;
use crate::bundles::LeftSource;
use crate::circuit::bundle;

/// A completed path that is looked up: one in each cycle in which the table does not wait.
#[bundle(layout: &TagLayout, wires = PathWires)]
pub struct IncomingPath {
    /// A path is complete.
    pub valid: Signal<In, Bit>,
    /// Its start without the constant low bits.
    #[bits(layout.address_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Its length.
    #[bits(layout.length_bits)]
    pub length: Signal<In, Bits<7>>,
    /// Its outcomes.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Its count.
    #[bits(layout.events_bits)]
    pub count: Signal<In, Bits<32>>,
}

/// The ports of a hot path table.
#[bundle(
    geometry: &Geometry,
    let layout = &TagLayout::new(geometry),
    let samples = geometry.replacement == Replacement::Shadow,
    wires = TableWires
)]
pub struct TablePorts {
    /// The path.
    #[bundle(layout)]
    pub path: IncomingPath,
    /// The path has to stay, and no other may be shown in the next cycle.
    #[present(geometry.buffers_paths())]
    pub waits: Signal<Out, Bit>,
    /// Unless the path has to stay, another is shown in the next cycle.
    #[present(geometry.repeats_paths())]
    pub coming: Signal<In, Bit>,
    /// Paths are not looked up.
    pub freeze: Signal<In, Bit>,
    /// Empty the table.
    pub clear: Signal<In, Bit>,
    /// The table is being emptied.
    pub clearing: Signal<Out, Bit>,
    /// The readout.
    #[bundle(geometry)]
    pub entry: EntryPort,
    /// State of its chances.
    #[present(samples)]
    #[bits(CHANCE_BITS)]
    pub lfsr: Signal<Out, Bits<32>>,
    /// One miss in 2^scale is sampled.
    #[present(samples)]
    #[bits(5)]
    pub scale: Signal<Out, Bits<5>>,
    /// A path was found (statistics).
    pub hit: Signal<Out, Bit>,
    /// A path took the way of another (statistics).
    pub replacement: Signal<Out, Bit>,
    /// A count did not fit into an accumulator (sticky error).
    pub saturated: Signal<Out, Bit>,
    /// Evicted entries.
    #[bundle(geometry)]
    pub left: LeftSource,
}
