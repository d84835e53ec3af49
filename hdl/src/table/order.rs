//! The order of a set's accumulators: who is the least frequently used.
//!
//! Finding the smallest of several accumulators takes a tree of comparators, too slow for a path a cycle into one
//! set. So the order is stored with the set, and repaired when an accumulator changes. Bit *i* of row *j* (*i* < *j*)
//! says that way *j*'s accumulator is smaller than way *i*'s; all bits are 0 when all are equal, as in an empty set.
//! The least way, the lowest of equals, has every bit of its row set and is beaten by no higher way.

use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::Delay;

/// The greatest width of a set's order: one bit for each pair of ways.
pub const ORDER_BITS: usize = 496;

/// One row of the order relation: a way against the ways below it.
///
/// ```text
///   stage  3                      4                    5                           6
///   stored row ---> patch ---> [row] ---> patch ---> [row] ---> repair ---+---> [row]
///                     ^          |          ^          |                  |       |
///                     |          +-> least? |          +-> least of rest? |       |
///                     +---------------------+-----------------------------+       |
///                     +-----------------------------------------------------------+
/// ```
///
/// Behind a path that changes the set in the cycle before, the least way is that path's or the least of the rest,
/// so one question decides: does its accumulator lie above any of the others?
#[derive(LogicBlock)]
pub struct OrderRow {
    /// Clock.
    pub clk: Signal<In, Clock>,

    /// Stage 3: the set's order as stored.
    pub stored_3: Signal<In, Bits<ORDER_BITS>>,
    /// Stage 3: the path two ahead has changed this set.
    pub follows2_3: Signal<In, Bit>,
    /// Stage 3: the path three ahead has changed this set.
    pub follows3_3: Signal<In, Bit>,
    /// Stage 4: the path one ahead has changed this set.
    pub follows1_4: Signal<In, Bit>,
    /// Stage 4: ways beaten by a higher way.
    pub beaten_4: Signal<In, Bits<32>>,
    /// Stage 5: way whose accumulator has changed.
    pub way_5: Signal<In, Bits<32>>,
    /// Stage 5: ways whose accumulators lie below the changed one.
    pub above_5: Signal<In, Bits<32>>,
    /// Stage 5: ways beaten by a higher way other than the changed one.
    pub beaten_5: Signal<In, Bits<32>>,
    /// Stage 5: the set was emptied.
    pub cleared_5: Signal<In, Bit>,

    /// Stage 4: this row, but for the path one ahead.
    pub row_4: Signal<Out, Bits<32>>,
    /// Stage 4: this way's bit if it is the least frequently used, but for the path one ahead.
    pub least_4: Signal<Out, Bits<32>>,
    /// Stage 5: this row before the change; 0 if this way is the changed one.
    pub row_5: Signal<Out, Bits<32>>,
    /// Stage 5: this way's bit if it is the least frequently used of those that have not changed.
    pub rest_5: Signal<Out, Bits<32>>,
    /// Stage 5: this row repaired, in its place in the set's order.
    pub repaired_5: Signal<Out, Bits<ORDER_BITS>>,

    row_stage: Delay<Bits<32>>,
    last_stage: Delay<Bits<32>>,
    repaired_stage: Delay<Bits<32>>,
    is_changed: Signal<Local, Bit>,
    repaired: Signal<Local, Bits<32>>,
    bit: Constant<Bits<32>>,
    row_mask: Constant<Bits<32>>,
    lsb: Constant<Bits<16>>,
}

impl OrderRow {
    /// The row of way number `way` in a set of `ways` ways.
    #[must_use]
    pub fn new(ways: u32, way: u32) -> Self {
        let order_bits = ways * (ways - 1) / 2;
        Self {
            clk: Signal::default(),
            stored_3: sized(order_bits),
            follows2_3: Signal::default(),
            follows3_3: Signal::default(),
            follows1_4: Signal::default(),
            beaten_4: sized(ways),
            way_5: sized(ways),
            above_5: sized(ways),
            beaten_5: sized(ways),
            cleared_5: Signal::default(),
            row_4: sized(ways),
            least_4: sized(ways),
            row_5: sized(ways),
            rest_5: sized(ways),
            repaired_5: sized(order_bits),
            row_stage: Delay::new(way),
            last_stage: Delay::new(way),
            repaired_stage: Delay::new(way),
            is_changed: Signal::default(),
            repaired: sized(way),
            bit: number(1 << way),
            row_mask: mask(way),
            lsb: number(way * way.saturating_sub(1) / 2),
        }
    }
}

impl Logic for OrderRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("order_row: which lower ways have a greater accumulator than this way.");
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.row_stage.clk.next = self.clk.val();
        self.last_stage.clk.next = self.clk.val();
        self.repaired_stage.clk.next = self.clk.val();

        // Stage 3.
        if self.follows2_3.val() {
            self.row_stage.d.next = self.repaired.val();
        } else if self.follows3_3.val() {
            self.row_stage.d.next = self.repaired_stage.q.val();
        } else {
            self.row_stage.d.next =
                bit_cast::<32, ORDER_BITS>(self.stored_3.val() >> self.lsb.val())
                    & self.row_mask.val();
        }

        // Stage 4.
        self.row_4.next = self.row_stage.q.val();
        self.least_4.next = 0.into();
        if (self.row_stage.q.val() == self.row_mask.val())
            & !(self.beaten_4.val() & self.bit.val()).any()
        {
            self.least_4.next = self.bit.val();
        }
        self.last_stage.d.next = self.row_stage.q.val();
        if self.follows1_4.val() {
            self.last_stage.d.next = self.repaired.val();
        }

        // Stage 5.
        self.is_changed.next = (self.way_5.val() & self.bit.val()).any();
        self.row_5.next = self.last_stage.q.val();
        self.rest_5.next = 0.into();
        if self.is_changed.val() {
            self.row_5.next = 0.into();
        } else if (((self.last_stage.q.val() | self.way_5.val()) & self.row_mask.val())
            == self.row_mask.val())
            & !(self.beaten_5.val() & self.bit.val()).any()
        {
            self.rest_5.next = self.bit.val();
        }
        if self.cleared_5.val() {
            self.repaired.next = 0.into();
        } else if self.is_changed.val() {
            // This way has changed: it is smaller than those it does not lie above or equal.
            self.repaired.next = (self.above_5.val() & self.row_mask.val()) ^ self.row_mask.val();
        } else if (self.above_5.val() & self.bit.val()).any() {
            self.repaired.next = self.last_stage.q.val() | (self.way_5.val() & self.row_mask.val());
        } else {
            self.repaired.next = self.last_stage.q.val()
                & ((self.way_5.val() & self.row_mask.val()) ^ self.row_mask.val());
        }
        self.repaired_5.next = bit_cast::<ORDER_BITS, 32>(self.repaired.val()) << self.lsb.val();
        self.repaired_stage.d.next = self.repaired.val();
    }
}
