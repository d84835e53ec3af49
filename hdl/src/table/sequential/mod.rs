//! The hot path table with sequential lookup: it compares one way in each cycle. It is small and needs back-pressure.
//!
//! ```text
//!   path_* ---> hash ---> entry of a way ---> ( tags )---> pairs ---> [ ] ---> = ? -- found --> + --> new count
//!     |  ^                   ^                  |                                               ^        |
//!     |  +-- waits           +-- next way    ( counts )--> [ count ] ---------------------------+        |
//!     |                                      ( what the policy keeps )                                   |
//!     +-----------> policy: which entry gives way, and when <--------------------------------------------+
//! ```
//!
//! One memory holds the tags of all ways, and another holds the accumulators. A cell's address is its entry number. One
//! tag comparator and one adder therefore serve any number of ways.
//!
//! The path stays on `path_*` while `waits` is 1, so the table stores no copy of it. `freeze` and `clearing` are
//! sampled in the first cycle of a path and decide whether it is looked up. A clear waits for the lookup in progress.
//! Then it empties an entry in each cycle. Lookups never overlap, so no forwarding is needed.
//!
//! The replacement policy handles a miss: [`Least`] for LFU, [`Admission`] for `shadow`, [`Ageing`] for `rrip`. Under
//! LFU the ways form a set, as in [`ParallelTable`](super::ParallelTable). Under the other two each way has its own
//! hash ([`Rows`]).
//!
//! Programs repeat paths. Under LFU the memories therefore read the last entry of the previous lookup again while no
//! lookup is in progress. If the next path is stored in that entry, it hits in its second cycle. The comparison covers
//! the whole path, including the address bits that the set number implies.
//!
//! In its first cycle a lookup neither addresses nor writes the memories. A readout takes that cycle, or a cycle
//! between lookups. Under LFU it takes a cycle between lookups only if `next_valid` is 0, which says that no path begins in
//! the next cycle. It reads the whole entry at once and registers it. A readout therefore returns a consistent snapshot
//! and delays no lookup.
//!
//! Timing of a path that is first shown in cycle *p*:
//!
//! | event | cycle |
//! | --- | --- |
//! | way *w* is addressed | *p* + 1 + *w* |
//! | way *w* is compared; the last cycle on a hit | *p* + 3 + *w* |
//! | the last cycle under LFU on a hit in the last entry of a lookup that ended in *p* - 2 or earlier | *p* + 1 |
//! | the last cycle on a miss, under LFU | *p* + WAYS + 2 |
//! | the miss is known, under `shadow` and `rrip`; the policy defines the last cycle | *p* + WAYS + 3 |
//!
//! - The entry is written in the last cycle. An evicted entry is on `left` one cycle later.
//! - `waits` is 1 from the first cycle to the last. Under LFU it is 0 in *p* + WAYS + 2. The next path can be shown two
//!   cycles after `waits` was last 1.
//! - `entry.done` comes at most two cycles after the request, or after the last cycle of a lookup in progress. Under
//!   LFU that is at most WAYS + 5 cycles after the request.
//! - An entry that is shown in cycle *t* contains the results of all lookups that ended before *t* - 2.
//!
//! The policies: `docs/replacement.md`.

mod admission;
mod ageing;
mod chance;
mod kernel;
mod least;
mod policy;
mod rows;

pub use admission::{Admission, ShadowMemory};
pub use ageing::{Ageing, ValueMemory};
pub use chance::Chance;
pub use least::Least;
pub use policy::{PolicyPorts, PolicyWires};
pub use rows::{Rows, WayRow};

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use super::evictions::Evictions;
use super::index::SetIndex;
use super::layout::{PathOfTag, TAG_BITS, TagLayout, TagOfPath, ones};
use super::number::EntryNumber;
use super::ports::TablePorts;
use super::tag_match::TagMatch;
use super::walk::ClearWalk;
use crate::circuit::{circuit, memory};
use crate::ram::{Ram, SameEdge};
use crate::register::{Delay, Register};

/// Tags of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct TagMemory {
    /// Tag of the entry; its highest bit is 0 if the entry is empty.
    #[bits(layout.width())]
    tag: Bits<TAG_BITS>,
    /// Low part of the start address, which the tag omits.
    #[bits(layout.set_bits)]
    start_low: Bits<16>,
}

/// Table of paths and their counts; compares one way per cycle.
/// Name suffixes _1 and _2 are cycles since the cell was addressed.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let layout = &TagLayout::new(geometry),
    let sets = !geometry.replacement.is_skewed(),
    let shadow = geometry.replacement == Replacement::Shadow,
    let step_bits = u32::BITS - (geometry.ways + 1).leading_zeros(),
    const step_before_last: Bits<6> = geometry.ways,
    const tag_bits: Bits<8> = layout.width(),
    const filled: Bits<TAG_BITS> = layout.filled_bit(),
    const path_mask: Bits<TAG_BITS> = !layout.filled_bit(),
    const count_bits: Bits<8> = layout.count_bits,
    const max_count: Bits<32> = ones(layout.count_bits),
    const count_mask: Bits<40> = ones(layout.count_bits),
    const _sets: bool = sets,
    const _shadow: bool = shadow,
    const _adds_to_empty: bool = !sets & !shadow,
    const _drains: bool = layout.drains
)]
pub struct SequentialTable {
    /// Ports of the table. `path.valid` is 1 in the first cycle of a path; the rest holds until `waits` is 0.
    #[flat]
    #[bundle(geometry)]
    pub ports: TablePorts,

    #[new(layout)]
    #[connect(ports.path.{start, outcomes, length})]
    layout: TagOfPath,
    #[new(layout)]
    scanned: EntryNumber,
    #[new(layout)]
    #[connect(clear = ports.clear)]
    walk: ClearWalk,
    #[new(layout)]
    #[connect(read_address = read_cell, write_address = write_cell, write_start_low = shown_start_low)]
    tags: TagMemory,
    #[new(1 << layout.number_bits(), layout.count_bits, SameEdge::Any)]
    #[connect(read_address = read_cell, write_address = write_cell, write_data = new_count)]
    counts: Ram<32>,
    #[new(layout.width() + layout.set_bits)]
    tag_match: TagMatch,
    /// Set of the path, under LFU.
    #[present(sets)]
    #[new(geometry)]
    #[connect(ports.path.{start, outcomes, length})]
    index: Option<SetIndex>,
    #[present(sets)]
    #[new(layout)]
    changed: Option<EntryNumber>,
    /// Path of the tag shown, under the other policies.
    #[present(!sets)]
    #[new(layout)]
    #[connect(tag = shown_tag, start_low = shown_start_low)]
    descriptor: Option<PathOfTag>,
    #[present(!sets)]
    #[new(geometry)]
    rows: Option<Rows>,
    /// The policy: one of the three that follow.
    #[bundle(geometry)]
    policy: PolicyWires,
    #[present(geometry.replacement == Replacement::Lfu)]
    #[new(geometry)]
    #[connect(ports = policy)]
    least: Option<Least>,
    #[present(shadow)]
    #[new(geometry, reset)]
    #[connect(ports = policy, ports.{lfsr, scale})]
    admission: Option<Admission>,
    #[present(geometry.replacement == Replacement::Rrip)]
    #[new(geometry)]
    #[connect(ports = policy)]
    ageing: Option<Ageing>,
    #[present(layout.drains)]
    #[new(geometry)]
    #[connect(
        left = ports.left, changed = counts.write_enable, number = write_cell, tag = tags.write_tag, start_low = shown_start_low, count = new_count
    )]
    evictions: Option<Evictions>,
    #[new(layout)]
    #[connect(tag = wanted_tag.q, start_low = wanted_start_low.q, ports.entry.{start, outcomes, length})]
    readable: PathOfTag,

    busy: Register<Bit>,
    /// The ways are scanned for the path.
    searching: Register<Bit>,
    /// A scan is in progress, the first or a second one.
    #[present(!sets)]
    scans: Option<Register<Bit>>,
    #[present(!sets)]
    missed: Option<Register<Bit>>,
    /// The last way is compared in this cycle.
    last: Delay<Bit>,
    #[bits(step_bits)]
    step: Register<Bits<6>>,
    #[bits(layout.way_bits)]
    way: Delay<Bits<8>>,
    filled_2: Delay<Bit>,
    #[bits(layout.count_bits)]
    count_2: Delay<Bits<32>>,
    #[present(shadow)]
    #[bits(layout.width())]
    tag_2: Option<Delay<Bits<TAG_BITS>>>,
    #[present(shadow)]
    #[bits(layout.set_bits)]
    start_low_2: Option<Delay<Bits<16>>>,
    /// A lookup has ended since reset.
    #[present(sets)]
    known: Option<Register<Bit>>,
    /// The memories output the last entry of the previous lookup.
    #[present(sets)]
    reread: Option<Delay<Bit>>,
    /// The memories output the last entry of the previous lookup in the path's first cycle.
    #[present(sets)]
    again: Option<Register<Bit>>,
    reading: Register<Bit>,
    #[connect(q = ports.entry.done)]
    answered: Register<Bit>,
    blank: Delay<Bit>,
    #[bits(layout.width())]
    wanted_tag: Delay<Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    wanted_start_low: Delay<Bits<16>>,
    #[bits(layout.count_bits)]
    #[connect(q = ports.entry.count)]
    wanted_count: Delay<Bits<32>>,

    #[bits(layout.width())]
    shown_tag: Signal<Local, Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    shown_start_low: Signal<Local, Bits<16>>,
    #[bits(layout.scan_bits())]
    read_cell: Signal<Local, Bits<16>>,
    #[bits(layout.number_bits())]
    write_cell: Signal<Local, Bits<16>>,
    #[bits(layout.count_bits)]
    new_count: Signal<Local, Bits<32>>,
}
