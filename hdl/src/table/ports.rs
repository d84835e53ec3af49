//! The ports that both hot path tables have.

use hpp_golden::config::{Geometry, Replacement};
use rust_hdl::prelude::*;

use super::entry_port::EntryPort;
use super::layout::TagLayout;
use crate::bundles::LeftSource;
use crate::circuit::bundle;

/// Completed path to look up.
#[bundle(layout: &TagLayout, wires = PathWires)]
pub struct IncomingPath {
    /// Completed path is valid; 1 for one cycle per path.
    pub valid: Signal<In, Bit>,
    /// Start of the path, without constant low bits.
    pub start: Signal<In, Bits<64, { layout.address_bits }>>,
    /// Length of the path in branches.
    pub length: Signal<In, Bits<7, { layout.length_bits }>>,
    /// Outcomes of the path, first branch in bit 0.
    pub outcomes: Signal<In, Bits<64, { layout.outcome_bits }>>,
    /// Count of the path, added to its accumulator: 1 or its events.
    pub count: Signal<In, Bits<32, { layout.events_bits }>>,
}

/// Ports of a hot path table.
#[bundle(
    geometry: &Geometry,
    let layout = &TagLayout::new(geometry),
    wires = TableWires
)]
pub struct TablePorts {
    /// Path to look up.
    pub path: IncomingPath<layout>,
    /// Back-pressure: hold the path ports; no path may become valid in the next cycle.
    pub waits: Signal<Out, Bit, { geometry.buffers_paths() }>,
    /// A path becomes valid in the next cycle unless waits holds it back.
    pub next_valid: Signal<In, Bit, { geometry.repeats_paths() }>,
    /// Freeze: the table ignores completed paths.
    pub freeze: Signal<In, Bit>,
    /// Clear the table: empty all entries.
    pub clear: Signal<In, Bit>,
    /// The table is being cleared.
    pub clearing: Signal<Out, Bit>,
    /// Entry port for software.
    pub entry: EntryPort<geometry>,
    /// Scale s of the shadow policy: one miss in 2^(s + 1) is sampled.
    pub scale: Signal<Out, Bits<5>, { geometry.replacement == Replacement::Shadow }>,
    /// Pulse: a lookup hit (statistics).
    pub hit: Signal<Out, Bit>,
    /// Pulse: a miss evicted an entry (statistics).
    pub replacement: Signal<Out, Bit>,
    /// Pulse: an accumulator saturated (sets a sticky error).
    pub saturated: Signal<Out, Bit>,
    /// Evicted path.
    pub left: LeftSource<geometry>,
}
