//! The interface of a replacement policy.
//!
//! A policy is a circuit with these ports. The table shows it each entry that is compared, one in a cycle, and says whether
//! the path is found. On a miss the policy says which entry the path takes, if any, and when the lookup ends. Ports that a
//! policy does not use are absent.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::table::skewed::FINGERPRINT_LENGTH_BITS;
use rust_hdl::prelude::*;

use crate::circuit::bundle;
use crate::table::layout::TagLayout;

/// Ports of a replacement policy.
#[bundle(
    geometry: &Geometry,
    let layout = &TagLayout::new(geometry),
    let skewed = geometry.replacement.is_skewed(),
    let draws = geometry.replacement.draws(),
    let shadow = geometry.replacement == Replacement::Shadow,
    let ages = geometry.replacement == Replacement::Rrip,
    wires = PolicyWires
)]
pub struct PolicyPorts {
    /// A path lookup starts in the next cycle.
    pub begins: Signal<In, Bit, draws>,
    /// An entry is compared in this cycle.
    pub compared: Signal<In, Bit>,
    /// The entry is compared for a lookup, not for a second scan.
    pub searches: Signal<In, Bit, skewed>,
    /// The entry is the last one of the scan.
    pub ends: Signal<In, Bit, ages>,
    /// The entry holds the path: hit.
    pub found: Signal<In, Bit, ages>,
    /// The lookup misses: no entry holds the path.
    pub misses: Signal<In, Bit>,
    /// Make cell the target: it is cleared in the next cycle.
    pub wipes: Signal<In, Bit, skewed>,
    /// The target is cleared in this cycle.
    pub restarts: Signal<In, Bit, shadow>,
    /// Number of the compared entry, or of one to clear.
    pub cell: Signal<In, Bits<16, { layout.number_bits() }>, skewed>,
    /// Way of the compared entry.
    pub way: Signal<In, Bits<8, { layout.way_bits }>>,
    /// The compared entry holds a path.
    pub filled: Signal<In, Bit>,
    /// Accumulator of the compared entry.
    pub stored: Signal<In, Bits<32, { layout.count_bits }>, { shadow | !skewed }>,
    /// Count of the path, added to its accumulator: 1 or its events.
    pub count: Signal<In, Bits<32, { layout.events_bits }>>,
    /// Fingerprint of the path.
    pub fingerprint: Signal<In, Bits<16, { layout.set_bits + FINGERPRINT_LENGTH_BITS }>, shadow>,
    /// The entry is read.
    pub read_enable: Signal<In, Bit, skewed>,
    /// Number of the entry to read.
    pub read_address: Signal<In, Bits<16, { layout.scan_bits() }>, skewed>,
    /// Pulse: scan the rows of the path again.
    pub scans_again: Signal<Out, Bit, ages>,
    /// Write the path to the selected entry.
    pub takes: Signal<Out, Bit>,
    /// Number of the entry to write; outside of a scan it is read, too.
    pub target: Signal<Out, Bits<16, { layout.number_bits() }>, skewed>,
    /// The path evicts an entry.
    pub replaces: Signal<Out, Bit>,
    /// Last cycle of a lookup that misses.
    pub done: Signal<Out, Bit>,
}
