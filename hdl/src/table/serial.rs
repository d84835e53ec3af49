//! The hot path table that looks the ways of a set up one after another: small, and not always ready.
//!
//! ```text
//!   path_* ---> hash ---> [ buffer ] ---> the path being looked up
//!                              |            | set           | tag            | count
//!                           hold            v               v                v
//!                            way --->( tags of all ways )-> = ? -- found --> + --> new count
//!                             |                                              ^        |
//!                             +----->( counts of all ways )---> [ count ] --+--+        |
//!                                         ^                                 |           |
//!                                         |                       < ? ---> [ least, its way ]
//!                                         +---------------------------------------------+
//! ```
//!
//! One memory holds the tags of all ways and one the accumulators; a way's cell is set * 2^k + way. So there is one
//! comparison of tags, one of magnitude and one adder, whatever the number of ways. Contents are those of one path after
//! another, exactly as in [`HotPathTable`](super::HotPathTable), because that is what happens here.
//!
//! A path that enters the buffer is looked up, whatever happens later: `freeze` and `clearing` are looked at in the cycle in which
//! it stands on `path_*`. A clear waits for the paths that entered before it, then empties a way a cycle. A readout waits for a
//! cycle in which the buffer is empty.
//!
//! Timing, of a path in steps from 0: tag and accumulator of way *w* are addressed in step *w* and compared in step *w* + 2,
//! which is the last if the path is found there. A path found in way *w* takes *w* + 3 cycles, any other WAYS + 2. What changes is
//! written in the last. The next path's step 0 follows at once. `hold` keeps records in the queue while 12 paths wait.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::index::SetIndex;
use super::layout::{TAG_BITS, TagLayout};
use super::serial_buffer::{PATH_BITS, PathBuffer};
use super::tag_match::TagMatch;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::ram::{Ram, SameEdge};
use crate::register::{Delay, Register};

/// The hot path table, one way after another.
#[derive(LogicBlock)]
pub struct SerialTable {
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
    /// No record may leave the queue in this cycle; four more paths may come.
    pub hold: Signal<Out, Bit>,

    /// Paths are not looked up.
    pub freeze: Signal<In, Bit>,
    /// Empty the table.
    pub clear: Signal<In, Bit>,
    /// The table is being emptied.
    pub clearing: Signal<Out, Bit>,

    /// An entry is wanted; stays 1 until `read_done`.
    pub read_request: Signal<In, Bit>,
    /// Set of the wanted entry.
    pub read_set: Signal<In, Bits<16>>,
    /// Way of the wanted entry (one-hot).
    pub read_way: Signal<In, Bits<32>>,
    /// The entry is there, in this cycle.
    pub read_done: Signal<Out, Bit>,
    /// Its tag; stays until the next readout.
    pub read_tag: Signal<Out, Bits<TAG_BITS>>,
    /// The low part of its start address, which the tag lacks; as long.
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
    buffer: PathBuffer,
    tags: Ram<TAG_BITS>,
    counts: Ram<32>,
    tag_match: TagMatch,
    filled_stage: Delay<Bit>,
    step: Register<Bits<6>>,
    least: Delay<Bits<32>>,
    least_way: Delay<Bits<8>>,
    vacancy: Delay<Bit>,
    walking: Register<Bit>,
    walk: Register<Bits<16>>,
    count_stage: Delay<Bits<32>>,
    reading: Register<Bit>,
    read: Register<Bit>,
    found_tag: Delay<Bits<TAG_BITS>>,
    found_index: SetIndex,
    found_start_low: Delay<Bits<16>>,

    tag: Signal<Local, Bits<TAG_BITS>>,
    set_base: Signal<Local, Bits<16>>,
    count: Signal<Local, Bits<32>>,
    compares: Signal<Local, Bit>,
    way: Signal<Local, Bits<8>>,
    wanted_way: Vec<Signal<Local, Bits<8>>>,
    wanted_cell: Signal<Local, Bits<16>>,
    read_cell: Signal<Local, Bits<16>>,
    found: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    vacant: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    inserts: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    changed_way: Signal<Local, Bits<8>>,
    changed_cell: Signal<Local, Bits<16>>,
    addend: Signal<Local, Bits<32>>,
    new_count: Signal<Local, Bits<32>>,
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,
    issue: Signal<Local, Bit>,

    last_step: Constant<Bits<6>>,
    way_bits: Constant<Bits<8>>,
    way_mask: Constant<Bits<8>>,
    last_cell: Constant<Bits<16>>,
    cell_mask: Constant<Bits<16>>,
    filled: Constant<Bits<TAG_BITS>>,
    start_shift: Constant<Bits<8>>,
    set_lsb: Constant<Bits<8>>,
    set_mask: Constant<Bits<16>>,
    count_lsb: Constant<Bits<8>>,
    tag_mask: Constant<Bits<TAG_BITS>>,
    start_mask: Constant<Bits<TAG_BITS>>,
    outcomes_mask: Constant<Bits<TAG_BITS>>,
    length_mask: Constant<Bits<TAG_BITS>>,
    outcomes_lsb: Constant<Bits<8>>,
    length_lsb: Constant<Bits<8>>,
    count_bits: Constant<Bits<8>>,
    addend_mask: Constant<Bits<32>>,
    count_mask: Constant<Bits<32>>,
    _ways: usize,
    _end: usize,
}

impl SerialTable {
    /// A table of `geometry.sets` x `geometry.ways` entries.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = TagLayout::new(geometry);
        let ways = layout.ways;
        let way_bits = ways.next_power_of_two().trailing_zeros();
        let cell_bits = layout.set_bits + way_bits;
        let step_bits = u32::BITS - (ways + 1).leading_zeros();
        // In the buffer the number of the set stands where the tag's mark has its place.
        let set_lsb = layout.width() - 1;
        let count_lsb = set_lsb + layout.set_bits;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            path_valid: Signal::default(),
            path_start: sized(layout.address_bits),
            path_length: sized(layout.length_bits),
            path_outcomes: sized(layout.outcome_bits),
            path_count: sized(geometry.event_counter_bits),
            hold: Signal::default(),
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
            buffer: PathBuffer::new(count_lsb + geometry.event_counter_bits),
            tags: Ram::new(1 << cell_bits, layout.width(), SameEdge::Any),
            counts: Ram::new(1 << cell_bits, layout.count_bits, SameEdge::Any),
            tag_match: TagMatch::new(layout.width()),
            filled_stage: Delay::new(1),
            step: Register::zero(step_bits),
            least: Delay::new(layout.count_bits),
            least_way: Delay::new(way_bits),
            vacancy: Delay::new(1),
            walking: Register::flag(true),
            walk: Register::zero(cell_bits),
            count_stage: Delay::new(layout.count_bits),
            reading: Register::flag(false),
            read: Register::flag(false),
            found_tag: Delay::new(layout.width()),
            found_index: SetIndex::new(geometry),
            found_start_low: Delay::new(layout.set_bits),
            tag: sized(layout.width()),
            set_base: sized(cell_bits),
            count: sized(geometry.event_counter_bits),
            compares: Signal::default(),
            way: sized(way_bits),
            wanted_way: (0..=ways).map(|_| sized(way_bits)).collect(),
            wanted_cell: sized(cell_bits),
            read_cell: sized(cell_bits),
            found: Signal::default(),
            less: Signal::default(),
            vacant: Signal::default(),
            done: Signal::default(),
            inserts: Signal::default(),
            clears: Signal::default(),
            changed_way: sized(way_bits),
            changed_cell: sized(cell_bits),
            addend: sized(geometry.event_counter_bits),
            new_count: sized(layout.count_bits),
            sum: sized(layout.count_bits + 1),
            over: Signal::default(),
            issue: Signal::default(),
            last_step: number(ways + 1),
            way_bits: number(way_bits),
            way_mask: mask(way_bits),
            last_cell: number((1 << cell_bits) - 1),
            cell_mask: mask(cell_bits),
            filled: Constant::new(layout.filled_bit()),
            start_shift: number(layout.set_bits),
            set_lsb: number(set_lsb),
            set_mask: mask(layout.set_bits),
            count_lsb: number(count_lsb),
            tag_mask: Constant::new(low_ones(set_lsb)),
            start_mask: Constant::new(low_ones(layout.start_bits)),
            outcomes_mask: Constant::new(low_ones(layout.outcome_bits)),
            length_mask: Constant::new(low_ones(layout.length_bits)),
            outcomes_lsb: number(layout.outcomes_lsb()),
            length_lsb: number(layout.length_lsb()),
            count_bits: number(layout.count_bits),
            addend_mask: mask(geometry.event_counter_bits),
            count_mask: mask(layout.count_bits),
            _ways: ways as usize,
            _end: ways as usize + 1,
        }
    }
}

/// A tag whose low `width` bits are 1.
fn low_ones(width: u32) -> Bits<TAG_BITS> {
    (0..width).fold(Bits::default(), |ones, _| (ones << 1) | 1)
}

impl Logic for SerialTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "serial_table: set-associative table of paths and their counts, one way after another."
        );
        self.buffer.clk.next = self.clk.val();
        self.buffer.rst.next = self.rst.val();
        self.tags.clk.next = self.clk.val();
        self.counts.clk.next = self.clk.val();
        self.tag_match.clk.next = self.clk.val();
        self.filled_stage.clk.next = self.clk.val();
        self.step.clk.next = self.clk.val();
        self.step.rst.next = self.rst.val();
        self.least.clk.next = self.clk.val();
        self.least_way.clk.next = self.clk.val();
        self.vacancy.clk.next = self.clk.val();
        self.walking.clk.next = self.clk.val();
        self.walking.rst.next = self.rst.val();
        self.walk.clk.next = self.clk.val();
        self.walk.rst.next = self.rst.val();
        self.count_stage.clk.next = self.clk.val();
        self.reading.clk.next = self.clk.val();
        self.reading.rst.next = self.rst.val();
        self.read.clk.next = self.clk.val();
        self.read.rst.next = self.rst.val();
        self.found_tag.clk.next = self.clk.val();
        self.found_start_low.clk.next = self.clk.val();

        // A path comes in, with the number of its set in place of the bits of the start that the tag lacks.
        self.index.start.next = self.path_start.val();
        self.index.outcomes.next = self.path_outcomes.val();
        self.index.length.next = self.path_length.val();
        self.buffer.put.next = self.path_valid.val() & !self.freeze.val() & !self.walking.q.val();
        self.buffer.new_path.next =
            bit_cast::<PATH_BITS, 64>(self.path_start.val() >> self.start_shift.val())
                | (bit_cast::<PATH_BITS, 64>(self.path_outcomes.val()) << self.outcomes_lsb.val())
                | (bit_cast::<PATH_BITS, 7>(self.path_length.val()) << self.length_lsb.val())
                | (bit_cast::<PATH_BITS, 16>(self.index.set.val()) << self.set_lsb.val())
                | (bit_cast::<PATH_BITS, 32>(self.path_count.val()) << self.count_lsb.val());
        self.hold.next = self.buffer.hold.val();

        // The oldest path.
        self.tag.next = (bit_cast::<TAG_BITS, PATH_BITS>(self.buffer.path.val())
            & self.tag_mask.val())
            | self.filled.val();
        self.set_base.next =
            (bit_cast::<16, PATH_BITS>(self.buffer.path.val() >> self.set_lsb.val())
                & self.set_mask.val())
                << self.way_bits.val();
        self.count.next = bit_cast::<32, PATH_BITS>(self.buffer.path.val() >> self.count_lsb.val())
            & self.addend_mask.val();

        // Cell to read: those of the path's set in turn; else the wanted entry's.
        for i in self._ways..self._end {
            self.wanted_way[i].next = 0.into();
        }
        for i in 0..self._ways {
            self.wanted_way[i].next = self.wanted_way[i + 1].val();
            if self.read_way.val().get_bit(i) {
                self.wanted_way[i].next = self.wanted_way[i + 1].val() | i.to_bits::<8>();
            }
        }
        self.wanted_cell.next = (self.read_set.val() << self.way_bits.val())
            | bit_cast::<16, 8>(self.wanted_way[0].val());
        self.read_cell.next = self.wanted_cell.val();
        if self.buffer.valid.val() {
            self.read_cell.next = self.set_base.val()
                | bit_cast::<16, 8>(bit_cast::<8, 6>(self.step.q.val()) & self.way_mask.val());
        }
        self.tags.read_address.next = self.read_cell.val();
        self.counts.read_address.next = self.read_cell.val();

        // From step 2 on, a way is compared: is it the path's, is it the least so far?
        self.tag_match.a.next = self.tags.read_data.val();
        self.tag_match.b.next = self.tag.val();
        self.count_stage.d.next = self.counts.read_data.val();
        self.filled_stage.d.next = (self.tags.read_data.val() & self.filled.val()).any();
        self.compares.next = self.buffer.valid.val() & (self.step.q.val() >> 1).any();
        self.way.next = (bit_cast::<8, 6>(self.step.q.val()) - 2) & self.way_mask.val();
        self.found.next = self.compares.val() & self.tag_match.same.val();
        self.less.next = self.count_stage.q.val() < self.least.q.val();
        self.vacant.next = self.vacancy.q.val() | !self.filled_stage.q.val();
        self.done.next = self.buffer.valid.val()
            & (self.found.val() | (self.step.q.val() == self.last_step.val()));
        self.buffer.done.next = self.done.val();
        self.step.d.next = self.step.q.val() + 1;
        if !self.buffer.valid.val() | self.done.val() {
            self.step.d.next = 0.into();
        }

        // The least accumulator so far. The first way begins with the greatest there is, in way 0.
        self.least.d.next = self.least.q.val();
        self.least_way.d.next = self.least_way.q.val();
        if !self.compares.val() {
            self.least.d.next = self.count_mask.val();
            self.least_way.d.next = 0.into();
        } else if self.less.val() {
            self.least.d.next = self.count_stage.q.val();
            self.least_way.d.next = self.way.val();
        }
        self.vacancy.d.next = self.compares.val() & self.vacant.val();

        // The clear walk: from reset or the command on, a way a cycle, once no path is left from before.
        self.clears.next = self.walking.q.val() & !self.buffer.occupied.val();
        self.walking.d.next = self.walking.q.val();
        self.walk.d.next = self.walk.q.val();
        if self.clears.val() {
            self.walking.d.next = self.walk.q.val() != self.last_cell.val();
            self.walk.d.next = (self.walk.q.val() + 1) & self.cell_mask.val();
        }
        if self.clear.val() {
            self.walking.d.next = true;
            self.walk.d.next = 0.into();
        }
        self.clearing.next = self.walking.q.val();

        // What changes: the way where the path was found, else the least.
        self.inserts.next = self.done.val() & !self.found.val() & self.count.val().any();
        self.changed_way.next = self.least_way.q.val();
        if self.found.val() | self.less.val() {
            self.changed_way.next = self.way.val();
        }
        self.changed_cell.next = self.walk.q.val();
        self.tags.write_data.next = self.tag.val() & self.tag_mask.val();
        self.addend.next = 0.into();
        if self.buffer.valid.val() {
            self.changed_cell.next =
                self.set_base.val() | bit_cast::<16, 8>(self.changed_way.val());
            self.tags.write_data.next = self.tag.val();
            self.addend.next = self.count.val();
        }
        self.tags.write_address.next = self.changed_cell.val();
        self.tags.write_enable.next = self.clears.val() | self.inserts.val();
        self.sum.next =
            bit_cast::<40, 32>(self.count_stage.q.val()) + bit_cast::<40, 32>(self.count.val());
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.new_count.next = self.addend.val();
        if self.found.val() {
            self.new_count.next = bit_cast::<32, 40>(self.sum.val()) & self.count_mask.val();
            if self.over.val() {
                self.new_count.next = self.count_mask.val();
            }
        }
        self.counts.write_address.next = self.changed_cell.val();
        self.counts.write_data.next = self.new_count.val();
        self.counts.write_enable.next = self.clears.val() | self.inserts.val() | self.found.val();
        self.hit.next = self.found.val();
        self.replacement.next = self.inserts.val() & !self.vacant.val();
        self.saturated.next = self.found.val() & self.over.val();

        // The readout: both memories show the wanted entry. What its tag lacks makes its index that of the set.
        self.issue.next = self.read_request.val()
            & !self.buffer.occupied.val()
            & !self.walking.q.val()
            & !self.reading.q.val();
        self.reading.d.next = self.issue.val();
        self.read.d.next = self.reading.q.val();
        self.found_index.start.next =
            bit_cast::<64, TAG_BITS>(self.tags.read_data.val() & self.start_mask.val())
                << self.start_shift.val();
        self.found_index.outcomes.next = bit_cast::<64, TAG_BITS>(
            (self.tags.read_data.val() >> self.outcomes_lsb.val()) & self.outcomes_mask.val(),
        );
        self.found_index.length.next = bit_cast::<7, TAG_BITS>(
            (self.tags.read_data.val() >> self.length_lsb.val()) & self.length_mask.val(),
        );
        self.found_tag.d.next = self.found_tag.q.val();
        self.found_start_low.d.next = self.found_start_low.q.val();
        if self.reading.q.val() {
            self.found_tag.d.next = 0.into();
            self.found_start_low.d.next = 0.into();
            if (self.tags.read_data.val() & self.filled.val()).any() {
                self.found_tag.d.next = self.tags.read_data.val();
                self.found_start_low.d.next = self.found_index.set.val() ^ self.read_set.val();
            }
        }
        self.read_done.next = self.read.q.val();
        self.read_tag.next = self.found_tag.q.val();
        self.read_start_low.next = self.found_start_low.q.val();
        self.read_count.next = self.count_stage.q.val();
    }
}
