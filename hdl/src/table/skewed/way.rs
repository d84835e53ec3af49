//! One way of a skewed table: its rows, and whether a path is found in it.
//!
//! ```text
//!   stage   0             1                       2                     3          4
//!   x, y ---> row --+---> [ ] --+--------------> [ ] ----------------> [ ] -----> [ ] ---> row to write
//!                   |           +-( counts ) --> & ------------------> [count]
//!                   |           +--> shadows or values
//!                   +---( tags ) ---------> [ ] --> = path's tag? ---> [hit]
//! ```
//!
//! While a path is being judged, all stages show the same path. With shadows, tag, accumulator and shadow of its row stay in view, those of one way at a
//! time.

use hpp_golden::config::Replacement;
use hpp_golden::profiler::table::rrip::VALUE_BITS;
use hpp_golden::profiler::table::shadow::SHADOW_BITS;
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use super::places::WayRow;
use super::shadow::WayShadow;
use super::tag::WholeLayout;
use super::value::WayValue;
use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge};
use crate::register::Delay;
use crate::table::layout::{TAG_BITS, TagLayout};

/// Rows of one way, and whether a path is found in it. Vectors over the ways have this way's bit in `bit`.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
#[circuit(
    resetless,
    whole: &WholeLayout,
    layout: &TagLayout,
    replacement: Replacement,
    way: u32,
    let shadows = usize::from(replacement == Replacement::Shadow),
    let values = usize::from(replacement == Replacement::Rrip)
)]
pub struct SkewedWay {
    /// Stage 0: the part of a row's number that all ways have in common.
    #[bits(layout.set_bits)]
    pub x_0: Signal<In, Bits<16>>,
    /// Stage 0: the other part, times this way's power of α.
    #[bits(layout.set_bits)]
    pub y_0: Signal<In, Bits<16>>,
    /// Stage 0: the other part, times the next way's power of α.
    #[bits(layout.set_bits)]
    pub next_y_0: Signal<Out, Bits<16>>,
    /// Stage 0: rows are emptied, of all ways the same.
    pub clear_0: Signal<In, Bit>,
    /// Stage 0: the row to empty.
    #[bits(layout.set_bits)]
    pub cleared_0: Signal<In, Bits<16>>,
    /// Stage 2: tag to look for.
    #[bits(whole.width())]
    pub tag_2: Signal<In, Bits<TAG_BITS>>,
    /// Stage 2: one of the three paths ahead is the same, and knows the accumulator better.
    pub repeats_2: Signal<In, Bit>,
    /// A path is judged: rows come into view.
    #[present(shadows > 0)]
    pub views: Signal<In, Bit>,
    /// The way to show the row of in the next cycle.
    #[present(shadows > 0)]
    #[bits(layout.ways)]
    pub select: Signal<In, Bits<32>>,
    /// Stage 4: tag to write.
    #[bits(whole.width())]
    pub tag_4: Signal<In, Bits<TAG_BITS>>,
    /// Stage 4: ways to write it to.
    #[bits(layout.ways)]
    pub write_tag_4: Signal<In, Bits<32>>,
    /// Stage 4: accumulator to write.
    #[bits(layout.count_bits)]
    pub count_4: Signal<In, Bits<32>>,
    /// Stage 4: ways to write it to.
    #[bits(layout.ways)]
    pub write_count_4: Signal<In, Bits<32>>,
    /// Stage 4: shadow's fingerprint to write.
    #[present(shadows > 0)]
    #[bits(FINGERPRINT_BITS)]
    pub fingerprint_4: Signal<In, Bits<16>>,
    /// Stage 4: shadow's count to write.
    #[present(shadows > 0)]
    #[bits(SHADOW_BITS)]
    pub shadow_4: Signal<In, Bits<5>>,
    /// Stage 4: k modulo 4.
    #[present(shadows > 0)]
    pub stamp_4: Signal<In, Bits<2>>,
    /// Stage 4: ways to write them to.
    #[present(shadows > 0)]
    #[bits(layout.ways)]
    pub write_shadow_4: Signal<In, Bits<32>>,
    /// Stage 4: the path is found.
    #[present(values > 0)]
    pub found_4: Signal<In, Bit>,
    /// Stage 4: the least value is subtracted from those of all ways.
    #[present(values > 0)]
    pub ages_4: Signal<In, Bit>,
    /// Stage 4: the least value.
    #[present(values > 0)]
    #[bits(VALUE_BITS)]
    pub least_4: Signal<In, Bits<2>>,

    /// Stage 3: this way's bit if the path is found in this way.
    #[bits(layout.ways)]
    pub hit_3: Signal<Out, Bits<32>>,
    /// Stage 3: the accumulator if the path is found in this way and nobody knows it better, else 0; of the row in view if selected, else 0.
    #[bits(layout.count_bits)]
    pub count_3: Signal<Out, Bits<32>>,
    /// Stage 3: this way's bit if the row is empty.
    #[bits(layout.ways)]
    pub vacant_3: Signal<Out, Bits<32>>,
    /// Stage 5: the row if this way was written, else 0.
    #[bits(layout.set_bits)]
    pub written_row_5: Signal<Out, Bits<16>>,
    /// Tag of the row in view if selected, else 0.
    #[present(shadows > 0)]
    #[bits(whole.width())]
    pub shown_tag: Signal<Out, Bits<TAG_BITS>>,
    /// Its shadow's fingerprint if selected, else 0.
    #[present(shadows > 0)]
    #[bits(FINGERPRINT_BITS)]
    pub shown_fingerprint: Signal<Out, Bits<16>>,
    /// Its shadow's count, as written, if selected, else 0.
    #[present(shadows > 0)]
    #[bits(SHADOW_BITS)]
    pub shown_shadow: Signal<Out, Bits<5>>,
    /// Its shadow's stamp if selected, else 0.
    #[present(shadows > 0)]
    pub shown_stamp: Signal<Out, Bits<2>>,

    /// Stage 3: this way's bit if its value has its high bit.
    #[present(values > 0)]
    #[bits(layout.ways)]
    pub high_3: Signal<Out, Bits<32>>,
    /// Stage 3: this way's bit if its value has its low bit.
    #[present(values > 0)]
    #[bits(layout.ways)]
    pub low_3: Signal<Out, Bits<32>>,

    #[new(layout.set_bits)]
    place: WayRow,
    #[new(1 << layout.set_bits, whole.width(), SameEdge::Any)]
    tags: Ram<TAG_BITS>,
    #[new(1 << layout.set_bits, layout.count_bits, SameEdge::Any)]
    counts: Ram<32>,
    #[each(_i in shadows)]
    #[new(layout)]
    shadows: Vec<WayShadow>,
    #[each(_i in values)]
    #[new(layout)]
    values: Vec<WayValue>,
    #[bits(layout.set_bits)]
    row_stage_1: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    row_stage_2: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    row_stage_3: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    row_stage_4: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    row_stage_5: Delay<Bits<16>>,
    #[bits(whole.width())]
    tag_stage_2: Delay<Bits<TAG_BITS>>,
    hit_stage_3: Delay<Bit>,
    vacant_stage_3: Delay<Bit>,
    #[bits(layout.count_bits)]
    count_stage_3: Delay<Bits<32>>,

    #[bits(layout.set_bits)]
    row_0: Signal<Local, Bits<16>>,
    found_2: Signal<Local, Bit>,
    hides: Signal<Local, Bit>,
    writes_4: Signal<Local, Bit>,
    #[number(1u32 << way)]
    bit: Constant<Bits<32>>,
    #[number(whole.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
    #[value(shadows)]
    _shadows: usize,
    #[value(values)]
    _values: usize,
}

impl Logic for SkewedWay {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 0.
        self.place.x.next = self.x_0.val();
        self.place.y.next = self.y_0.val();
        self.next_y_0.next = self.place.next_y.val();
        self.row_0.next = self.place.row.val();
        if self.clear_0.val() {
            self.row_0.next = self.cleared_0.val();
        }
        self.tags.read_address.next = self.row_0.val();
        self.row_stage_1.d.next = self.row_0.val();

        // Stage 1. A register's clear is free; a selection of the way in view, or of that which hits, would not be.
        self.hides.next = self.views.val() & !(self.select.val() & self.bit.val()).any();
        self.counts.read_address.next = self.row_stage_1.q.val();
        self.tag_stage_2.d.next = self.tags.read_data.val();
        if self.hides.val() {
            self.tag_stage_2.d.next = 0.into();
        }
        self.row_stage_2.d.next = self.row_stage_1.q.val();

        // Stage 2.
        self.found_2.next = self.tag_stage_2.q.val() == self.tag_2.val();
        self.hit_stage_3.d.next = self.found_2.val();
        self.vacant_stage_3.d.next = !(self.tag_stage_2.q.val() & self.filled.val()).any();
        self.count_stage_3.d.next = self.counts.read_data.val();
        if self.hides.val() | (!self.views.val() & (!self.found_2.val() | self.repeats_2.val())) {
            self.count_stage_3.d.next = 0.into();
        }
        self.row_stage_3.d.next = self.row_stage_2.q.val();

        // Stage 3.
        self.hit_3.next = 0.into();
        if self.hit_stage_3.q.val() {
            self.hit_3.next = self.bit.val();
        }
        self.vacant_3.next = 0.into();
        if self.vacant_stage_3.q.val() {
            self.vacant_3.next = self.bit.val();
        }
        self.count_3.next = self.count_stage_3.q.val();
        self.row_stage_4.d.next = self.row_stage_3.q.val();

        // Stage 4.
        self.tags.write_address.next = self.row_stage_4.q.val();
        self.tags.write_data.next = self.tag_4.val();
        self.tags.write_enable.next = (self.write_tag_4.val() & self.bit.val()).any();
        self.counts.write_address.next = self.row_stage_4.q.val();
        self.counts.write_data.next = self.count_4.val();
        self.writes_4.next = (self.write_count_4.val() & self.bit.val()).any();
        self.counts.write_enable.next = self.writes_4.val();
        self.row_stage_5.d.next = self.row_stage_4.q.val();
        if !self.writes_4.val() {
            self.row_stage_5.d.next = 0.into();
        }
        self.written_row_5.next = self.row_stage_5.q.val();

        // What the policy keeps of a row.
        self.shown_tag.next = self.tag_stage_2.q.val();
        for i in 0..self._shadows {
            self.shadows[i].row_1.next = self.row_stage_1.q.val();
            self.shadows[i].hides_2.next = self.hides.val();
            self.shadows[i].row_4.next = self.row_stage_4.q.val();
            self.shadows[i].write_4.next = (self.write_shadow_4.val() & self.bit.val()).any();
            self.shadows[i].fingerprint_4.next = self.fingerprint_4.val();
            self.shadows[i].count_4.next = self.shadow_4.val();
            self.shadows[i].stamp_4.next = self.stamp_4.val();
            self.shown_fingerprint.next = self.shadows[i].shown_fingerprint.val();
            self.shown_shadow.next = self.shadows[i].shown_count.val();
            self.shown_stamp.next = self.shadows[i].shown_stamp.val();
        }
        for i in 0..self._values {
            self.values[i].row_1.next = self.row_stage_1.q.val();
            self.values[i].row_4.next = self.row_stage_4.q.val();
            self.values[i].writes_4.next = self.writes_4.val();
            self.values[i].found_4.next = self.found_4.val();
            self.values[i].ages_4.next = self.ages_4.val();
            self.values[i].least_4.next = self.least_4.val();
            self.high_3.next = 0.into();
            if self.values[i].value_3.val().get_bit(1) {
                self.high_3.next = self.bit.val();
            }
            self.low_3.next = 0.into();
            if self.values[i].value_3.val().get_bit(0) {
                self.low_3.next = self.bit.val();
            }
        }
    }
}
