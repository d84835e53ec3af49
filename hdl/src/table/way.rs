//! One way of the hot path table: its tags, its accumulators, and whether a path is found in it.
//!
//! ```text
//!   stage   0            1               2                     3                  4
//!        set --->( tag RAM )---> = path's tag? -------------> [hit] ---> patch ---> hit
//!                    set --->( count RAM )------------------> [count] -------------> [count] ---> above?
//! ```
//!
//! A path that is up to three ahead in the pipeline may still change the set. It changes one way, to its own tag;
//! so instead of tags, hits are patched: a path finds itself in the way changed by an earlier path exactly if their
//! tags are equal. The two nearest earlier paths change accumulators that were already read; their new values
//! are known to the table, which takes them from there.

use rust_hdl::prelude::*;

use super::comparator::Comparator;
use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::annotate::{comment, sized};
use crate::constant::number;
use crate::ram::{Ram, SameEdge};
use crate::register::Delay;

/// One way of the table. Vectors over the ways have this way's bit in `bit`.
#[derive(LogicBlock)]
pub struct TableWay {
    /// Clock.
    pub clk: Signal<In, Clock>,

    /// Stage 0: set to read tags of.
    pub set_0: Signal<In, Bits<16>>,
    /// Stage 1: set to read accumulators of.
    pub set_1: Signal<In, Bits<16>>,
    /// Stage 1: the operation reads an entry out.
    pub read_1: Signal<In, Bit>,
    /// The way being read out (one-hot).
    pub read_way: Signal<In, Bits<32>>,
    /// Stage 1: tag to look for.
    pub tag_1: Signal<In, Bits<TAG_BITS>>,
    /// Stage 2: the operation empties the set.
    pub clear_2: Signal<In, Bit>,
    /// Stage 2: the operation reads an entry out.
    pub read_2: Signal<In, Bit>,
    /// Stage 2: the path two ahead has changed this set.
    pub follows2_2: Signal<In, Bit>,
    /// Stage 2: the path two ahead has the same tag.
    pub same2_2: Signal<In, Bit>,
    /// Stage 2: the path three ahead has changed this set.
    pub follows3_2: Signal<In, Bit>,
    /// Stage 2: the path three ahead has the same tag.
    pub same3_2: Signal<In, Bit>,
    /// Stage 3: the path one ahead has changed this set.
    pub follows1_3: Signal<In, Bit>,
    /// Stage 3: the path one ahead has the same tag.
    pub same1_3: Signal<In, Bit>,

    /// Stage 3: set to write.
    pub set_3: Signal<In, Bits<16>>,
    /// Stage 3: tag to write.
    pub tag_3: Signal<In, Bits<TAG_BITS>>,
    /// Stage 3: accumulator to write.
    pub count_3: Signal<In, Bits<32>>,
    /// Stage 3: ways to write.
    pub way_3: Signal<In, Bits<32>>,
    /// Stage 3: write the tag.
    pub write_tag_3: Signal<In, Bit>,
    /// Stage 3: write the accumulator.
    pub write_count_3: Signal<In, Bit>,

    /// Stage 4: way changed by the operation there.
    pub way_4: Signal<In, Bits<32>>,
    /// Stage 4: its accumulator.
    pub count_4: Signal<In, Bits<32>>,
    /// Stage 4: it emptied the set.
    pub cleared_4: Signal<In, Bit>,
    /// Stage 4: the path one ahead of it changed the same set.
    pub follows1_4: Signal<In, Bit>,
    /// Stage 4: the path two ahead of it changed the same set.
    pub follows2_4: Signal<In, Bit>,
    /// Stage 4: its accumulator lies above that of the path one ahead.
    pub above_5: Signal<In, Bit>,
    /// Stage 4: its accumulator lies above that of the path two ahead.
    pub above_6: Signal<In, Bit>,
    /// Way changed by the operation in stage 5.
    pub way_5: Signal<In, Bits<32>>,
    /// The operation in stage 5 emptied its set.
    pub cleared_5: Signal<In, Bit>,
    /// Way changed by the operation in stage 6.
    pub way_6: Signal<In, Bits<32>>,

    /// Stage 2: tag of the entry being read out; 0 if that is in another way.
    pub read_tag: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 3: this way's bit if the path is found in this way.
    pub hit: Signal<Out, Bits<32>>,
    /// Stage 3: this way's bit if the way is empty.
    pub vacant: Signal<Out, Bits<32>>,
    /// Stage 3: the accumulator from memory if the path was found in this way in stage 2, else 0.
    pub hit_count: Signal<Out, Bits<32>>,
    /// Stage 4: this way's bit if the accumulator in stage 4 lies above this way's (or equals it, for a way below).
    pub above: Signal<Out, Bits<32>>,
    /// Stage 4: this way's bit if the changed way is a higher one.
    pub below: Signal<Out, Bits<32>>,

    tags: Ram<TAG_BITS>,
    counts: Ram<32>,
    comparator: Comparator,
    tag_match: TagMatch,
    tag_stage: Delay<Bits<TAG_BITS>>,
    hit_stage: Delay<Bit>,
    filled_stage: Delay<Bit>,
    count_stage: Delay<Bits<32>>,
    stored_stage: Delay<Bits<32>>,
    other_stage: Delay<Bits<32>>,

    changed1: Signal<Local, Bit>,
    changed2: Signal<Local, Bit>,
    changed3: Signal<Local, Bit>,
    is_hit: Signal<Local, Bit>,
    is_filled: Signal<Local, Bit>,
    is_above: Signal<Local, Bit>,
    is_below: Signal<Local, Bit>,
    filled_bit: Constant<Bits<TAG_BITS>>,
    bit: Constant<Bits<32>>,
    higher: Constant<Bits<32>>,
}

impl TableWay {
    /// Way number `way` of a table with this layout.
    #[must_use]
    pub fn new(layout: &TagLayout, way: u32) -> Self {
        let (tag, count, ways, set) = (
            layout.width(),
            layout.count_bits,
            layout.ways,
            layout.set_bits,
        );
        let all_ways = u32::MAX >> (32 - ways);
        Self {
            clk: Signal::default(),
            set_0: sized(set),
            set_1: sized(set),
            read_1: Signal::default(),
            read_way: sized(ways),
            tag_1: sized(tag),
            clear_2: Signal::default(),
            read_2: Signal::default(),
            follows2_2: Signal::default(),
            same2_2: Signal::default(),
            follows3_2: Signal::default(),
            same3_2: Signal::default(),
            follows1_3: Signal::default(),
            same1_3: Signal::default(),
            set_3: sized(set),
            tag_3: sized(tag),
            count_3: sized(count),
            way_3: sized(ways),
            write_tag_3: Signal::default(),
            write_count_3: Signal::default(),
            way_4: sized(ways),
            count_4: sized(count),
            cleared_4: Signal::default(),
            follows1_4: Signal::default(),
            follows2_4: Signal::default(),
            above_5: Signal::default(),
            above_6: Signal::default(),
            way_5: sized(ways),
            cleared_5: Signal::default(),
            way_6: sized(ways),
            read_tag: sized(tag),
            hit: sized(ways),
            vacant: sized(ways),
            hit_count: sized(count),
            above: sized(ways),
            below: sized(ways),
            tags: Ram::new(1 << set, tag, SameEdge::Any),
            counts: Ram::new(1 << set, count, SameEdge::Any),
            comparator: Comparator::new(count),
            tag_match: TagMatch::new(tag),
            tag_stage: Delay::new(tag),
            hit_stage: Delay::new(1),
            filled_stage: Delay::new(1),
            count_stage: Delay::new(count),
            stored_stage: Delay::new(count),
            other_stage: Delay::new(count),
            changed1: Signal::default(),
            changed2: Signal::default(),
            changed3: Signal::default(),
            is_hit: Signal::default(),
            is_filled: Signal::default(),
            is_above: Signal::default(),
            is_below: Signal::default(),
            filled_bit: Constant::new(layout.filled_bit()),
            bit: number(1 << way),
            higher: number(all_ways & (u32::MAX << way) & !(1 << way)),
        }
    }
}

impl Logic for TableWay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("table_way: tags and accumulators of one way, and whether a path is found in it.");
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.tags.clk.next = self.clk.val();
        self.counts.clk.next = self.clk.val();
        self.tag_match.clk.next = self.clk.val();
        self.tag_stage.clk.next = self.clk.val();
        self.hit_stage.clk.next = self.clk.val();
        self.filled_stage.clk.next = self.clk.val();
        self.count_stage.clk.next = self.clk.val();
        self.stored_stage.clk.next = self.clk.val();
        self.other_stage.clk.next = self.clk.val();

        // Stages 0 and 1: read. Of a set being read out, only the wanted way's tag gets any further.
        self.tags.read_address.next = self.set_0.val();
        self.counts.read_address.next = self.set_1.val();
        self.tag_match.a.next = self.tags.read_data.val();
        self.tag_match.b.next = self.tag_1.val();
        self.tag_stage.d.next = self.tags.read_data.val();
        if self.read_1.val() & !(self.read_way.val() & self.bit.val()).any() {
            self.tag_stage.d.next = 0.into();
        }
        self.read_tag.next = self.tag_stage.q.val();

        // Stage 2: compare.
        self.changed2.next = self.follows2_2.val() & (self.way_4.val() & self.bit.val()).any();
        self.changed3.next = self.follows3_2.val() & (self.way_5.val() & self.bit.val()).any();
        if self.clear_2.val() {
            self.hit_stage.d.next = false;
        } else if self.read_2.val() {
            self.hit_stage.d.next = (self.read_way.val() & self.bit.val()).any();
        } else if self.changed2.val() {
            self.hit_stage.d.next = self.same2_2.val();
        } else if self.changed3.val() {
            self.hit_stage.d.next = self.same3_2.val();
        } else {
            self.hit_stage.d.next = self.tag_match.same.val();
        }
        if self.changed2.val() {
            self.filled_stage.d.next = !self.cleared_4.val();
        } else if self.changed3.val() {
            self.filled_stage.d.next = !self.cleared_5.val();
        } else {
            self.filled_stage.d.next = (self.tag_stage.q.val() & self.filled_bit.val()).any();
        }
        // A register's clear is free; a selection of the way that hits would not be.
        self.stored_stage.d.next = self.counts.read_data.val();
        self.count_stage.d.next = self.counts.read_data.val();
        if !self.hit_stage.d.val() | self.changed2.val() {
            self.count_stage.d.next = 0.into();
        }

        // Stage 3: the path one ahead is the last that can interfere.
        self.changed1.next = self.follows1_3.val() & (self.way_4.val() & self.bit.val()).any();
        self.is_hit.next = self.hit_stage.q.val();
        self.is_filled.next = self.filled_stage.q.val();
        if self.changed1.val() {
            self.is_hit.next = self.same1_3.val();
            self.is_filled.next = !self.cleared_4.val();
        }
        self.hit.next = 0.into();
        if self.is_hit.val() {
            self.hit.next = self.bit.val();
        }
        self.hit_count.next = self.count_stage.q.val();
        self.vacant.next = self.bit.val();
        if self.is_filled.val() {
            self.vacant.next = 0.into();
        }
        self.tags.write_address.next = self.set_3.val();
        self.tags.write_data.next = self.tag_3.val();
        self.tags.write_enable.next =
            self.write_tag_3.val() & (self.way_3.val() & self.bit.val()).any();
        self.counts.write_address.next = self.set_3.val();
        self.counts.write_data.next = self.count_3.val();
        self.counts.write_enable.next =
            self.write_count_3.val() & (self.way_3.val() & self.bit.val()).any();

        // Stage 4: how this way's accumulator compares with the one just changed.
        self.other_stage.d.next = self.stored_stage.q.val();
        self.comparator.value.next = self.count_4.val();
        self.comparator.other.next = self.other_stage.q.val();
        self.is_below.next = (self.way_4.val() & self.higher.val()).any();
        self.comparator.or_equal.next = self.is_below.val();
        self.below.next = 0.into();
        if self.is_below.val() {
            self.below.next = self.bit.val();
        }
        if self.follows1_4.val() & (self.way_5.val() & self.bit.val()).any() {
            self.is_above.next = self.above_5.val();
        } else if self.follows2_4.val() & (self.way_6.val() & self.bit.val()).any() {
            self.is_above.next = self.above_6.val();
        } else {
            self.is_above.next = self.comparator.above.val();
        }
        self.above.next = 0.into();
        if self.is_above.val() {
            self.above.next = self.bit.val();
        }
    }
}
