//! The logic of each pipeline stage.

use rust_hdl::prelude::*;

use super::ParallelTable;
use crate::circuit::kernel;
use crate::table::order::ORDER_BITS;

#[kernel]
impl ParallelTable {
    /// The operation of each stage.
    fn stages(&mut self) {
        // Gather the outputs of the ways and rows.
        let mut hits: Bits<32> = 0.into();
        let mut hit_count: Bits<32> = 0.into();
        let mut least: Bits<32> = 0.into();
        let mut beaten: Bits<32> = 0.into();
        let mut rest: Bits<32> = 0.into();
        let mut rest_beaten: Bits<32> = 0.into();
        let mut above: Bits<32> = 0.into();
        let mut order: Bits<ORDER_BITS> = 0.into();
        for i in 0..self.ways.len() {
            hits = hits.replace_bit(i, self.ways[i].hit);
            hit_count = hit_count | self.ways[i].hit_count;
            least = least.replace_bit(i, self.rows[i].least_4);
            beaten = beaten | (self.rows[i].row_4 & self._lower_ways[i]);
            rest = rest.replace_bit(i, self.rows[i].rest_5);
            rest_beaten = rest_beaten | (self.rows[i].row_5 & self._lower_ways[i]);
            above = above.replace_bit(i, self.ways[i].above);
            order =
                order | ((self.rows[i].repaired_5 & self._lower_ways[i]) << self._order_lsbs[i]);
        }

        // Stage 0: select the operation that enters.
        // The mirror counts on through the ways while the last sets are emptied.
        self.walk.ready.next = self.walk.walking | self.stages.clearing;
        self.stages.set_0.next = self.index.set;
        if self.walk.walking {
            self.stages.set_0.next = self.walk.entry >> self.way_bits;
        }
        self.stages.path_0.next = self.ports.path.valid & !self.ports.freeze & !self.walk.walking;
        self.tags.read_address.next = self.stages.set_0;

        for i in 0..self.ways.len() {
            self.rows[i].stored_2.next =
                (self.orders.read_data >> self._order_lsbs[i]) & self._lower_ways[i];
            self.rows[i].beaten_4.next = beaten;
            self.rows[i].above_5.next = above;
            self.rows[i].beaten_5.next = rest_beaten;
        }

        // Stages 1 to 4: whether the set is full. An empty way has an accumulator of 0, a filled one has more, and of equals
        // the lowest way is replaced. A set therefore fills from way 0, and is full if its last way is filled.
        let (wrote_5, wrote_6) = (
            (self.written_5 & self.last_way).any(),
            (self.written_6 & self.last_way).any(),
        );
        for i in self.ways.len() - 1..self.ways.len() {
            self.full_2.d.next = (self.tags.read_data[i] & self.filled).any();
        }
        self.full_3.d.next = self.full_2;
        if self.stages.near3_2 & wrote_5 {
            self.full_3.d.next = !self.cleared_5;
        } else if self.stages.near4_2 & wrote_6 {
            self.full_3.d.next = !self.cleared_6;
        }
        self.full_4.d.next = self.full_3;
        if self.stages.near2_3 & wrote_5 {
            self.full_4.d.next = !self.cleared_5;
        }
        self.decision.full_4.next = if self.stages.near1_4 & wrote_5 {
            !self.cleared_5
        } else {
            self.full_4
        };

        // Stages 2 to 4: the accumulator and the decision.
        self.accumulator.stored_3.next = hit_count;
        self.decision.hits_3.next = hits;
        self.decision.least_4.next = least;
        self.decision.rest_5.next = rest;
        // The changed accumulator is the least unless it is above another.
        self.decision.lower_5.next = above.any();
        // The new accumulator against those of the paths one, two and three ahead. `x <= y` is `x . 0 < y . 1`.
        let count = self.accumulator.accumulator_4;
        let above_count = (bit_cast::<33, 32>(count) << 1) | 1;
        let not_less1 = (bit_cast::<33, 32>(self.count_5) << 1) < above_count;
        let not_less2 = (bit_cast::<33, 32>(self.count_6) << 1) < above_count;
        let not_less3 = (bit_cast::<33, 32>(self.count_7) << 1) < above_count;
        let (greater1, greater2) = (self.count_5 < count, self.count_6 < count);
        let greater3 = self.count_7 < count;
        for i in 0..self.ways.len() {
            self.ways[i].greater1_4.next = greater1;
            self.ways[i].not_less1_4.next = not_less1;
            self.ways[i].greater2_4.next = greater2;
            self.ways[i].not_less2_4.next = not_less2;
            self.ways[i].greater3_4.next = greater3;
            self.ways[i].not_less3_4.next = not_less3;
        }

        // Stage 5: the result. In an emptied set way 0 is the least.
        self.written_5.d.next = self.decision.ways_4;
        self.way_5.d.next = self.decision.ways_4;
        if self.stages.clear_4 {
            self.way_5.d.next = self.first_way;
        }
        self.tag_5.d.next = self.stages.tag_4;
        self.start_low_5.d.next = self.stages.start_low_4;
        self.count_5.d.next = self.accumulator.accumulator_4;
        self.changed_5.d.next = self.decision.changes_4;
        self.cleared_5.d.next = self.stages.clear_4;
        self.hit_5.d.next = self.decision.found_4;
        self.replaced_5.d.next = self.decision.replaces_4;
        self.saturated_5.d.next = self.accumulator.saturates_4;
        self.orders.write_data.next = order;

        // Stages 6 and 7: for forwarding, and for the mirror.
        self.written_6.d.next = self.written_5;
        self.count_6.d.next = self.count_5;
        self.changed_6.d.next = self.changed_5;
        self.cleared_6.d.next = self.cleared_5;
        self.count_7.d.next = self.count_6;
        self.mirror.cleared_way.next = bit_cast::<8, 16>(self.walk.entry & self.way_mask);
        self.mirror.emptying.next = self.walk.walking | self.stages.clearing;

        // Evictions, in stages 5 and 6.
        self.leaves_5?.d.next = self.decision.replaces_4 | self.accumulator.saturates_4;
        self.evictions?.leaves.next = self.leaves_5?;
        if self._drains {
            self.saturated_5.d.next = false;
        }
    }
}
