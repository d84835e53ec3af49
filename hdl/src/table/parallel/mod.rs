//! The hot path table as a whole.
//!
//! ```text
//!   stage   0               1              2            3            4                      5                    6   7
//!   path_* ---> hash ---> [ set, tag ] ---> [ ] ---> [ ] ------> [ hit, sum ] --------> [ outcome ] ----------> [ ] [ ]
//!                 |            |             |        |  add      |  hit or victim       |   |                   |   |
//!               tags of each way -> = ? -> [ ] -----> +           |  new count --> compare   +-- order repaired  |   |
//!               (write) <-----------------------------------------+                      |                       |   |
//!                 ^            counts ------------> [ ] <---------+------ forwarding ----+-----------------------+---+
//!               clear walk                                                                                       +---> mirror
//! ```
//!
//! One operation enters in every cycle: a path, or a step of the clear walk. Contents at any moment are those of one path after another, because
//! a path takes what the operations ahead of it in the same set change from the pipeline: the way they changed (see
//! [`TableWay`](crate::table::TableWay)), its accumulator, the order of the set ([`OrderRow`](crate::table::OrderRow)). See [`Decision`](crate::table::Decision).
//!
//! - Hit: the accumulator grows by the count and stays at its maximum.
//! - Miss: the way with the least accumulator, the lowest of equals, takes path and count. A count of 0 changes nothing.
//! - With a drain, what is replaced leaves through it, and so does an accumulator that would not hold a count.
//! - Clear: all ways of a set at once, once for each of them, because the mirror is emptied entry by entry.
//! - Clear and freeze: paths that come meanwhile are not looked up.
//! - Readout: from the [`Mirror`](crate::table::Mirror), without a part in the pipeline.
//!
//! Timing: a path that stands on `path_*` in cycle *t* is in the memories at the end of cycle *t* + 4, in the mirror at the end of *t* + 7; its
//! statistics pulse in *t* + 5. `clear` in *t*: paths of *t* + 1 to *t* + SETS x WAYS are dropped, WAYS rounded up to a power of two.
//! What leaves the table stands on `left` in *t* + 6.
//!
//! Source: Vaswani's thesis, section 5.4, for organisation and replacement; the pipeline is this project's.

mod kernel;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::LeftSource;
use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge, WayRam};
use crate::register::{Delay, Register};
use crate::table::accumulator::Accumulator;
use crate::table::comparator::Comparator;
use crate::table::decision::Decision;
use crate::table::entry_port::EntryPort;
use crate::table::evictions::Evictions;
use crate::table::full::SetFull;
use crate::table::index::SetIndex;
use crate::table::layout::{TAG_BITS, TagLayout, TagOfPath, ones};
use crate::table::mirror::Mirror;
use crate::table::order::{ORDER_BITS, OrderRow};
use crate::table::stages::Stages;
use crate::table::walk::ClearWalk;
use crate::table::way::TableWay;

/// Set-associative table of paths and their counts, one path a cycle.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
#[circuit(geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct ParallelTable {
    /// A path is complete.
    pub path_valid: Signal<In, Bit>,
    /// Its start without the constant low bits.
    #[bits(layout.address_bits)]
    pub path_start: Signal<In, Bits<64>>,
    /// Its length.
    #[bits(layout.length_bits)]
    pub path_length: Signal<In, Bits<7>>,
    /// Its outcomes.
    #[bits(layout.outcome_bits)]
    pub path_outcomes: Signal<In, Bits<64>>,
    /// Its count.
    #[bits(layout.events_bits)]
    pub path_count: Signal<In, Bits<32>>,

    /// Paths are not looked up.
    pub freeze: Signal<In, Bit>,
    /// Empty the table.
    pub clear: Signal<In, Bit>,
    /// The table is being emptied.
    pub clearing: Signal<Out, Bit>,

    /// To software.
    #[bundle(geometry)]
    pub entry: EntryPort,

    /// A path was found (statistics).
    pub hit: Signal<Out, Bit>,
    /// A path took the way of another (statistics).
    pub replacement: Signal<Out, Bit>,
    /// A count did not fit into an accumulator (sticky error).
    pub saturated: Signal<Out, Bit>,
    /// What leaves the table.
    #[bundle(geometry)]
    pub left: LeftSource,

    #[new(geometry)]
    index: SetIndex,
    #[new(layout)]
    layout: TagOfPath,
    #[new(layout)]
    walk: ClearWalk,
    #[new(layout)]
    stages: Stages,
    #[new(geometry.sets, geometry.ways, layout.width())]
    tags: WayRam<TAG_BITS>,
    #[each(i in geometry.ways)]
    #[new(layout, i)]
    ways: Vec<TableWay>,
    #[new(geometry.sets, layout.order_bits(), SameEdge::Any)]
    orders: Ram<ORDER_BITS>,
    #[each(i in geometry.ways)]
    #[new(geometry.ways, i)]
    rows: Vec<OrderRow>,
    #[new(geometry.ways)]
    decision: Decision,
    #[new(layout)]
    accumulator: Accumulator,
    #[new()]
    set_full: SetFull,
    #[each(_i in 3)]
    #[new(layout.count_bits)]
    comparators: Vec<Comparator>,
    #[new(geometry)]
    mirror: Mirror,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    evictions: Vec<Evictions>,
    #[each(_i in usize::from(layout.drains))]
    leaves_5: Vec<Register<Bit>>,

    #[bits(layout.ways)]
    way_5: Delay<Bits<32>>,
    #[bits(layout.ways)]
    written_5: Delay<Bits<32>>,
    #[bits(layout.width())]
    tag_5: Delay<Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    start_low_5: Delay<Bits<16>>,
    #[bits(layout.count_bits)]
    count_5: Delay<Bits<32>>,
    changed_5: Register<Bit>,
    cleared_5: Register<Bit>,
    hit_5: Register<Bit>,
    replaced_5: Register<Bit>,
    saturated_5: Register<Bit>,
    #[bits(layout.ways)]
    written_6: Delay<Bits<32>>,
    #[bits(layout.count_bits)]
    count_6: Delay<Bits<32>>,
    changed_6: Register<Bit>,
    cleared_6: Register<Bit>,
    #[bits(layout.count_bits)]
    count_7: Delay<Bits<32>>,

    #[bits(layout.ways)]
    hits: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits)]
    hit_count: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    least: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    beaten: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    rest: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    rest_beaten: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    above: Signal<Local, Bits<32>>,
    #[bits(layout.order_bits())]
    order: Signal<Local, Bits<ORDER_BITS>>,

    #[number(1)]
    first_way: Constant<Bits<32>>,
    #[number(1u32 << (geometry.ways - 1))]
    last_way: Constant<Bits<32>>,
    #[each(i in geometry.ways)]
    #[number(i * i.saturating_sub(1) / 2)]
    places: Vec<Constant<Bits<16>>>,
    #[each(i in geometry.ways)]
    #[number(ones(i))]
    lower_ways: Vec<Constant<Bits<32>>>,
    #[each(i in geometry.ways)]
    #[number(ones(i))]
    row_bits: Vec<Constant<Bits<ORDER_BITS>>>,
    #[number(layout.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
    #[number(layout.way_bits)]
    way_bits: Constant<Bits<8>>,
    #[number(ones(layout.way_bits))]
    way_part: Constant<Bits<16>>,
    #[value(geometry.ways as usize)]
    _ways: usize,
    #[value(geometry.ways as usize - 1)]
    _last: usize,
    #[value(usize::from(layout.drains))]
    _drains: usize,
}
