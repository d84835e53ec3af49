//! The interface of a replacement policy.
//!
//! A policy is a circuit with these ports. The table shows it each entry that is compared, one in a cycle, and says whether
//! the path is found. On a miss the policy says which entry the path takes, if any, and when the lookup ends. Ports that a
//! policy does not use are absent.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
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
    #[present(draws)]
    pub begins: Signal<In, Bit>,
    /// An entry is compared in this cycle.
    pub compared: Signal<In, Bit>,
    /// The entry is compared for a lookup, not for a second scan.
    #[present(skewed)]
    pub searches: Signal<In, Bit>,
    /// The entry is the last one of the scan.
    #[present(skewed)]
    pub ends: Signal<In, Bit>,
    /// The entry holds the path: hit.
    #[present(ages)]
    pub found: Signal<In, Bit>,
    /// The lookup misses: no entry holds the path.
    pub misses: Signal<In, Bit>,
    /// An entry is cleared in this cycle.
    #[present(shadow)]
    pub restarts: Signal<In, Bit>,
    /// Number of the entry to clear.
    #[present(shadow)]
    pub cleared: Signal<In, Bits<16, { layout.number_bits() }>>,
    /// Number of the compared entry.
    #[present(skewed)]
    pub cell: Signal<In, Bits<16, { layout.number_bits() }>>,
    /// Way of the compared entry.
    pub way: Signal<In, Bits<8, { layout.way_bits }>>,
    /// The compared entry holds a path.
    pub filled: Signal<In, Bit>,
    /// Accumulator of the compared entry.
    #[present(shadow | !skewed)]
    pub stored: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Count of the path, added to its accumulator: 1 or its events.
    pub count: Signal<In, Bits<32, { layout.events_bits }>>,
    /// Fingerprint of the path, or of the entry in view while views is 1.
    #[present(shadow)]
    pub fingerprint: Signal<In, Bits<16, FINGERPRINT_BITS>>,
    /// Number of the entry to read.
    #[present(shadow | ages)]
    pub read_address: Signal<In, Bits<16, { layout.scan_bits() }>>,
    /// Show the entry in view instead of the path.
    #[present(shadow)]
    pub views: Signal<Out, Bit>,
    /// Pulse: scan the rows of the path or entry shown.
    #[present(shadow | ages)]
    pub scans_again: Signal<Out, Bit>,
    /// Write the path to the selected entry.
    pub takes: Signal<Out, Bit>,
    /// An occupant is being moved; moves is the last cycle of that.
    #[present(shadow)]
    pub moving: Signal<Out, Bit>,
    /// Write the entry in view to entry target.
    #[present(shadow)]
    pub moves: Signal<Out, Bit>,
    /// Number of the entry to write, else of the next entry in view.
    #[present(skewed)]
    pub target: Signal<Out, Bits<16, { layout.number_bits() }>>,
    /// Accumulator of the path.
    #[present(shadow)]
    pub taken_count: Signal<Out, Bits<32, { layout.count_bits }>>,
    /// The path evicts an entry.
    pub replaces: Signal<Out, Bit>,
    /// Last cycle of a lookup that misses.
    pub done: Signal<Out, Bit>,
}
