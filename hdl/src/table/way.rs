//! One way of the hot path table: its accumulators, and whether a path is found in it.
//!
//! ```text
//!   stage    1              2                     3                  4                     5
//!   stored tag = path's tag? ---> patch ---> [hit] ---> patch ---> hit
//!   set --->( count RAM )---------------> [count] ------------> [count] ---> compare ---> [ ] ---> above?
//! ```
//!
//! A path that is up to four ahead in the pipeline may still change the set. It changes one way, to its own tag;
//! so instead of tags, hits are patched: a path finds itself in the way changed by an earlier path exactly if their
//! tags are equal. The three nearest earlier paths change accumulators that were already read; their new values
//! are known to the table, which takes them from there.

use rust_hdl::prelude::*;

use super::comparator::Comparator;
use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
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
    /// Stage 2: the operation reads an entry out.
    pub read_2: Signal<In, Bit>,
    /// Stage 2: the path one ahead is the same.
    pub repeats1_2: Signal<In, Bit>,
    /// Stage 2: the path two ahead is the same.
    pub repeats2_2: Signal<In, Bit>,
    /// Stage 2: the path three ahead is the same.
    pub repeats3_2: Signal<In, Bit>,
    /// Stage 2: the operation three ahead is for this set.
    pub near3_2: Signal<In, Bit>,
    /// Stage 2: the operation four ahead is for this set.
    pub near4_2: Signal<In, Bit>,
    /// Stage 2: the path four ahead has the same tag.
    pub same4_2: Signal<In, Bit>,
    /// Stage 3: the operation two ahead is for this set.
    pub near2_3: Signal<In, Bit>,
    /// Stage 3: the path two ahead is the same.
    pub repeats2_3: Signal<In, Bit>,
    /// Stage 3: the operation three ahead is for this set.
    pub near3_3: Signal<In, Bit>,
    /// Stage 4: the operation one ahead is for this set.
    pub near1_4: Signal<In, Bit>,
    /// Stage 4: set to write.
    pub set_4: Signal<In, Bits<16>>,
    /// Stage 4: accumulator to write.
    pub count_4: Signal<In, Bits<32>>,
    /// Stage 4: ways to write it to.
    pub write_4: Signal<In, Bits<32>>,
    /// Stage 5: way whose accumulator has changed (one-hot).
    pub way_5: Signal<In, Bits<32>>,
    /// Ways written by the operation in stage 5.
    pub written_5: Signal<In, Bits<32>>,
    /// Ways written by the operation in stage 6.
    pub written_6: Signal<In, Bits<32>>,
    /// Stage 4: the accumulator to write is greater than that of the operation one ahead.
    pub greater1_4: Signal<In, Bit>,
    /// Stage 4: it is greater or equal.
    pub not_less1_4: Signal<In, Bit>,
    /// Stage 4: the accumulator to write is greater than that of the operation two ahead.
    pub greater2_4: Signal<In, Bit>,
    /// Stage 4: it is greater or equal.
    pub not_less2_4: Signal<In, Bit>,
    /// Stage 4: the accumulator to write is greater than that of the operation three ahead.
    pub greater3_4: Signal<In, Bit>,
    /// Stage 4: it is greater or equal.
    pub not_less3_4: Signal<In, Bit>,

    /// Stage 2: tag of the entry being read out; 0 if that is in another way.
    pub read_tag: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 3: this way's bit if the path is found in this way, but for the path one ahead.
    pub hit: Signal<Out, Bits<32>>,
    /// Stage 3: the accumulator from memory if the path was found in this way in stage 2 or the way is being read out, else 0; also 0 if
    /// one of the three paths ahead is the same, and knows better.
    pub hit_count: Signal<Out, Bits<32>>,
    /// Stage 5: this way's bit if the way is another than the changed one, and is replaced before it.
    pub above: Signal<Out, Bits<32>>,

    counts: Ram<32>,
    comparator: Comparator,
    tag_match: TagMatch,
    tag_stage_2: Delay<Bits<TAG_BITS>>,
    hit_stage_3: Delay<Bit>,
    hit_count_stage_3: Delay<Bits<32>>,
    stored_stage_3: Delay<Bits<32>>,
    stored_stage_4: Delay<Bits<32>>,
    fresh2_stage_4: Delay<Bit>,
    fresh3_stage_4: Delay<Bit>,
    intact_stage_4: Delay<Bit>,
    old_greater_stage_5: Delay<Bit>,
    old_not_less_stage_5: Delay<Bit>,
    new_greater_stage_5: Delay<Bit>,
    new_not_less_stage_5: Delay<Bit>,

    counted: Signal<Local, Bit>,
    changed1: Signal<Local, Bit>,
    changed2: Signal<Local, Bit>,
    changed3: Signal<Local, Bit>,
    changed4: Signal<Local, Bit>,
    was_changed3: Signal<Local, Bit>,
    is_hit: Signal<Local, Bit>,
    greater: Signal<Local, Bit>,
    not_less: Signal<Local, Bit>,
    after: Signal<Local, Bit>,
    is_above: Signal<Local, Bit>,
    bit: Constant<Bits<32>>,
    choosing: Constant<Bits<32>>,
    below: Constant<Bit>,
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
        // The changed way comes after this one if it is one of those above, or is none of those below: the fewer are asked.
        let low = 2 * way < ways;
        Self {
            clk: Signal::default(),
            set_1: sized(set),
            read_1: Signal::default(),
            read_way: sized(ways),
            stored_1: sized(tag),
            tag_1: sized(tag),
            read_2: Signal::default(),
            repeats1_2: Signal::default(),
            repeats2_2: Signal::default(),
            repeats3_2: Signal::default(),
            near3_2: Signal::default(),
            near4_2: Signal::default(),
            same4_2: Signal::default(),
            near2_3: Signal::default(),
            repeats2_3: Signal::default(),
            near3_3: Signal::default(),
            near1_4: Signal::default(),
            set_4: sized(set),
            count_4: sized(count),
            write_4: sized(ways),
            way_5: sized(ways),
            written_5: sized(ways),
            written_6: sized(ways),
            greater1_4: Signal::default(),
            not_less1_4: Signal::default(),
            greater2_4: Signal::default(),
            not_less2_4: Signal::default(),
            greater3_4: Signal::default(),
            not_less3_4: Signal::default(),
            read_tag: sized(tag),
            hit: sized(ways),
            hit_count: sized(count),
            above: sized(ways),
            counts: Ram::new(1 << set, count, SameEdge::Any),
            comparator: Comparator::new(count),
            tag_match: TagMatch::new(tag),
            tag_stage_2: Delay::new(tag),
            hit_stage_3: Delay::new(1),
            hit_count_stage_3: Delay::new(count),
            stored_stage_3: Delay::new(count),
            stored_stage_4: Delay::new(count),
            fresh2_stage_4: Delay::new(1),
            fresh3_stage_4: Delay::new(1),
            intact_stage_4: Delay::new(1),
            old_greater_stage_5: Delay::new(1),
            old_not_less_stage_5: Delay::new(1),
            new_greater_stage_5: Delay::new(1),
            new_not_less_stage_5: Delay::new(1),
            counted: Signal::default(),
            changed1: Signal::default(),
            changed2: Signal::default(),
            changed3: Signal::default(),
            changed4: Signal::default(),
            was_changed3: Signal::default(),
            is_hit: Signal::default(),
            greater: Signal::default(),
            not_less: Signal::default(),
            after: Signal::default(),
            is_above: Signal::default(),
            bit: number(1 << way),
            choosing: if low {
                mask(way)
            } else {
                number((u32::MAX << way) << 1)
            },
            below: Constant::new(low),
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
        self.tag_stage_2.clk.next = self.clk.val();
        self.hit_stage_3.clk.next = self.clk.val();
        self.hit_count_stage_3.clk.next = self.clk.val();
        self.stored_stage_3.clk.next = self.clk.val();
        self.stored_stage_4.clk.next = self.clk.val();
        self.fresh2_stage_4.clk.next = self.clk.val();
        self.fresh3_stage_4.clk.next = self.clk.val();
        self.intact_stage_4.clk.next = self.clk.val();
        self.old_greater_stage_5.clk.next = self.clk.val();
        self.old_not_less_stage_5.clk.next = self.clk.val();
        self.new_greater_stage_5.clk.next = self.clk.val();
        self.new_not_less_stage_5.clk.next = self.clk.val();

        // Stage 1. Of a set being read out, only the wanted way's tag gets any further.
        self.counts.read_address.next = self.set_1.val();
        self.tag_match.a.next = self.stored_1.val();
        self.tag_match.b.next = self.tag_1.val();
        self.tag_stage_2.d.next = self.stored_1.val();
        if self.read_1.val() & !(self.read_way.val() & self.bit.val()).any() {
            self.tag_stage_2.d.next = 0.into();
        }
        self.read_tag.next = self.tag_stage_2.q.val();

        // Stage 2: compare.
        self.changed3.next = self.near3_2.val() & (self.written_5.val() & self.bit.val()).any();
        self.changed4.next = self.near4_2.val() & (self.written_6.val() & self.bit.val()).any();
        if self.changed3.val() {
            self.hit_stage_3.d.next = self.repeats3_2.val();
        } else if self.changed4.val() {
            self.hit_stage_3.d.next = self.same4_2.val();
        } else {
            self.hit_stage_3.d.next = self.tag_match.same.val();
        }
        // A register's clear is free; a selection of the way that hits would not be.
        self.counted.next = self.hit_stage_3.d.val()
            & !self.repeats1_2.val()
            & !self.repeats2_2.val()
            & !self.repeats3_2.val();
        if self.read_2.val() {
            self.counted.next = (self.read_way.val() & self.bit.val()).any();
        }
        self.stored_stage_3.d.next = self.counts.read_data.val();
        self.hit_count_stage_3.d.next = self.counts.read_data.val();
        if !self.counted.val() {
            self.hit_count_stage_3.d.next = 0.into();
        }

        // Stage 3: the path two ahead is decided, the one ahead is not.
        self.changed2.next = self.near2_3.val() & (self.written_5.val() & self.bit.val()).any();
        self.was_changed3.next = self.near3_3.val() & (self.written_6.val() & self.bit.val()).any();
        self.is_hit.next = self.hit_stage_3.q.val();
        if self.changed2.val() {
            self.is_hit.next = self.repeats2_3.val();
        }
        self.hit.next = 0.into();
        if self.is_hit.val() {
            self.hit.next = self.bit.val();
        }
        self.hit_count.next = self.hit_count_stage_3.q.val();
        self.stored_stage_4.d.next = self.stored_stage_3.q.val();
        self.fresh2_stage_4.d.next = self.changed2.val();
        self.fresh3_stage_4.d.next = self.was_changed3.val() & !self.changed2.val();
        self.intact_stage_4.d.next = !self.was_changed3.val() & !self.changed2.val();

        // Stage 4: the path one ahead is the last that can interfere.
        self.changed1.next = self.near1_4.val() & (self.written_5.val() & self.bit.val()).any();
        self.counts.write_address.next = self.set_4.val();
        self.counts.write_data.next = self.count_4.val();
        self.counts.write_enable.next = (self.write_4.val() & self.bit.val()).any();
        self.comparator.value.next = self.count_4.val();
        self.comparator.other.next = self.stored_stage_4.q.val();
        // The latest accumulator of this way is that of the path one, two or three ahead, or the stored one.
        self.new_greater_stage_5.d.next = self.fresh2_stage_4.q.val() & self.greater2_4.val();
        self.new_not_less_stage_5.d.next = self.fresh2_stage_4.q.val() & self.not_less2_4.val();
        self.old_greater_stage_5.d.next = (self.fresh3_stage_4.q.val() & self.greater3_4.val())
            | (self.intact_stage_4.q.val() & self.comparator.greater.val());
        self.old_not_less_stage_5.d.next = (self.fresh3_stage_4.q.val() & self.not_less3_4.val())
            | (self.intact_stage_4.q.val() & self.comparator.not_less.val());
        if self.changed1.val() {
            self.new_greater_stage_5.d.next = self.greater1_4.val();
            self.new_not_less_stage_5.d.next = self.not_less1_4.val();
            self.old_greater_stage_5.d.next = false;
            self.old_not_less_stage_5.d.next = false;
        }

        // Stage 5: how this way's accumulator compares with the changed one. Of equals, the lower way is replaced first.
        self.greater.next = self.new_greater_stage_5.q.val() | self.old_greater_stage_5.q.val();
        self.not_less.next = self.new_not_less_stage_5.q.val() | self.old_not_less_stage_5.q.val();
        self.after.next = (self.way_5.val() & self.choosing.val()).any() ^ self.below.val();
        self.is_above.next = self.greater.val();
        if self.after.val() {
            self.is_above.next = self.not_less.val();
        }
        self.above.next = 0.into();
        if self.is_above.val() & !(self.way_5.val() & self.bit.val()).any() {
            self.above.next = self.bit.val();
        }
    }
}
