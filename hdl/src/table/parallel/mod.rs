//! The hot path table with parallel lookup: it accepts a path in every cycle.
//!
//! ```text
//!   stage   0               1              2            3            4                      5             6   7
//!   path_* ---> hash ---> [ set, tag ] ---> [ ] ---> [ ] ------> [ hit, sum ] --------> [ outcome ] ---> [ ] [ ]
//!                 |            |             |        |  add      |  hit or victim       |   |            |   |
//!               tags of each way -> = ? -> [ ] -----> +           |  new count --> compare   +-- repaired |   |
//!               (write) <-----------------------------------------+                      |                |   |
//!                 ^            counts ------------> [ ] <---------+------ forwarding ----+----------------+---+
//!               clear walk                                                                                +---> mirror
//! ```
//!
//! An operation enters in every cycle: a path, or a step of the clear walk. The results are those of one path after
//! another, because a path takes the changes of earlier operations in its set from the pipeline. It forwards the
//! changed way ([`TableWay`](crate::table::TableWay)), its accumulator, and the order of the set
//! ([`OrderRow`](crate::table::OrderRow)). [`Decision`](crate::table::Decision) selects the way.
//!
//! | operation | effect |
//! | --- | --- |
//! | hit | The accumulator grows by the count, and saturates |
//! | miss | The path replaces the way with the least accumulator, of equals the lowest. With count 0 nothing changes |
//! | eviction, with a drain | Replaced entries are evicted, and entries whose accumulator would overflow |
//! | clear | The walk empties all ways of a set at once. It repeats that for each way, which empties the mirror |
//! | path during a clear or a freeze | It is not looked up |
//! | readout | It reads the [`Mirror`](crate::table::Mirror), outside the pipeline |
//!
//! Timing, for a path on `path_*` in cycle *t*:
//!
//! | event | cycle |
//! | --- | --- |
//! | tag and accumulator are written | end of *t* + 4 |
//! | statistics pulses | *t* + 5 |
//! | an evicted entry is on `left` | *t* + 6 |
//! | the mirror is written | end of *t* + 7 |
//!
//! After `clear` in cycle *t* the paths of *t* + 1 to *t* + SETS x WAYS are not looked up. WAYS is rounded up to a
//! power of two.
//!
//! Source: Vaswani's thesis, section 5.4, for organisation and replacement; the pipeline is this project's.

mod kernel;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge, WayRam};
use crate::register::{Delay, Register};
use crate::table::accumulator::Accumulator;
use crate::table::decision::Decision;
use crate::table::evictions::Evictions;
use crate::table::index::SetIndex;
use crate::table::layout::{TAG_BITS, TagLayout, TagOfPath, ones};
use crate::table::mirror::Mirror;
use crate::table::order::{ORDER_BITS, OrderRow};
use crate::table::ports::TablePorts;
use crate::table::stages::Stages;
use crate::table::walk::ClearWalk;
use crate::table::way::TableWay;

/// Set-associative table of paths and their counts; looks up one path per cycle.
/// Name suffixes are pipeline stages.
#[circuit(
    geometry: &Geometry, let layout = &TagLayout::new(geometry),
    const first_way: Bits<32> = 1,
    const last_way: Bits<32> = 1u32 << (geometry.ways - 1),
    const filled: Bits<TAG_BITS> = layout.filled_bit(),
    const way_bits: Bits<8> = layout.way_bits,
    const way_mask: Bits<16> = ones(layout.way_bits),
    const _drains: bool = layout.drains,
    const _order_lsbs: Vec<u32> = (0..geometry.ways).map(|way| way * way.saturating_sub(1) / 2).collect(),
    const _lower_ways: Vec<u64> = (0..geometry.ways).map(ones).collect()
)]
pub struct ParallelTable {
    /// Ports of the table.
    #[flat]
    pub ports: TablePorts<geometry>,

    #[connect(ports.path.{start, outcomes, length})]
    index: SetIndex<geometry>,
    #[connect(ports.path.{start, outcomes, length})]
    layout: TagOfPath<layout>,
    #[connect(clear = ports.clear, walking = ports.clearing)]
    walk: ClearWalk<layout>,
    #[connect(
        tag_0 = layout.tag, start_low_0 = layout.start_low, count_0 = ports.path.count,
        clear_0 = walk.walking, changed_5 = changed_5.q, changed_6 = changed_6.q
    )]
    stages: Stages<layout>,
    #[connect(
        write_address = stages.set_4, write_data = stages.tag_4,
        write_ways = decision.new_ways_4
    )]
    tags: WayRam<TAG_BITS, { geometry.sets }, { geometry.ways }, { layout.width() }>,
    #[connect(
        stages.{set_1, tag_1, repeats1_2, repeats2_2, repeats3_2, repeats4_2, near3_2, near4_2,
        near2_3, repeats2_3, near3_3, near1_4, set_4}, stored_1 = tags.read_data[i],
        count_4 = accumulator.accumulator_4, write_4 = decision.ways_4, way_5 = way_5.q,
        written_5 = written_5.q, written_6 = written_6.q
    )]
    ways: Vec<TableWay<layout, i>, { geometry.ways }>,
    #[connect(
        read_address = stages.set_1, write_address = stages.set_5, write_enable = changed_5.q
    )]
    orders: Ram<ORDER_BITS, { geometry.sets }, { layout.order_bits() }, { SameEdge::Any }>,
    #[connect(
        stages.{follows4_2, follows2_3, follows3_3, follows1_4}, way_5 = way_5.q,
        cleared_5 = cleared_5.q
    )]
    rows: Vec<OrderRow<{ geometry.ways }, i>, { geometry.ways }>,
    #[connect(
        stages.{path_3, some_4, clear_4}, near_3 = stages.near1_3, repeats_3 = stages.repeats1_3,
        repeats_4 = stages.repeats1_4, follows_4 = stages.follows1_4,
        way_5 = way_5.q
    )]
    decision: Decision<{ geometry.ways }>,
    #[connect(
        stages.{repeats1_2, repeats2_2, repeats3_2, repeats1_3, count_3, count_4},
        found_4 = decision.found_4, accumulator_5 = count_5.q
    )]
    accumulator: Accumulator<layout>,
    #[connect(
        changed_5 = changed_5.q, cleared_5 = cleared_5.q, set_5 = stages.set_5, way_5 = way_5.q,
        tag_5 = tag_5.q, start_low_5 = start_low_5.q, count_7 = count_7.q, entry = ports.entry
    )]
    mirror: Mirror<geometry>,
    #[connect(
        changed = changed_5.q, number = mirror.number_5, tag = tag_5.q,
        start_low = start_low_5.q, count = count_5.q, left = ports.left
    )]
    evictions: Option<Evictions<geometry>, { layout.drains }>,
    leaves_5: Option<Register<Bit>, { layout.drains }>,

    /// The last way holds a path.
    full_2: Delay<Bit>,
    full_3: Delay<Bit>,
    full_4: Delay<Bit>,
    way_5: Delay<Bits<32, { layout.ways }>>,
    written_5: Delay<Bits<32, { layout.ways }>>,
    tag_5: Delay<Bits<TAG_BITS, { layout.width() }>>,
    start_low_5: Delay<Bits<16, { layout.set_bits }>>,
    count_5: Delay<Bits<32, { layout.count_bits }>>,
    changed_5: Register<Bit>,
    cleared_5: Register<Bit>,
    #[connect(q = ports.hit)]
    hit_5: Register<Bit>,
    #[connect(q = ports.replacement)]
    replaced_5: Register<Bit>,
    #[connect(q = ports.saturated)]
    saturated_5: Register<Bit>,
    written_6: Delay<Bits<32, { layout.ways }>>,
    count_6: Delay<Bits<32, { layout.count_bits }>>,
    changed_6: Register<Bit>,
    cleared_6: Register<Bit>,
    count_7: Delay<Bits<32, { layout.count_bits }>>,
}
