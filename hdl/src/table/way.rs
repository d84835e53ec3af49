//! One way of the hot path table: its accumulators, and whether a path is found in it.
//!
//! ```text
//!   stage    1              2                     3                  4
//!   stored tag = path's tag? -------------> [hit] ---> patch ---> hit
//!   set --->( count RAM )-----------------> [count] -------------> [count] ---> above?
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

    /// Stage 1: set to read accumulators of.
    pub set_1: Signal<In, Bits<16>>,
    /// Stage 1: the operation reads an entry out.
    pub read_1: Signal<In, Bit>,
    /// The way being read out (one-hot).
    pub read_way: Signal<In, Bits<32>>,
    /// Stage 1: this way's tag as stored.
    pub stored_1: Signal<In, Bits<TAG_BITS>>,
    /// Stage 1: tag to look for.
    pub tag_1: Signal<In, Bits<TAG_BITS>>,
    /// Stage 2: the operation empties the set.
    pub clear_2: Signal<In, Bit>,
    /// Stage 2: the operation reads an entry out.
    pub read_2: Signal<In, Bit>,
    /// Stage 2: the operation two ahead is for this set.
    pub near2_2: Signal<In, Bit>,
    /// Stage 2: the path two ahead has the same tag.
    pub same2_2: Signal<In, Bit>,
    /// Stage 2: the path one ahead is the same.
    pub repeats_2: Signal<In, Bit>,
    /// Stage 2: the operation three ahead is for this set.
    pub near3_2: Signal<In, Bit>,
    /// Stage 2: the path three ahead has the same tag.
    pub same3_2: Signal<In, Bit>,
    /// Stage 3: the operation one ahead is for this set.
    pub near1_3: Signal<In, Bit>,
    /// Stage 3: the path one ahead has the same tag.
    pub same1_3: Signal<In, Bit>,
    /// Stage 3: the operation two ahead is for this set.
    pub near2_3: Signal<In, Bit>,

    /// Stage 3: the operation empties the set.
    pub clear_3: Signal<In, Bit>,
    /// Stage 3: set to write.
    pub set_3: Signal<In, Bits<16>>,
    /// Stage 3: accumulator to write.
    pub count_3: Signal<In, Bits<32>>,
    /// Stage 3: ways to write it to.
    pub write_3: Signal<In, Bits<32>>,

    /// Ways written by the operation in stage 4.
    pub written_4: Signal<In, Bits<32>>,
    /// Stage 4: number of the way whose accumulator has changed.
    pub number_4: Signal<In, Bits<5>>,
    /// Stage 4: that accumulator.
    pub count_4: Signal<In, Bits<32>>,
    /// Stage 4: that way (one-hot).
    pub way_4: Signal<In, Bits<32>>,
    /// Stage 4: the operation emptied the set.
    pub cleared_4: Signal<In, Bit>,
    /// Stage 4: its accumulator lies above that of the path one ahead.
    pub above_5: Signal<In, Bit>,
    /// Stage 4: its accumulator lies above that of the path two ahead.
    pub above_6: Signal<In, Bit>,
    /// Ways written by the operation in stage 5.
    pub written_5: Signal<In, Bits<32>>,
    /// The operation in stage 5 emptied its set.
    pub cleared_5: Signal<In, Bit>,

    /// Stage 2: tag of the entry being read out; 0 if that is in another way.
    pub read_tag: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 3: this way's bit if the path is found in this way.
    pub hit: Signal<Out, Bits<32>>,
    /// Stage 3: this way's bit if the way is empty.
    pub vacant: Signal<Out, Bits<32>>,
    /// Stage 3: the accumulator from memory if the path was found in this way in stage 2, else 0; also 0 if one of the two
    /// paths ahead is the same, and knows better.
    pub hit_count: Signal<Out, Bits<32>>,
    /// Stage 4: this way's bit if the accumulator in stage 4 lies above this way's.
    pub above: Signal<Out, Bits<32>>,
    /// Stage 4: the changed accumulator lies above this way's, which is another and was not changed by the two paths ahead.
    pub above_stored: Signal<Out, Bit>,
    /// Stage 4: this way is another than the changed one, and was changed by the path one ahead.
    pub other_5: Signal<Out, Bit>,
    /// Stage 4: this way is another than the changed one, and was changed by the path two ahead and none since.
    pub other_6: Signal<Out, Bit>,

    counts: Ram<32>,
    comparator: Comparator,
    tag_match: TagMatch,
    tag_stage: Delay<Bits<TAG_BITS>>,
    hit_stage: Delay<Bit>,
    filled_stage: Delay<Bit>,
    count_stage: Delay<Bits<32>>,
    stored_stage: Delay<Bits<32>>,
    other_stage: Delay<Bits<32>>,
    fresh5_stage: Delay<Bit>,
    fresh6_stage: Delay<Bit>,
    stored_stage_4: Delay<Bit>,

    changed1: Signal<Local, Bit>,
    changed2: Signal<Local, Bit>,
    changed3: Signal<Local, Bit>,
    is_hit: Signal<Local, Bit>,
    is_filled: Signal<Local, Bit>,
    is_above: Signal<Local, Bit>,
    is_other: Signal<Local, Bit>,
    written6: Signal<Local, Bit>,
    filled_bit: Constant<Bits<TAG_BITS>>,
    bit: Constant<Bits<32>>,
    number: Constant<Bits<5>>,
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
        Self {
            clk: Signal::default(),
            set_1: sized(set),
            read_1: Signal::default(),
            read_way: sized(ways),
            stored_1: sized(tag),
            tag_1: sized(tag),
            clear_2: Signal::default(),
            read_2: Signal::default(),
            near2_2: Signal::default(),
            same2_2: Signal::default(),
            repeats_2: Signal::default(),
            near3_2: Signal::default(),
            same3_2: Signal::default(),
            near1_3: Signal::default(),
            same1_3: Signal::default(),
            near2_3: Signal::default(),
            clear_3: Signal::default(),
            set_3: sized(set),
            count_3: sized(count),
            write_3: sized(ways),
            written_4: sized(ways),
            number_4: sized(layout.way_bits),
            count_4: sized(count),
            way_4: sized(ways),
            cleared_4: Signal::default(),
            above_5: Signal::default(),
            above_6: Signal::default(),
            written_5: sized(ways),
            cleared_5: Signal::default(),
            read_tag: sized(tag),
            hit: sized(ways),
            vacant: sized(ways),
            hit_count: sized(count),
            above: sized(ways),
            above_stored: Signal::default(),
            other_5: Signal::default(),
            other_6: Signal::default(),
            counts: Ram::new(1 << set, count, SameEdge::Any),
            comparator: Comparator::new(count, layout.way_bits),
            tag_match: TagMatch::new(tag),
            tag_stage: Delay::new(tag),
            hit_stage: Delay::new(1),
            filled_stage: Delay::new(1),
            count_stage: Delay::new(count),
            stored_stage: Delay::new(count),
            other_stage: Delay::new(count),
            fresh5_stage: Delay::new(1),
            fresh6_stage: Delay::new(1),
            stored_stage_4: Delay::new(1),
            changed1: Signal::default(),
            changed2: Signal::default(),
            changed3: Signal::default(),
            is_hit: Signal::default(),
            is_filled: Signal::default(),
            is_above: Signal::default(),
            is_other: Signal::default(),
            written6: Signal::default(),
            filled_bit: Constant::new(layout.filled_bit()),
            bit: number(1 << way),
            number: number(way),
        }
    }
}

impl Logic for TableWay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("table_way: accumulators of one way, and whether a path is found in it.");
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.counts.clk.next = self.clk.val();
        self.tag_match.clk.next = self.clk.val();
        self.tag_stage.clk.next = self.clk.val();
        self.hit_stage.clk.next = self.clk.val();
        self.filled_stage.clk.next = self.clk.val();
        self.count_stage.clk.next = self.clk.val();
        self.stored_stage.clk.next = self.clk.val();
        self.other_stage.clk.next = self.clk.val();
        self.fresh5_stage.clk.next = self.clk.val();
        self.fresh6_stage.clk.next = self.clk.val();
        self.stored_stage_4.clk.next = self.clk.val();

        // Stage 1. Of a set being read out, only the wanted way's tag gets any further.
        self.counts.read_address.next = self.set_1.val();
        self.tag_match.a.next = self.stored_1.val();
        self.tag_match.b.next = self.tag_1.val();
        self.tag_stage.d.next = self.stored_1.val();
        if self.read_1.val() & !(self.read_way.val() & self.bit.val()).any() {
            self.tag_stage.d.next = 0.into();
        }
        self.read_tag.next = self.tag_stage.q.val();

        // Stage 2: compare.
        self.changed2.next = self.near2_2.val() & (self.written_4.val() & self.bit.val()).any();
        self.changed3.next = self.near3_2.val() & (self.written_5.val() & self.bit.val()).any();
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
        if !self.hit_stage.d.val() | self.changed2.val() | self.repeats_2.val() {
            self.count_stage.d.next = 0.into();
        }

        // Stage 3: the path one ahead is the last that can interfere.
        self.changed1.next = self.near1_3.val() & (self.written_4.val() & self.bit.val()).any();
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
        self.counts.write_address.next = self.set_3.val();
        self.counts.write_data.next = self.count_3.val();
        self.counts.write_enable.next = (self.write_3.val() & self.bit.val()).any();
        // An emptied set's accumulators are above none, also of those just emptied.
        self.fresh5_stage.d.next = self.changed1.val() & !self.clear_3.val();
        self.written6.next = self.near2_3.val() & (self.written_5.val() & self.bit.val()).any();
        self.fresh6_stage.d.next = self.written6.val() & !self.changed1.val() & !self.clear_3.val();
        self.stored_stage_4.d.next = !self.written6.val() & !self.changed1.val();

        // Stage 4: how this way's accumulator compares with the one just changed.
        self.other_stage.d.next = self.stored_stage.q.val();
        self.comparator.value.next = self.count_4.val();
        self.comparator.way.next = self.number_4.val();
        self.comparator.other.next = self.other_stage.q.val();
        self.comparator.other_way.next = self.number.val();
        if self.fresh5_stage.q.val() {
            self.is_above.next = self.above_5.val();
        } else if self.fresh6_stage.q.val() {
            self.is_above.next = self.above_6.val();
        } else {
            self.is_above.next = self.comparator.above.val();
        }
        self.above.next = 0.into();
        if self.is_above.val() {
            self.above.next = self.bit.val();
        }
        // The comparison comes last, and alone.
        self.is_other.next = !(self.way_4.val() & self.bit.val()).any();
        self.above_stored.next =
            self.is_other.val() & self.stored_stage_4.q.val() & self.comparator.above.val();
        self.other_5.next = self.is_other.val() & self.fresh5_stage.q.val();
        self.other_6.next = self.is_other.val() & self.fresh6_stage.q.val();
    }
}
