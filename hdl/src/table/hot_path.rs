//! The hot path table as a whole.
//!
//! ```text
//!   stage   0               1              2            3            4                      5                    6   7
//!   path_* ---> hash ---> [ set, tag ] ---> [ ] ---> [ ] ------> [ hit, sum ] --------> [ outcome ] ----------> [ ] [ ]
//!                 |            |             |        |  add      |  hit or victim       |   |                   |   |
//!               tags of each way ---------> = ? ----> +           |  new count --> compare   +-- order repaired  |   |
//!               (write) <-----------------------------------------+                      |                       |   |
//!                 ^            counts ------------> [ ] <---------+------ forwarding ----+-----------------------+---+
//!               clear walk, readout
//! ```
//!
//! One operation enters in every cycle: a path, else a step of the clear walk, else a readout. Contents at any moment
//! are those of one path after another, because a path takes what the operations ahead of it in the same set change
//! from the pipeline: the way they changed (see [`TableWay`](super::TableWay)), its accumulator, and the order of the
//! set (see [`OrderRow`](super::OrderRow)); [`Decision`](super::Decision) puts them together.
//!
//! - Hit: the accumulator grows by the count and stays at its maximum.
//! - Miss: the way with the least accumulator, the lowest of equals, takes path and count. A count of 0 changes nothing.
//! - Clear: one set a cycle, all ways at once; paths that come meanwhile are not looked up.
//! - Freeze: paths that come are not looked up.
//! - Readout waits for a cycle without a path, and for the operations ahead of it in the same set; it then holds one
//!   entry as it was at one moment.
//!
//! Timing: a path that stands on `path_*` in cycle *t* is in the memories at the end of cycle *t* + 4; its statistics
//! pulse in cycle *t* + 5. `clear` in cycle *t*: paths of cycles *t* + 1 to *t* + SETS are dropped.
//!
//! Source: Vaswani's thesis, section 5.4, for organisation and replacement; the pipeline is this project's.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::accumulator::Accumulator;
use super::comparator::Comparator;
use super::decision::Decision;
use super::full::SetFull;
use super::index::SetIndex;
use super::layout::{TAG_BITS, TagLayout};
use super::order::{ORDER_BITS, OrderRow};
use super::stages::Stages;
use super::way::TableWay;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::ram::{Ram, SameEdge, WayRam};
use crate::register::{Delay, Register};

/// The hot path table.
#[derive(LogicBlock)]
pub struct HotPathTable {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high; empties the table.
    pub rst: Signal<In, Bit>,

    /// A path is complete.
    pub path_valid: Signal<In, Bit>,
    /// Its start without the constant low bits.
    pub path_start: Signal<In, Bits<64>>,
    /// Its length.
    pub path_length: Signal<In, Bits<7>>,
    /// Its outcomes.
    pub path_outcomes: Signal<In, Bits<64>>,
    /// Its count.
    pub path_count: Signal<In, Bits<32>>,

    /// Paths are not looked up.
    pub freeze: Signal<In, Bit>,
    /// Empty the table.
    pub clear: Signal<In, Bit>,
    /// The table is being emptied.
    pub clearing: Signal<Out, Bit>,

    /// An entry is wanted; stays 1 until `read_done`.
    pub read_request: Signal<In, Bit>,
    /// Set of the wanted entry; since the cycle before.
    pub read_set: Signal<In, Bits<16>>,
    /// Way of the wanted entry (one-hot).
    pub read_way: Signal<In, Bits<32>>,
    /// The entry is there, in this cycle.
    pub read_done: Signal<Out, Bit>,
    /// Its tag; stays until the next readout.
    pub read_tag: Signal<Out, Bits<TAG_BITS>>,
    /// The low part of its start address, which the tag lacks; stays as long.
    pub read_start_low: Signal<Out, Bits<16>>,
    /// Its accumulator, in the cycle of `read_done`.
    pub read_count: Signal<Out, Bits<32>>,

    /// A path was found (statistics).
    pub hit: Signal<Out, Bit>,
    /// A path took the way of another (statistics).
    pub replacement: Signal<Out, Bit>,
    /// A count did not fit into an accumulator (sticky error).
    pub saturated: Signal<Out, Bit>,

    index: SetIndex,
    stages: Stages,
    tags: WayRam<TAG_BITS>,
    ways: Vec<TableWay>,
    orders: Ram<ORDER_BITS>,
    rows: Vec<OrderRow>,
    decision: Decision,
    accumulator: Accumulator,
    set_full: SetFull,
    comparator_1: Comparator,
    comparator_2: Comparator,
    comparator_3: Comparator,
    walking: Register<Bit>,
    walk: Register<Bits<16>>,
    read_set_stage: Register<Bits<16>>,

    two_ahead_3: Delay<Bits<32>>,
    three_ahead_3: Delay<Bits<32>>,
    set_5: Delay<Bits<16>>,
    way_5: Delay<Bits<32>>,
    written_5: Delay<Bits<32>>,
    count_5: Delay<Bits<32>>,
    changed_5: Register<Bit>,
    cleared_5: Register<Bit>,
    hit_5: Register<Bit>,
    replaced_5: Register<Bit>,
    saturated_5: Register<Bit>,
    written_6: Delay<Bits<32>>,
    count_6: Delay<Bits<32>>,
    changed_6: Register<Bit>,
    cleared_6: Delay<Bit>,
    count_7: Delay<Bits<32>>,
    found_tag: Delay<Bits<TAG_BITS>>,
    found_index: SetIndex,
    found_start_low: Delay<Bits<16>>,

    take: Signal<Local, Bit>,
    issue: Signal<Local, Bit>,
    wanted: Signal<Local, Bits<TAG_BITS>>,
    hits: Vec<Signal<Local, Bits<32>>>,
    hit_count: Vec<Signal<Local, Bits<32>>>,
    least: Vec<Signal<Local, Bits<32>>>,
    beaten: Vec<Signal<Local, Bits<32>>>,
    rest: Vec<Signal<Local, Bits<32>>>,
    rest_beaten: Vec<Signal<Local, Bits<32>>>,
    above: Vec<Signal<Local, Bits<32>>>,
    order: Vec<Signal<Local, Bits<ORDER_BITS>>>,
    tag: Vec<Signal<Local, Bits<TAG_BITS>>>,

    first_way: Constant<Bits<32>>,
    last_way: Constant<Bits<32>>,
    last_set: Constant<Bits<16>>,
    filled: Constant<Bits<TAG_BITS>>,
    set_bits: Constant<Bits<8>>,
    start_mask: Constant<Bits<TAG_BITS>>,
    outcomes_mask: Constant<Bits<TAG_BITS>>,
    length_mask: Constant<Bits<TAG_BITS>>,
    outcomes_lsb: Constant<Bits<8>>,
    length_lsb: Constant<Bits<8>>,
    _ways: usize,
    _last: usize,
    _end: usize,
}

/// Partial results of a running OR over the ways: the result is the first, the last is 0.
fn chain<T: Synth>(ways: u32, bits: u32) -> Vec<Signal<Local, T>> {
    (0..=ways).map(|_| sized(bits)).collect()
}

impl HotPathTable {
    /// A table of `geometry.sets` x `geometry.ways` entries.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = TagLayout::new(geometry);
        let ways = layout.ways;
        let order_bits = ways * (ways - 1) / 2;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            path_valid: Signal::default(),
            path_start: sized(layout.address_bits),
            path_length: sized(layout.length_bits),
            path_outcomes: sized(layout.outcome_bits),
            path_count: sized(geometry.event_counter_bits),
            freeze: Signal::default(),
            clear: Signal::default(),
            clearing: Signal::default(),
            read_request: Signal::default(),
            read_set: sized(layout.set_bits),
            read_way: sized(ways),
            read_done: Signal::default(),
            read_tag: sized(layout.width()),
            read_start_low: sized(layout.set_bits),
            read_count: sized(layout.count_bits),
            hit: Signal::default(),
            replacement: Signal::default(),
            saturated: Signal::default(),
            index: SetIndex::new(geometry),
            stages: Stages::new(geometry),
            tags: WayRam::new(geometry.sets, ways, layout.width()),
            ways: (0..ways).map(|way| TableWay::new(&layout, way)).collect(),
            orders: Ram::new(geometry.sets, order_bits, SameEdge::Any),
            rows: (0..ways).map(|way| OrderRow::new(ways, way)).collect(),
            decision: Decision::new(&layout),
            accumulator: Accumulator::new(geometry),
            set_full: SetFull::new(),
            comparator_1: Comparator::new(layout.count_bits),
            comparator_2: Comparator::new(layout.count_bits),
            comparator_3: Comparator::new(layout.count_bits),
            walking: Register::flag(true),
            walk: Register::zero(layout.set_bits),
            read_set_stage: Register::zero(layout.set_bits),
            two_ahead_3: Delay::new(layout.count_bits),
            three_ahead_3: Delay::new(layout.count_bits),
            set_5: Delay::new(layout.set_bits),
            way_5: Delay::new(layout.ways),
            written_5: Delay::new(layout.ways),
            count_5: Delay::new(layout.count_bits),
            changed_5: Register::flag(false),
            cleared_5: Register::flag(false),
            hit_5: Register::flag(false),
            replaced_5: Register::flag(false),
            saturated_5: Register::flag(false),
            written_6: Delay::new(layout.ways),
            count_6: Delay::new(layout.count_bits),
            changed_6: Register::flag(false),
            cleared_6: Delay::new(1),
            count_7: Delay::new(layout.count_bits),
            found_tag: Delay::new(layout.width()),
            found_index: SetIndex::new(geometry),
            found_start_low: Delay::new(layout.set_bits),
            take: Signal::default(),
            issue: Signal::default(),
            wanted: sized(layout.width()),
            hits: chain(ways, ways),
            hit_count: chain(ways, layout.count_bits),
            least: chain(ways, ways),
            beaten: chain(ways, ways),
            rest: chain(ways, ways),
            rest_beaten: chain(ways, ways),
            above: chain(ways, ways),
            order: chain(ways, order_bits),
            tag: chain(ways, layout.width()),
            first_way: number(1),
            last_way: number(1 << (ways - 1)),
            last_set: number(geometry.sets - 1),
            filled: Constant::new(layout.filled_bit()),
            set_bits: number(layout.set_bits),
            start_mask: mask(layout.start_bits),
            outcomes_mask: mask(layout.outcome_bits),
            length_mask: mask(layout.length_bits),
            outcomes_lsb: number(layout.outcomes_lsb()),
            length_lsb: number(layout.length_lsb()),
            _ways: ways as usize,
            _last: ways as usize - 1,
            _end: ways as usize + 1,
        }
    }
}

impl Logic for HotPathTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "hot_path_table: set-associative table of paths and their counts, one path a cycle."
        );
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.stages.clk.next = self.clk.val();
        self.stages.rst.next = self.rst.val();
        self.tags.clk.next = self.clk.val();
        self.orders.clk.next = self.clk.val();
        self.decision.clk.next = self.clk.val();
        self.decision.rst.next = self.rst.val();
        self.accumulator.clk.next = self.clk.val();
        self.set_full.clk.next = self.clk.val();
        self.walking.clk.next = self.clk.val();
        self.walking.rst.next = self.rst.val();
        self.walk.clk.next = self.clk.val();
        self.walk.rst.next = self.rst.val();
        self.read_set_stage.clk.next = self.clk.val();
        self.read_set_stage.rst.next = self.rst.val();
        self.two_ahead_3.clk.next = self.clk.val();
        self.three_ahead_3.clk.next = self.clk.val();
        self.set_5.clk.next = self.clk.val();
        self.way_5.clk.next = self.clk.val();
        self.written_5.clk.next = self.clk.val();
        self.count_5.clk.next = self.clk.val();
        self.changed_5.clk.next = self.clk.val();
        self.changed_5.rst.next = self.rst.val();
        self.cleared_5.clk.next = self.clk.val();
        self.cleared_5.rst.next = self.rst.val();
        self.hit_5.clk.next = self.clk.val();
        self.hit_5.rst.next = self.rst.val();
        self.replaced_5.clk.next = self.clk.val();
        self.replaced_5.rst.next = self.rst.val();
        self.saturated_5.clk.next = self.clk.val();
        self.saturated_5.rst.next = self.rst.val();
        self.written_6.clk.next = self.clk.val();
        self.count_6.clk.next = self.clk.val();
        self.changed_6.clk.next = self.clk.val();
        self.changed_6.rst.next = self.rst.val();
        self.cleared_6.clk.next = self.clk.val();
        self.count_7.clk.next = self.clk.val();
        self.found_tag.clk.next = self.clk.val();
        self.found_start_low.clk.next = self.clk.val();

        // The clear walk: from reset or the command on, one set a cycle.
        self.walking.d.next = self.walking.q.val() & (self.walk.q.val() != self.last_set.val());
        self.walk.d.next = 0.into();
        if self.walking.q.val() & (self.walk.q.val() != self.last_set.val()) {
            self.walk.d.next = self.walk.q.val() + 1;
        }
        if self.clear.val() {
            self.walking.d.next = true;
            self.walk.d.next = 0.into();
        }
        self.clearing.next = self.walking.q.val();

        // Stage 0: which operation enters.
        self.index.start.next = self.path_start.val();
        self.index.outcomes.next = self.path_outcomes.val();
        self.index.length.next = self.path_length.val();
        self.take.next = self.path_valid.val() & !self.freeze.val() & !self.walking.q.val();
        self.issue.next = self.read_request.val()
            & !self.walking.q.val()
            & (!self.path_valid.val() | self.freeze.val())
            & !self.stages.reading.val();
        // Of the two other sets one is 0.
        self.read_set_stage.d.next = self.read_set.val();
        if self.walking.d.val() {
            self.read_set_stage.d.next = 0.into();
        }
        self.stages.set_0.next = self.walk.q.val() | self.read_set_stage.q.val();
        if self.take.val() {
            self.stages.set_0.next = self.index.set.val();
        }
        self.stages.tag_0.next = self.filled.val()
            | bit_cast::<TAG_BITS, 64>(self.path_start.val() >> self.set_bits.val())
            | (bit_cast::<TAG_BITS, 64>(self.path_outcomes.val()) << self.outcomes_lsb.val())
            | (bit_cast::<TAG_BITS, 7>(self.path_length.val()) << self.length_lsb.val());
        self.stages.count_0.next = self.path_count.val();
        self.stages.path_0.next = self.take.val();
        self.stages.clear_0.next = self.walking.q.val();
        self.stages.read_0.next = self.issue.val();
        self.stages.changed_5.next = self.changed_5.q.val();
        self.stages.changed_6.next = self.changed_6.q.val();

        self.tags.read_address.next = self.stages.set_0.val();
        for i in 0..self._ways {
            self.ways[i].clk.next = self.clk.val();
            self.ways[i].set_1.next = self.stages.set_1.val();
            self.ways[i].read_1.next = self.stages.read_1.val();
            self.ways[i].read_way.next = self.read_way.val();
            self.ways[i].stored_1.next = self.tags.read_data[i].val();
            self.ways[i].tag_1.next = self.stages.tag_1.val();
            self.ways[i].read_2.next = self.stages.read_2.val();
            self.ways[i].repeats1_2.next = self.stages.repeats1_2.val();
            self.ways[i].repeats2_2.next = self.stages.repeats2_2.val();
            self.ways[i].repeats3_2.next = self.stages.repeats3_2.val();
            self.ways[i].near3_2.next = self.stages.near3_2.val();
            self.ways[i].near4_2.next = self.stages.near4_2.val();
            self.ways[i].same4_2.next = self.stages.same4_2.val();
            self.ways[i].near2_3.next = self.stages.near2_3.val();
            self.ways[i].repeats2_3.next = self.stages.repeats2_3.val();
            self.ways[i].near3_3.next = self.stages.near3_3.val();
            self.ways[i].near1_4.next = self.stages.near1_4.val();
            self.ways[i].set_4.next = self.stages.set_4.val();
            self.ways[i].count_4.next = self.accumulator.accumulator_4.val();
            self.ways[i].write_4.next = self.decision.ways_4.val();
            self.ways[i].way_5.next = self.way_5.q.val();
            self.ways[i].written_5.next = self.written_5.q.val();
            self.ways[i].written_6.next = self.written_6.q.val();
            self.ways[i].greater1_4.next = self.comparator_1.greater.val();
            self.ways[i].not_less1_4.next = self.comparator_1.not_less.val();
            self.ways[i].greater2_4.next = self.comparator_2.greater.val();
            self.ways[i].not_less2_4.next = self.comparator_2.not_less.val();
            self.ways[i].greater3_4.next = self.comparator_3.greater.val();
            self.ways[i].not_less3_4.next = self.comparator_3.not_less.val();
            self.rows[i].clk.next = self.clk.val();
            self.rows[i].stored_3.next = self.orders.read_data.val();
            self.rows[i].follows2_3.next = self.stages.follows2_3.val();
            self.rows[i].follows3_3.next = self.stages.follows3_3.val();
            self.rows[i].follows1_4.next = self.stages.follows1_4.val();
            self.rows[i].beaten_4.next = self.beaten[0].val();
            self.rows[i].way_5.next = self.way_5.q.val();
            self.rows[i].above_5.next = self.above[0].val();
            self.rows[i].beaten_5.next = self.rest_beaten[0].val();
            self.rows[i].cleared_5.next = self.cleared_5.q.val();
        }

        // What the ways and rows say together.
        for i in self._ways..self._end {
            self.hits[i].next = 0.into();
            self.hit_count[i].next = 0.into();
            self.least[i].next = 0.into();
            self.beaten[i].next = 0.into();
            self.rest[i].next = 0.into();
            self.rest_beaten[i].next = 0.into();
            self.above[i].next = 0.into();
            self.order[i].next = 0.into();
            self.tag[i].next = 0.into();
        }
        for i in 0..self._ways {
            self.hits[i].next = self.hits[i + 1].val() | self.ways[i].hit.val();
            self.hit_count[i].next = self.hit_count[i + 1].val() | self.ways[i].hit_count.val();
            self.least[i].next = self.least[i + 1].val() | self.rows[i].least_4.val();
            self.beaten[i].next = self.beaten[i + 1].val() | self.rows[i].row_4.val();
            self.rest[i].next = self.rest[i + 1].val() | self.rows[i].rest_5.val();
            self.rest_beaten[i].next = self.rest_beaten[i + 1].val() | self.rows[i].row_5.val();
            self.above[i].next = self.above[i + 1].val() | self.ways[i].above.val();
            self.order[i].next = self.order[i + 1].val() | self.rows[i].repaired_5.val();
            self.tag[i].next = self.tag[i + 1].val() | self.ways[i].read_tag.val();
        }

        // Stage 2: the tag being read out. What it lacks of the start address makes its index that of the set.
        self.wanted.next = self.tag[0].val();
        self.found_index.start.next =
            bit_cast::<64, TAG_BITS>(self.wanted.val() & self.start_mask.val())
                << self.set_bits.val();
        self.found_index.outcomes.next = bit_cast::<64, TAG_BITS>(
            (self.wanted.val() >> self.outcomes_lsb.val()) & self.outcomes_mask.val(),
        );
        self.found_index.length.next = bit_cast::<7, TAG_BITS>(
            (self.wanted.val() >> self.length_lsb.val()) & self.length_mask.val(),
        );
        self.found_tag.d.next = self.found_tag.q.val();
        self.found_start_low.d.next = self.found_start_low.q.val();
        if self.stages.read_2.val() {
            self.found_tag.d.next = self.wanted.val();
            self.found_start_low.d.next = 0.into();
            if (self.wanted.val() & self.filled.val()).any() {
                self.found_start_low.d.next = self.found_index.set.val() ^ self.read_set.val();
            }
        }

        // Between stages 2 and 3: the accumulator that the nearest path ahead, if it is the same, has just changed. The path
        // one ahead has not yet.
        self.two_ahead_3.d.next = 0.into();
        self.three_ahead_3.d.next = 0.into();
        if !self.stages.repeats1_2.val() & self.stages.repeats2_2.val() {
            self.two_ahead_3.d.next = self.accumulator.accumulator_4.val();
        }
        if !self.stages.repeats1_2.val()
            & !self.stages.repeats2_2.val()
            & self.stages.repeats3_2.val()
        {
            self.three_ahead_3.d.next = self.count_5.q.val();
        }

        // Stages 1 to 4: whether the set is full.
        for i in self._last..self._ways {
            self.set_full.stored_1.next = (self.tags.read_data[i].val() & self.filled.val()).any();
        }
        self.set_full.near3_2.next = self.stages.near3_2.val();
        self.set_full.near4_2.next = self.stages.near4_2.val();
        self.set_full.near2_3.next = self.stages.near2_3.val();
        self.set_full.near1_4.next = self.stages.near1_4.val();
        self.set_full.written_5.next = (self.written_5.q.val() & self.last_way.val()).any();
        self.set_full.cleared_5.next = self.cleared_5.q.val();
        self.set_full.written_6.next = (self.written_6.q.val() & self.last_way.val()).any();
        self.set_full.cleared_6.next = self.cleared_6.q.val();

        // Stages 3 and 4: the decision and the accumulator.
        self.decision.path_3.next = self.stages.path_3.val();
        self.decision.hits_3.next = self.hits[0].val();
        self.decision.near_3.next = self.stages.near1_3.val();
        self.decision.repeats_3.next = self.stages.repeats1_3.val();
        self.decision.some_4.next = self.stages.some_4.val();
        self.decision.clear_4.next = self.stages.clear_4.val();
        self.decision.repeats_4.next = self.stages.repeats1_4.val();
        self.decision.full_4.next = self.set_full.full_4.val();
        self.decision.least_4.next = self.least[0].val();
        self.decision.follows_4.next = self.stages.follows1_4.val();
        self.decision.way_5.next = self.way_5.q.val();
        self.decision.rest_5.next = self.rest[0].val();
        // The changed accumulator is the least unless it lies above another.
        self.decision.lower_5.next = self.above[0].val().any();
        self.accumulator.stored_3.next = self.hit_count[0].val();
        self.accumulator.two_ahead_3.next = self.two_ahead_3.q.val();
        self.accumulator.three_ahead_3.next = self.three_ahead_3.q.val();
        self.accumulator.repeats_3.next = self.stages.repeats1_3.val();
        self.accumulator.count_3.next = self.stages.count_3.val();
        self.accumulator.count_4.next = self.stages.count_4.val();
        self.accumulator.found_4.next = self.decision.found_4.val();
        self.tags.write_address.next = self.stages.set_4.val();
        self.tags.write_data.next = self.stages.tag_4.val();
        self.tags.write_ways.next = self.decision.new_ways_4.val();
        self.comparator_1.value.next = self.accumulator.accumulator_4.val();
        self.comparator_1.other.next = self.count_5.q.val();
        self.comparator_2.value.next = self.accumulator.accumulator_4.val();
        self.comparator_2.other.next = self.count_6.q.val();
        self.comparator_3.value.next = self.accumulator.accumulator_4.val();
        self.comparator_3.other.next = self.count_7.q.val();

        // Stage 5: the outcome. Of an emptied set, the first way is the least frequently used.
        self.set_5.d.next = self.stages.set_4.val();
        self.written_5.d.next = self.decision.ways_4.val();
        self.way_5.d.next = self.decision.ways_4.val();
        if self.stages.clear_4.val() {
            self.way_5.d.next = self.first_way.val();
        }
        self.count_5.d.next = self.accumulator.accumulator_4.val();
        self.changed_5.d.next = self.decision.changes_4.val();
        self.cleared_5.d.next = self.stages.clear_4.val();
        self.hit_5.d.next = self.decision.found_4.val();
        self.replaced_5.d.next = self.decision.replaces_4.val();
        self.saturated_5.d.next = self.accumulator.saturates_4.val();
        self.orders.read_address.next = self.stages.set_2.val();
        self.orders.write_address.next = self.set_5.q.val();
        self.orders.write_data.next = self.order[0].val();
        self.orders.write_enable.next = self.changed_5.q.val();

        // Stages 6 and 7: for the followers.
        self.written_6.d.next = self.written_5.q.val();
        self.count_6.d.next = self.count_5.q.val();
        self.changed_6.d.next = self.changed_5.q.val();
        self.cleared_6.d.next = self.cleared_5.q.val();
        self.count_7.d.next = self.count_6.q.val();

        self.read_done.next = self.stages.read_4.val();
        self.read_tag.next = self.found_tag.q.val();
        self.read_start_low.next = self.found_start_low.q.val();
        self.read_count.next = self.accumulator.sum_4.val();
        self.hit.next = self.hit_5.q.val();
        self.replacement.next = self.replaced_5.q.val();
        self.saturated.next = self.saturated_5.q.val();
    }
}
