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
//! Then it empties an entry in each cycle; an entry's number comes through `rows` and the policy, if each way has its own
//! hash. Lookups never overlap, so no forwarding is needed.
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
mod kernel;
mod least;
mod policy;
mod rows;

pub use admission::{Admission, ShadowMemory};
pub use ageing::{Ageing, ValueMemory};
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
use crate::ram::SameEdge;
use crate::register::{Delay, Register};

/// Tags of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any, read_enable)]
pub struct TagMemory {
    /// Tag of the entry; its highest bit is 0 if the entry is empty.
    tag: Bits<TAG_BITS, { layout.width() }>,
    /// Low part of the start address, which the tag omits.
    start_low: Bits<16, { layout.set_bits }>,
}

/// Accumulators of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any, read_enable)]
pub struct CountMemory {
    /// Accumulator of the entry; 0 if it is empty.
    count: Bits<32, { layout.count_bits }>,
}

/// Table of paths and their counts; compares one way per cycle.
/// Name suffixes _1 and _2 are cycles since the cell was addressed.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let layout = &TagLayout::new(geometry),
    let sets = !geometry.replacement.is_skewed(),
    let shadow = geometry.replacement == Replacement::Shadow,
    let ages = geometry.replacement == Replacement::Rrip,
    let step_bits = u32::BITS - (geometry.ways + 1).leading_zeros(),
    const step_before_last: Bits<6> = geometry.ways,
    const tag_bits: Bits<8> = layout.width(),
    const filled: Bits<TAG_BITS> = layout.filled_bit(),
    const path_mask: Bits<TAG_BITS> = !layout.filled_bit(),
    const count_bits: Bits<8> = layout.count_bits,
    const max_count: Bits<32> = ones(layout.count_bits),
    const count_mask: Bits<40> = ones(layout.count_bits),
    const _sets: bool = sets,
    const _ages: bool = ages,
    const _drains: bool = layout.drains
)]
pub struct SequentialTable {
    /// Ports of the table. `path.valid` is 1 in the first cycle of a path; the rest holds until `waits` is 0.
    #[flat]
    pub ports: TablePorts<geometry>,

    #[connect(ports.path.{start, outcomes, length})]
    layout: TagOfPath<layout>,
    scanned: EntryNumber<layout>,
    #[connect(clear = ports.clear)]
    walk: ClearWalk<layout>,
    #[connect(read_enable = fetches, read_address = read_cell, write_address = write_cell, write_start_low = layout.start_low)]
    tags: TagMemory<layout>,
    #[connect(read_enable = fetches, read_address = read_cell, write_address = write_cell, write_count = new_count)]
    counts: CountMemory<layout>,
    tag_match: TagMatch<{ layout.width() + layout.set_bits }>,
    /// Set of the path, under LFU.
    #[connect(ports.path.{start, outcomes, length})]
    index: Option<SetIndex<geometry>, sets>,
    changed: Option<EntryNumber<layout>, sets>,
    /// Rows of the path, under the other policies.
    #[connect(ports.path.{start, outcomes, length})]
    rows: Option<Rows<geometry>, { !sets }>,
    /// The policy: one of the three that follow.
    policy: PolicyWires<geometry>,
    #[connect(ports = policy)]
    least: Option<Least<geometry>, { geometry.replacement == Replacement::Lfu }>,
    #[connect(ports = policy, ports.{scale})]
    admission: Option<Admission<geometry, reset>, shadow>,
    #[connect(ports = policy)]
    ageing: Option<Ageing<geometry>, ages>,
    #[connect(
        left = ports.left, changed = counts.write_enable, number = write_cell, tag = tags.write_tag, start_low = layout.start_low, count = new_count
    )]
    evictions: Option<Evictions<geometry>, { layout.drains }>,
    #[connect(tag = wanted_tag.q, start_low = wanted_start_low.q, ports.entry.{start, outcomes, length})]
    readable: PathOfTag<layout>,

    busy: Register<Bit>,
    /// The ways are scanned for the path.
    searching: Register<Bit>,
    /// A scan is in progress, the first or a second one.
    scans: Option<Register<Bit>, ages>,
    missed: Option<Register<Bit>, { !sets }>,
    /// The number of an entry to clear is in the stages of that of a candidate.
    wipes_1: Option<Register<Bit>, { !sets }>,
    wipes_2: Option<Register<Bit>, { !sets }>,
    wipes_3: Option<Register<Bit>, { !sets }>,
    /// In one of them.
    wiping: Option<Register<Bit>, { !sets }>,
    /// The last way is compared in this cycle.
    last: Delay<Bit>,
    step: Register<Bits<6, step_bits>>,
    way: Delay<Bits<8, { layout.way_bits }>>,
    filled_2: Delay<Bit>,
    count_2: Delay<Bits<32, { layout.count_bits }>>,
    /// A lookup has ended since reset.
    known: Option<Register<Bit>, sets>,
    /// The memories output the last entry of the previous lookup, and rest.
    rests: Option<Delay<Bit>, sets>,
    /// The memories output the last entry of the previous lookup in the path's first cycle.
    again: Option<Register<Bit>, sets>,
    reading: Register<Bit>,
    #[connect(q = ports.entry.done)]
    answered: Register<Bit>,
    blank: Delay<Bit>,
    wanted_tag: Delay<Bits<TAG_BITS, { layout.width() }>>,
    wanted_start_low: Delay<Bits<16, { layout.set_bits }>>,
    #[connect(q = ports.entry.count)]
    wanted_count: Delay<Bits<32, { layout.count_bits }>>,

    /// The memories are read.
    fetches: Signal<Local, Bit>,
    read_cell: Signal<Local, Bits<16, { layout.scan_bits() }>>,
    write_cell: Signal<Local, Bits<16, { layout.number_bits() }>>,
    new_count: Signal<Local, Bits<32, { layout.count_bits }>>,
}
