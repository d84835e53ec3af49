//! The order of the accumulators of a set: which way is the least frequently used.
//!
//! Finding the minimum of several accumulators needs a tree of comparators. That is too slow for consecutive paths in
//! one set. The order is therefore stored with the set, and repaired when an accumulator changes.
//!
//! Bit *i* of row *j* (*i* < *j*) is 1 if way *j*'s accumulator is smaller than way *i*'s; way *j* then *beats* way
//! *i*. All bits are 0 if all accumulators are equal, as in an empty set. The least way, of equals the lowest, has
//! every bit of its row set, and no higher way beats it.

use rust_hdl::prelude::*;

use super::layout::ones;
use crate::circuit::{circuit, kernel};
use crate::register::Delay;

/// Greatest width of the order of a set: one bit for each pair of ways.
pub const ORDER_BITS: usize = 496;

/// One row of the order relation: lower ways with a greater accumulator than this way.
/// Name suffixes are pipeline stages.
///
/// ```text
///   stage  2                3                      4                    5                           6
///   stored row ---> [row] ---> patch ---> [row] ---> patch ---> [row] ---> repair ---+---> [row]
///                                ^          |          ^          |                  |       |
///                                |          +-> least? |          +-> least of rest? |       |
///                                +---------------------+-----------------------------+       |
///                     [row] ---> +-----------------------------------------------------------+
/// ```
///
/// After a path that changed the set in the previous cycle, the least way is that path's way or the least of the
/// others. One bit decides: whether its accumulator is above any of the others. The memory's word is registered
/// unchanged, because a block RAM outputs it late in the cycle.
#[circuit(
    resetless, ways: u32, way: u32,
    const bit: Bits<32> = 1u32 << way,
    const lower_ways: Bits<32> = ones(way)
)]
pub struct OrderRow {
    /// Stage 2: this row from memory; bits of this and higher ways are ignored.
    pub stored_2: Signal<In, Bits<ORDER_BITS, ways>>,
    /// Stage 2: the operation four stages ahead changed the set.
    pub follows4_2: Signal<In, Bit>,
    /// Stage 3: the operation two stages ahead changed the set.
    pub follows2_3: Signal<In, Bit>,
    /// Stage 3: the operation three stages ahead changed the set.
    pub follows3_3: Signal<In, Bit>,
    /// Stage 4: the operation one stage ahead changed the set.
    pub follows1_4: Signal<In, Bit>,
    /// Stage 4: ways with a greater accumulator than a higher way.
    pub beaten_4: Signal<In, Bits<32, ways>>,
    /// Stage 5: way that changed (one-hot).
    pub way_5: Signal<In, Bits<32, ways>>,
    /// Stage 5: ways that are evicted before the changed way: smaller accumulator, or an equal one in a lower way.
    pub above_5: Signal<In, Bits<32, ways>>,
    /// Stage 5: ways with a greater accumulator than a higher way other than the changed one.
    pub beaten_5: Signal<In, Bits<32, ways>>,
    /// Stage 5: the operation cleared its set.
    pub cleared_5: Signal<In, Bit>,

    /// Stage 4: this row, before the operation one stage ahead takes effect.
    pub row_4: Signal<Out, Bits<32, ways>>,
    /// Stage 4: this way is the LFU way, before the operation one stage ahead takes effect.
    pub least_4: Signal<Out, Bit>,
    /// Stage 5: this row before the change; 0 if this way changed.
    pub row_5: Signal<Out, Bits<32, ways>>,
    /// Stage 5: this way is the LFU way of those that did not change.
    pub rest_5: Signal<Out, Bit>,
    /// Stage 5: this row after the change.
    pub repaired_5: Signal<Out, Bits<ORDER_BITS, ways>>,

    stored_stage_3: Delay<Bits<32, ways>>,
    followed_stage_3: Delay<Bits<32, ways>>,
    #[connect(q = row_4)]
    row_stage_4: Delay<Bits<32, ways>>,
    row_stage_5: Delay<Bits<32, ways>>,
    repaired_stage_6: Delay<Bits<32, ways>>,
    repaired: Signal<Local, Bits<32, ways>>,
}

#[kernel]
impl OrderRow {
    /// The row in each stage.
    fn row(&mut self) {
        // Stage 2.
        self.stored_stage_3.d.next = bit_cast::<32, ORDER_BITS>(self.stored_2) & self.lower_ways;
        self.followed_stage_3.d.next = 0.into();
        if self.follows4_2 {
            self.stored_stage_3.d.next = 0.into();
            self.followed_stage_3.d.next = self.repaired_stage_6;
        }

        // Stage 3. One of the two registers is 0.
        self.row_stage_4.d.next = self.stored_stage_3 | self.followed_stage_3;
        if self.follows2_3 {
            self.row_stage_4.d.next = self.repaired;
        } else if self.follows3_3 {
            self.row_stage_4.d.next = self.repaired_stage_6;
        }

        // Stage 4.
        self.least_4.next =
            (self.row_stage_4 == self.lower_ways) & !(self.beaten_4 & self.bit).any();
        self.row_stage_5.d.next = self.row_stage_4;
        if self.follows1_4 {
            self.row_stage_5.d.next = self.repaired;
        }

        // Stage 5.
        let is_changed = (self.way_5 & self.bit).any();
        self.row_5.next = self.row_stage_5;
        if is_changed {
            self.row_5.next = 0.into();
        }
        self.rest_5.next = !is_changed
            & (((self.row_stage_5 | self.way_5) & self.lower_ways) == self.lower_ways)
            & !(self.beaten_5 & self.bit).any();
        if self.cleared_5 {
            self.repaired.next = 0.into();
        } else if is_changed {
            // This way has changed. It beats the lower ways that are not replaced before it.
            self.repaired.next = (self.above_5 & self.lower_ways) ^ self.lower_ways;
        } else if (self.above_5 & self.bit).any() {
            self.repaired.next = (self.row_stage_5 | self.way_5) & self.lower_ways;
        } else {
            self.repaired.next =
                self.row_stage_5 & ((self.way_5 & self.lower_ways) ^ self.lower_ways);
        }
        self.repaired_5.next = bit_cast::<ORDER_BITS, 32>(self.repaired);
        self.repaired_stage_6.d.next = self.repaired;
    }
}
