//! The new accumulator: what is stored for the path, plus its count.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::TagLayout;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::Delay;

/// Stages 3 and 4 of the table: an addition, then a choice.
///
/// ```text
///   stored | two or three ahead --+-- + ---> [sum] ---> saturate ---+--> accumulator
///   one ahead, if repeated -------+   |                   found? ---+
///   count ----------------------------+---> (stage 4) --------------+
/// ```
///
/// Whether the path is found is known in stage 4 only, so the sum is made first.
#[derive(LogicBlock)]
pub struct Accumulator {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Stage 3: the accumulator in memory; 0 if a path not far ahead has changed it.
    pub stored_3: Signal<In, Bits<32>>,
    /// Stage 3: the accumulator as the path two ahead has left it; 0 if that is another path, or one nearer is the same.
    pub two_ahead_3: Signal<In, Bits<32>>,
    /// Stage 3: the accumulator as the path three ahead has left it; 0 if that is another path, or one nearer is the same.
    pub three_ahead_3: Signal<In, Bits<32>>,
    /// Stage 3: the path one ahead is this path.
    pub repeats_3: Signal<In, Bit>,
    /// Stage 3: count of the path.
    pub count_3: Signal<In, Bits<32>>,
    /// Stage 4: count of the path.
    pub count_4: Signal<In, Bits<32>>,
    /// Stage 4: the path is found.
    pub found_4: Signal<In, Bit>,
    /// Stage 4: what is stored, plus the count; modulo the width.
    pub sum_4: Signal<Out, Bits<32>>,
    /// Stage 4: the accumulator.
    pub accumulator_4: Signal<Out, Bits<32>>,
    /// Stage 4: the count of a path that is found does not fit into the accumulator.
    pub saturates_4: Signal<Out, Bit>,

    sum_stage_4: Delay<Bits<32>>,
    over_stage_4: Delay<Bit>,
    chosen: Signal<Local, Bits<32>>,
    forwarded: Signal<Local, Bits<32>>,
    left: Signal<Local, Bits<40>>,
    right: Signal<Local, Bits<40>>,
    sum: Signal<Local, Bits<40>>,
    count_bits: Constant<Bits<8>>,
    count_mask: Constant<Bits<32>>,
    low_mask: Constant<Bits<32>>,
    high_mask: Constant<Bits<32>>,
}

impl Accumulator {
    /// The accumulator of a table of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let count = TagLayout::new(geometry).count_bits;
        let events = geometry.event_counter_bits;
        Self {
            clk: Signal::default(),
            stored_3: sized(count),
            two_ahead_3: sized(count),
            three_ahead_3: sized(count),
            repeats_3: Signal::default(),
            count_3: sized(events),
            count_4: sized(events),
            found_4: Signal::default(),
            sum_4: sized(count),
            accumulator_4: sized(count),
            saturates_4: Signal::default(),
            sum_stage_4: Delay::new(count),
            over_stage_4: Delay::new(1),
            chosen: sized(count),
            forwarded: sized(count),
            left: sized(count + 1),
            right: sized(count + 1),
            sum: sized(count + 1),
            count_bits: number(count),
            count_mask: mask(count),
            low_mask: mask(events),
            high_mask: number(low_ones(count) & !low_ones(events)),
        }
    }
}

const fn low_ones(width: u32) -> u32 {
    u32::MAX >> (u32::BITS - width)
}

impl Logic for Accumulator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("accumulator: what is stored for a path, plus its count, saturated.");
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.sum_stage_4.clk.next = self.clk.val();
        self.over_stage_4.clk.next = self.clk.val();

        // Stage 3. The accumulator to add to is in memory or in the pipeline, and 0 where it is not. Above the bits that a
        // count can have, each of the two is an operand of its own, which saves choosing between them.
        self.forwarded.next = self.two_ahead_3.val() | self.three_ahead_3.val();
        if self.repeats_3.val() {
            self.forwarded.next =
                self.two_ahead_3.val() | self.three_ahead_3.val() | self.chosen.val();
        }
        self.left.next =
            bit_cast::<40, 32>(self.stored_3.val() | (self.forwarded.val() & self.low_mask.val()));
        self.right.next =
            bit_cast::<40, 32>((self.forwarded.val() & self.high_mask.val()) | self.count_3.val());
        self.sum.next = self.left.val() + self.right.val();
        self.sum_stage_4.d.next = bit_cast::<32, 40>(self.sum.val()) & self.count_mask.val();
        self.over_stage_4.d.next = (self.sum.val() >> self.count_bits.val()).any();

        // Stage 4. What is not found counts from 0.
        self.chosen.next = self.count_4.val();
        if self.found_4.val() {
            self.chosen.next = self.sum_stage_4.q.val();
            if self.over_stage_4.q.val() {
                self.chosen.next = self.count_mask.val();
            }
        }
        self.sum_4.next = self.sum_stage_4.q.val();
        self.accumulator_4.next = self.chosen.val();
        self.saturates_4.next = self.found_4.val() & self.over_stage_4.q.val();
    }
}
