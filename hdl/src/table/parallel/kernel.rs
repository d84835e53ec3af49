//! The logic of each pipeline stage.

use rust_hdl::prelude::*;

use super::ParallelTable;

impl Logic for ParallelTable {
    #[hdl_gen]
    fn update(&mut self) {
        // Gather the outputs of the ways and rows.
        self.hits.next = 0.into();
        self.hit_count.next = 0.into();
        self.least.next = 0.into();
        self.beaten.next = 0.into();
        self.rest.next = 0.into();
        self.rest_beaten.next = 0.into();
        self.above.next = 0.into();
        self.order.next = 0.into();
        for i in 0..self._ways {
            self.hits.next = self.hits.val().replace_bit(i, self.ways[i].hit.val());
            self.hit_count.next = self.hit_count.val() | self.ways[i].hit_count.val();
            self.least.next = self.least.val().replace_bit(i, self.rows[i].least_4.val());
            self.beaten.next =
                self.beaten.val() | (self.rows[i].row_4.val() & self.lower_ways[i].val());
            self.rest.next = self.rest.val().replace_bit(i, self.rows[i].rest_5.val());
            self.rest_beaten.next =
                self.rest_beaten.val() | (self.rows[i].row_5.val() & self.lower_ways[i].val());
            self.above.next = self.above.val().replace_bit(i, self.ways[i].above.val());
            self.order.next = self.order.val()
                | ((self.rows[i].repaired_5.val() & self.row_bits[i].val())
                    << self.order_lsbs[i].val());
        }

        // Stage 0: select the operation that enters.
        self.walk.ready.next = true;
        self.stages.set_0.next = self.index.set.val();
        if self.walk.walking.val() {
            self.stages.set_0.next = self.walk.entry.val() >> self.way_bits.val();
        }
        self.stages.path_0.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.tags.read_address.next = self.stages.set_0.val();

        for i in 0..self._ways {
            self.rows[i].stored_2.next =
                (self.orders.read_data.val() >> self.order_lsbs[i].val()) & self.row_bits[i].val();
            self.rows[i].beaten_4.next = self.beaten.val();
            self.rows[i].above_5.next = self.above.val();
            self.rows[i].beaten_5.next = self.rest_beaten.val();
        }

        // Stages 1 to 4: whether the set is full.
        for i in self._last..self._ways {
            self.set_full.stored_1.next = (self.tags.read_data[i].val() & self.filled.val()).any();
        }
        self.set_full.written_5.next = (self.written_5.q.val() & self.last_way.val()).any();
        self.set_full.written_6.next = (self.written_6.q.val() & self.last_way.val()).any();

        // Stages 2 to 4: the accumulator and the decision.
        self.accumulator.stored_3.next = self.hit_count.val();
        self.decision.hits_3.next = self.hits.val();
        self.decision.least_4.next = self.least.val();
        self.decision.rest_5.next = self.rest.val();
        // The changed accumulator is the least unless it is above another.
        self.decision.lower_5.next = self.above.val().any();
        self.comparators[0].other.next = self.count_5.q.val();
        self.comparators[1].other.next = self.count_6.q.val();
        self.comparators[2].other.next = self.count_7.q.val();
        for i in 0..3 {
            self.comparators[i].value.next = self.accumulator.accumulator_4.val();
        }

        // Stage 5: the result. In an emptied set way 0 is the least.
        self.written_5.d.next = self.decision.ways_4.val();
        self.way_5.d.next = self.decision.ways_4.val();
        if self.stages.clear_4.val() {
            self.way_5.d.next = self.first_way.val();
        }
        self.tag_5.d.next = self.stages.tag_4.val();
        self.start_low_5.d.next = self.stages.start_low_4.val();
        self.count_5.d.next = self.accumulator.accumulator_4.val();
        self.changed_5.d.next = self.decision.changes_4.val();
        self.cleared_5.d.next = self.stages.clear_4.val();
        self.hit_5.d.next = self.decision.found_4.val();
        self.replaced_5.d.next = self.decision.replaces_4.val();
        self.saturated_5.d.next = self.accumulator.saturates_4.val();
        self.orders.write_data.next = self.order.val();

        // Stages 6 and 7: for forwarding, and for the mirror.
        self.written_6.d.next = self.written_5.q.val();
        self.count_6.d.next = self.count_5.q.val();
        self.changed_6.d.next = self.changed_5.q.val();
        self.cleared_6.d.next = self.cleared_5.q.val();
        self.count_7.d.next = self.count_6.q.val();
        self.mirror.cleared_way.next =
            bit_cast::<8, 16>(self.walk.entry.val() & self.way_mask.val());
        self.mirror.emptying.next = self.walk.walking.val() | self.stages.clearing.val();

        // Evictions, in stages 5 and 6.
        for i in 0..self._drains {
            self.leaves_5[i].d.next =
                self.decision.replaces_4.val() | self.accumulator.saturates_4.val();
            self.saturated_5.d.next = false;
        }
    }
}
