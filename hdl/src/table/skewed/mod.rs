//! The table whose ways have hashes of their own, looked up one after another: small, and it asks for back-pressure.
//!
//! ```text
//!   path_* ---> hash ---> [ x, y ] ---> row of a way ---> ( tags )---> pairs ---> [ ] ---> = ? -- found --> + --> new count
//!     |  ^        ^          ^ |                     +--> ( counts )--> [ count ] --+---------------------+        |
//!     |  waits    |          +-+ next way            +--> ( what the policy keeps ) |                              |
//!     +-----------+---- or the row in view <------------------------ [ ]            v                              |
//!                                                                     policy: which row, when <--------------------+
//! ```
//!
//! Lookup, memories and readout are those of the [`SequentialTable`](super::SequentialTable): a way a cycle, and the path stays on `path_*` while `waits` is 1. The row of each way
//! follows from that of the way before. What a path that is not found does is the policy's: [`Admission`] with shadows, [`Ageing`] with values.
//! Contents are those of one path after another, because that is what happens here.
//!
//! Timing, of a path that is shown in cycle *p*: way *w* is addressed in *p* + 1 + *w* and compared in *p* + 3 + *w*, which is the last cycle if the path is found
//! there. In *p* + WAYS + 3 it is known that it is not; the policy says what is the last cycle then. `entry.done` comes at most three cycles after the request or the last cycle.
//!
//! The policies: `docs/replacement.md`.

mod admission;
mod ageing;
mod chance;
mod kernel;
mod places;
mod tag;

pub use admission::{Admission, ShadowMemory};
pub use ageing::{Ageing, ValueMemory};
pub use chance::Chance;
pub use places::{Places, WayRow};
pub use tag::{PathOfWhole, WholeLayout, WholeOfPath};

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use super::evictions::Evictions;
use super::layout::{TAG_BITS, TagLayout, ones};
use super::number::EntryNumber;
use super::ports::TablePorts;
use super::tag_match::TagMatch;
use super::walk::ClearWalk;
use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge};
use crate::register::{Delay, Register};

/// Table of paths and their counts with a hash for each way, one way after another.
/// The number at the end of a name is that of cycles since its row was addressed.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let layout = &TagLayout::new(geometry),
    let whole = &WholeLayout::new(geometry),
    let shadows = usize::from(geometry.replacement == Replacement::Shadow),
    let step_bits = u32::BITS - (geometry.ways + 1).leading_zeros()
)]
pub struct SkewedTable {
    /// To the profiler. `path` has `valid` in its first cycle, the rest until `waits` is 0.
    #[flat]
    #[bundle(geometry)]
    pub ports: TablePorts,

    #[new(whole)]
    #[connect(ports.path.{start, outcomes, length})]
    layout: WholeOfPath,
    #[new(whole)]
    #[connect(tag = shown_tag)]
    descriptor: PathOfWhole,
    #[new(geometry)]
    #[connect(descriptor.{start, outcomes, length})]
    places: Places,
    #[new(layout.set_bits)]
    #[connect(x = x.q, y = y.q)]
    place: WayRow,
    #[new(layout)]
    #[connect(set = place.row)]
    scanned: EntryNumber,
    #[new(layout)]
    #[connect(clear = ports.clear)]
    walk: ClearWalk,
    #[new(1 << layout.number_bits(), whole.width(), SameEdge::Any)]
    #[connect(read_address = read_cell, write_address = write_cell)]
    tags: Ram<TAG_BITS>,
    #[new(1 << layout.number_bits(), layout.count_bits, SameEdge::Any)]
    #[connect(read_address = read_cell, write_address = write_cell, write_data = new_count)]
    counts: Ram<32>,
    #[new(whole.width())]
    #[connect(a = tags.read_data, b = layout.tag)]
    tag_match: TagMatch,
    #[each(i in shadows)]
    #[new(layout, reset)]
    #[connect(
        begins, sees, searches = searching.q, ends, misses = missed.q, restarts = clears, cleared = walk.entry, cell = cell_2.q, way = way.q,
        filled = filled_2.q, stored = count_2.q, count = ports.path.count, fingerprint = places.fingerprint,
        read_address = read_cell, ports.{lfsr, scale}
    )]
    admissions: Vec<Admission>,
    #[each(i in 1 - shadows)]
    #[new(layout)]
    #[connect(
        sees, searches = searching.q, ends, found, misses = missed.q, cell = cell_2.q, way = way.q, filled = filled_2.q,
        count = ports.path.count, read_address = read_cell
    )]
    ageings: Vec<Ageing>,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    #[connect(left = ports.left, changed = counts.write_enable, number = write_cell, start_low = leaving_start_low, count = new_count)]
    evictions: Vec<Evictions>,
    #[new(whole)]
    #[connect(tag = wanted_tag.q, ports.entry.{filled, start, outcomes, length})]
    readable: PathOfWhole,

    looking: Register<Bit>,
    scanning: Register<Bit>,
    /// The scan is that of the lookup.
    searching: Register<Bit>,
    missed: Register<Bit>,
    #[bits(step_bits)]
    step: Register<Bits<6>>,
    #[bits(layout.way_bits)]
    way: Delay<Bits<8>>,
    #[bits(layout.set_bits)]
    x: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    y: Delay<Bits<16>>,
    #[bits(layout.number_bits())]
    cell_1: Delay<Bits<16>>,
    #[bits(layout.number_bits())]
    cell_2: Delay<Bits<16>>,
    filled_2: Delay<Bit>,
    #[bits(layout.count_bits)]
    count_2: Delay<Bits<32>>,
    #[each(i in shadows)]
    #[bits(whole.width())]
    tag_2: Vec<Delay<Bits<TAG_BITS>>>,
    reading: Register<Bit>,
    #[connect(q = ports.entry.done)]
    answered: Register<Bit>,
    blank: Delay<Bit>,
    #[bits(whole.width())]
    wanted_tag: Delay<Bits<TAG_BITS>>,
    #[bits(layout.count_bits)]
    #[connect(q = ports.entry.count)]
    wanted_count: Delay<Bits<32>>,

    begins: Signal<Local, Bit>,
    sees: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    /// The policy: goes through the rows of the path shown, takes a row for the path, moves an entry, is done.
    scans_again: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    finishes: Signal<Local, Bit>,
    replaces: Signal<Local, Bit>,
    #[bits(layout.number_bits())]
    target: Signal<Local, Bits<16>>,
    #[bits(layout.count_bits)]
    taken_count: Signal<Local, Bits<32>>,
    #[bits(whole.width())]
    shown_tag: Signal<Local, Bits<TAG_BITS>>,
    #[bits(layout.scan_bits())]
    read_cell: Signal<Local, Bits<16>>,
    #[bits(layout.number_bits())]
    write_cell: Signal<Local, Bits<16>>,
    #[present(layout.drains)]
    #[bits(layout.set_bits)]
    leaving_start_low: Signal<Local, Bits<16>>,
    #[bits(layout.events_bits)]
    addend: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits + 1)]
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,
    #[bits(layout.count_bits)]
    new_count: Signal<Local, Bits<32>>,

    #[number(geometry.ways + 1)]
    last_step: Constant<Bits<6>>,
    #[number(whole.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
    #[number(!whole.filled_bit())]
    path_part: Constant<Bits<TAG_BITS>>,
    #[number(layout.count_bits)]
    count_bits: Constant<Bits<8>>,
    #[number(ones(layout.count_bits))]
    greatest: Constant<Bits<32>>,
    #[number(ones(layout.count_bits))]
    count_part: Constant<Bits<40>>,
    #[number(layout.set_bits)]
    low_bits: Constant<Bits<8>>,
    #[number(ones(layout.set_bits))]
    low_part: Constant<Bits<64>>,
    #[value(shadows)]
    _shadows: usize,
    #[value(1 - shadows)]
    _values: usize,
    #[value(usize::from(layout.drains))]
    _drains: usize,
}
