//! The hot path table that looks the ways up one after another: small, and it asks for back-pressure.
//!
//! ```text
//!   path_* ---> hash ---> entry of a way ---> ( tags )---> pairs ---> [ ] ---> = ? -- found --> + --> new count
//!     |  ^                   ^                  |                                               ^        |
//!     |  +-- waits           +-- next way    ( counts )--> [ count ] ---------------------------+        |
//!     |                                      ( what the policy keeps )                                   |
//!     +-----------> policy: which entry gives way, and when <--------------------------------------------+
//! ```
//!
//! One memory holds the tags of all ways and one the accumulators; a way's cell has the number of its entry. So there is one comparison of tags and one
//! adder, whatever the number of ways. The path stays on `path_*` while `waits` is 1, so the table keeps no copy of it. Whether it is looked up is decided in
//! the cycle in which it is shown first: `freeze` and `clearing` are looked at then. A clear waits for the lookup under way, then empties a way a cycle.
//! Contents are those of one path after another, because that is what happens here.
//!
//! What a path that is not found does is the policy's: [`Least`] under LFU, [`Admission`] with shadows, [`Ageing`] with values. Under LFU the ways are those of
//! a set, as in [`ParallelTable`](super::ParallelTable). With the other two each way has a hash of its own ([`Rows`]).
//!
//! Programs repeat paths. Under LFU, between two lookups, the memories show the entry with which the last one ended. If the next path is that entry's, it is
//! found in its second cycle. The whole path is compared, with the part of its start that the set number stands for.
//!
//! In its first cycle a lookup leaves the memories' read port free, and nothing is written. A readout takes that cycle or one between lookups, under LFU only if no path is `coming`
//! in the next. It reads the whole entry at once and registers it, so an entry that is read out is never torn, and it delays no lookup.
//!
//! Timing, of a path that is shown in cycle *p*: way *w* is addressed in *p* + 1 + *w* and compared in *p* + 3 + *w*, which is the last cycle if the path is found there. Under LFU
//! *p* + WAYS + 2 is the last in any case. With another policy it is known a cycle later that no way holds the path, and the policy says which cycle is the last. Under LFU a path takes
//! two cycles if it is that of the entry with which the lookup before ended, in *p* - 2 or before. What changes is written in the last cycle; an evicted entry is on `left` a cycle later.
//! `waits` is 1 from the first cycle to the last, so that the next path can be shown two cycles after it; under LFU it is 0 in *p* + WAYS + 2. `entry.done` comes at most two cycles
//! after the request or, if a lookup goes on, its last cycle; under LFU at most WAYS + 5 after the request. In cycle *t* the entry is as all lookups have left it that ended before *t* - 2.
//!
//! The policies: `docs/replacement.md`.

mod admission;
mod ageing;
mod chance;
mod kernel;
mod least;
mod places;
mod rows;

pub use admission::{Admission, ShadowMemory};
pub use ageing::{Ageing, ValueMemory};
pub use chance::Chance;
pub use least::Least;
pub use places::{Places, WayRow};
pub use rows::Rows;

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

/// The tags of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct TagMemory {
    /// Tag; its highest bit is 0 if the entry is empty.
    #[bits(layout.width())]
    tag: Bits<TAG_BITS>,
    /// The low part of the start address, which the tag lacks.
    #[bits(layout.set_bits)]
    start_low: Bits<16>,
}

/// Table of paths and their counts, one way after another.
/// The number at the end of a name is that of cycles since its cell was addressed.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let layout = &TagLayout::new(geometry),
    let sets = usize::from(!geometry.replacement.is_skewed()),
    let shadows = usize::from(geometry.replacement == Replacement::Shadow),
    let values = 1 - sets - shadows,
    let step_bits = u32::BITS - (geometry.ways + 1).leading_zeros()
)]
pub struct SequentialTable {
    /// To the profiler. `path` has `valid` in its first cycle, the rest until `waits` is 0.
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
    /// Under LFU.
    #[each(i in sets)]
    #[new(geometry)]
    #[connect(ports.path.{start, outcomes, length})]
    index: Vec<SetIndex>,
    #[each(i in sets)]
    #[new(layout)]
    #[connect(set = index[i].set)]
    changed: Vec<EntryNumber>,
    #[each(i in sets)]
    #[new(layout)]
    #[connect(sees, misses, way = way.q, filled = filled_2.q, stored = count_2.q, count = ports.path.count)]
    leasts: Vec<Least>,
    /// Else.
    #[each(i in 1 - sets)]
    #[new(layout)]
    #[connect(tag = shown_tag, start_low = shown_start_low)]
    descriptors: Vec<PathOfTag>,
    #[each(i in 1 - sets)]
    #[new(geometry)]
    #[connect(descriptors[i].{start, outcomes, length})]
    rows: Vec<Rows>,
    #[each(i in shadows)]
    #[new(layout, reset)]
    #[connect(
        begins, sees, searches = searching.q, ends, misses = missed[i].q, restarts = clears, cleared = walk.entry, cell = rows[i].cell_2, way = way.q,
        filled = filled_2.q, stored = count_2.q, count = ports.path.count, fingerprint = rows[i].fingerprint,
        read_address = read_cell, ports.{lfsr, scale}
    )]
    admissions: Vec<Admission>,
    #[each(i in values)]
    #[new(layout)]
    #[connect(
        sees, searches = searching.q, ends, found, misses = missed[i].q, cell = rows[i].cell_2, way = way.q, filled = filled_2.q,
        count = ports.path.count, read_address = read_cell
    )]
    ageings: Vec<Ageing>,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    #[connect(
        left = ports.left, changed = counts.write_enable, number = write_cell, tag = tags.write_tag, start_low = shown_start_low, count = new_count
    )]
    evictions: Vec<Evictions>,
    #[new(layout)]
    #[connect(tag = wanted_tag.q, start_low = wanted_start_low.q, ports.entry.{start, outcomes, length})]
    readable: PathOfTag,

    looking: Register<Bit>,
    /// The ways are gone through to find the path.
    searching: Register<Bit>,
    /// They are, or are so again.
    #[each(i in 1 - sets)]
    scans: Vec<Register<Bit>>,
    #[each(i in 1 - sets)]
    missed: Vec<Register<Bit>>,
    /// The last way is seen.
    last: Delay<Bit>,
    #[bits(step_bits)]
    step: Register<Bits<6>>,
    #[bits(layout.way_bits)]
    way: Delay<Bits<8>>,
    filled_2: Delay<Bit>,
    #[bits(layout.count_bits)]
    count_2: Delay<Bits<32>>,
    #[each(i in shadows)]
    #[bits(layout.width())]
    tag_2: Vec<Delay<Bits<TAG_BITS>>>,
    #[each(i in shadows)]
    #[bits(layout.set_bits)]
    start_low_2: Vec<Delay<Bits<16>>>,
    /// A lookup has ended since reset.
    #[each(i in sets)]
    known: Vec<Register<Bit>>,
    /// The memories show the entry with which the last lookup ended.
    #[each(i in sets)]
    reread: Vec<Delay<Bit>>,
    /// They did so in the path's first cycle.
    #[each(i in sets)]
    again: Vec<Register<Bit>>,
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

    #[present(sets == 1)]
    #[bits(layout.way_bits)]
    changed_way: Signal<Local, Bits<8>>,
    begins: Signal<Local, Bit>,
    scanning: Signal<Local, Bit>,
    sees: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    compares: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    /// No way holds the path.
    misses: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    /// The policy: goes through the rows of the path shown, takes an entry for the path, moves one, is done.
    #[present(sets == 0)]
    scans_again: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    finishes: Signal<Local, Bit>,
    replaces: Signal<Local, Bit>,
    #[present(sets == 0)]
    #[bits(layout.number_bits())]
    target: Signal<Local, Bits<16>>,
    #[bits(layout.width())]
    shown_tag: Signal<Local, Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    shown_start_low: Signal<Local, Bits<16>>,
    #[bits(layout.scan_bits())]
    read_cell: Signal<Local, Bits<16>>,
    #[bits(layout.number_bits())]
    write_cell: Signal<Local, Bits<16>>,
    #[bits(layout.events_bits)]
    addend: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits + 1)]
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,
    #[bits(layout.count_bits)]
    new_count: Signal<Local, Bits<32>>,

    #[number(geometry.ways)]
    step_before_last: Constant<Bits<6>>,
    #[number(layout.width())]
    tag_bits: Constant<Bits<8>>,
    #[number(layout.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
    #[number(!layout.filled_bit())]
    path_part: Constant<Bits<TAG_BITS>>,
    #[number(layout.count_bits)]
    count_bits: Constant<Bits<8>>,
    #[number(ones(layout.count_bits))]
    greatest: Constant<Bits<32>>,
    #[number(ones(layout.count_bits))]
    count_part: Constant<Bits<40>>,
    #[value(sets)]
    _sets: usize,
    #[value(1 - sets)]
    _skewed: usize,
    #[value(shadows)]
    _shadows: usize,
    #[value(values)]
    _values: usize,
    #[value(usize::from(layout.drains))]
    _drains: usize,
}
