//! What happens in each stage of the table, from the first on.

use rust_hdl::prelude::*;

use crate::bundles::LeftSource;
use crate::table::entry_port::EntryPort;

use super::ParallelTable;

impl Logic for ParallelTable {
    #[hdl_gen]
    fn update(&mut self) {
        // What the ways and rows say together.
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
                    << self.places[i].val());
        }

        // Stage 0: which operation enters.
        self.walk.clear.next = self.clear.val();
        self.walk.ready.next = true;
        self.clearing.next = self.walk.walking.val();
        self.index.start.next = self.path_start.val();
        self.index.outcomes.next = self.path_outcomes.val();
        self.index.length.next = self.path_length.val();
        self.layout.start.next = self.path_start.val();
        self.layout.outcomes.next = self.path_outcomes.val();
        self.layout.length.next = self.path_length.val();
        self.stages.set_0.next = self.index.set.val();
        if self.walk.walking.val() {
            self.stages.set_0.next = self.walk.entry.val() >> self.way_bits.val();
        }
        self.stages.tag_0.next = self.layout.tag.val();
        self.stages.start_low_0.next = self.layout.start_low.val();
        self.stages.count_0.next = self.path_count.val();
        self.stages.path_0.next =
            self.path_valid.val() & !self.freeze.val() & !self.walk.walking.val();
        self.stages.clear_0.next = self.walk.walking.val();
        self.stages.changed_5.next = self.changed_5.q.val();
        self.stages.changed_6.next = self.changed_6.q.val();
        self.tags.read_address.next = self.stages.set_0.val();

        for i in 0..self._ways {
            self.ways[i].set_1.next = self.stages.set_1.val();
            self.ways[i].stored_1.next = self.tags.read_data[i].val();
            self.ways[i].tag_1.next = self.stages.tag_1.val();
            self.ways[i].repeats1_2.next = self.stages.repeats1_2.val();
            self.ways[i].repeats2_2.next = self.stages.repeats2_2.val();
            self.ways[i].repeats3_2.next = self.stages.repeats3_2.val();
            self.ways[i].repeats4_2.next = self.stages.repeats4_2.val();
            self.ways[i].near3_2.next = self.stages.near3_2.val();
            self.ways[i].near4_2.next = self.stages.near4_2.val();
            self.ways[i].near2_3.next = self.stages.near2_3.val();
            self.ways[i].repeats2_3.next = self.stages.repeats2_3.val();
            self.ways[i].near3_3.next = self.stages.near3_3.val();
            self.ways[i].near1_4.next = self.stages.near1_4.val();
            self.ways[i].set_4.next = self.stages.set_4.val();
            self.ways[i].count_4.next = self.accumulator.accumulator_4.val();
            self.ways[i].write_4.next = self.decision.ways_4.val();
            self.ways[i].way_5.next = self.way_5.q.val();
            self.ways[i].written_5.next = self.written_5.q.val();
            self.ways[i].written_6.next = self.written_6.q.val();
            self.ways[i].greater1_4.next = self.comparators[0].greater.val();
            self.ways[i].not_less1_4.next = self.comparators[0].not_less.val();
            self.ways[i].greater2_4.next = self.comparators[1].greater.val();
            self.ways[i].not_less2_4.next = self.comparators[1].not_less.val();
            self.ways[i].greater3_4.next = self.comparators[2].greater.val();
            self.ways[i].not_less3_4.next = self.comparators[2].not_less.val();
            self.rows[i].stored_2.next =
                (self.orders.read_data.val() >> self.places[i].val()) & self.row_bits[i].val();
            self.rows[i].follows4_2.next = self.stages.follows4_2.val();
            self.rows[i].follows2_3.next = self.stages.follows2_3.val();
            self.rows[i].follows3_3.next = self.stages.follows3_3.val();
            self.rows[i].follows1_4.next = self.stages.follows1_4.val();
            self.rows[i].beaten_4.next = self.beaten.val();
            self.rows[i].way_5.next = self.way_5.q.val();
            self.rows[i].above_5.next = self.above.val();
            self.rows[i].beaten_5.next = self.rest_beaten.val();
            self.rows[i].cleared_5.next = self.cleared_5.q.val();
        }

        // Stages 1 to 4: whether the set is full.
        for i in self._last..self._ways {
            self.set_full.stored_1.next = (self.tags.read_data[i].val() & self.filled.val()).any();
        }
        self.set_full.near3_2.next = self.stages.near3_2.val();
        self.set_full.near4_2.next = self.stages.near4_2.val();
        self.set_full.near2_3.next = self.stages.near2_3.val();
        self.set_full.near1_4.next = self.stages.near1_4.val();
        self.set_full.written_5.next = (self.written_5.q.val() & self.last_way.val()).any();
        self.set_full.cleared_5.next = self.cleared_5.q.val();
        self.set_full.written_6.next = (self.written_6.q.val() & self.last_way.val()).any();
        self.set_full.cleared_6.next = self.cleared_6.q.val();

        // Stages 2 to 4: the accumulator and the decision.
        self.accumulator.repeats1_2.next = self.stages.repeats1_2.val();
        self.accumulator.repeats2_2.next = self.stages.repeats2_2.val();
        self.accumulator.repeats3_2.next = self.stages.repeats3_2.val();
        self.accumulator.stored_3.next = self.hit_count.val();
        self.accumulator.repeats1_3.next = self.stages.repeats1_3.val();
        self.accumulator.count_3.next = self.stages.count_3.val();
        self.accumulator.count_4.next = self.stages.count_4.val();
        self.accumulator.found_4.next = self.decision.found_4.val();
        self.accumulator.accumulator_5.next = self.count_5.q.val();
        self.decision.path_3.next = self.stages.path_3.val();
        self.decision.hits_3.next = self.hits.val();
        self.decision.near_3.next = self.stages.near1_3.val();
        self.decision.repeats_3.next = self.stages.repeats1_3.val();
        self.decision.some_4.next = self.stages.some_4.val();
        self.decision.clear_4.next = self.stages.clear_4.val();
        self.decision.repeats_4.next = self.stages.repeats1_4.val();
        self.decision.full_4.next = self.set_full.full_4.val();
        self.decision.least_4.next = self.least.val();
        self.decision.follows_4.next = self.stages.follows1_4.val();
        self.decision.way_5.next = self.way_5.q.val();
        self.decision.rest_5.next = self.rest.val();
        // The changed accumulator is the least unless it lies above another.
        self.decision.lower_5.next = self.above.val().any();
        self.tags.write_address.next = self.stages.set_4.val();
        self.tags.write_data.next = self.stages.tag_4.val();
        self.tags.write_ways.next = self.decision.new_ways_4.val();
        self.comparators[0].other.next = self.count_5.q.val();
        self.comparators[1].other.next = self.count_6.q.val();
        self.comparators[2].other.next = self.count_7.q.val();
        for i in 0..3 {
            self.comparators[i].value.next = self.accumulator.accumulator_4.val();
        }

        // Stage 5: the outcome. Of an emptied set, the first way is the least frequently used.
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
        self.hit.next = self.hit_5.q.val();
        self.replacement.next = self.replaced_5.q.val();
        self.saturated.next = self.saturated_5.q.val();
        self.orders.read_address.next = self.stages.set_1.val();
        self.orders.write_address.next = self.stages.set_5.val();
        self.orders.write_data.next = self.order.val();
        self.orders.write_enable.next = self.changed_5.q.val();

        // Stages 6 and 7: for the followers, and for software.
        self.written_6.d.next = self.written_5.q.val();
        self.count_6.d.next = self.count_5.q.val();
        self.changed_6.d.next = self.changed_5.q.val();
        self.cleared_6.d.next = self.cleared_5.q.val();
        self.count_7.d.next = self.count_6.q.val();
        self.mirror.changed_5.next = self.changed_5.q.val();
        self.mirror.cleared_5.next = self.cleared_5.q.val();
        self.mirror.set_5.next = self.stages.set_5.val();
        self.mirror.way_5.next = self.way_5.q.val();
        self.mirror.tag_5.next = self.tag_5.q.val();
        self.mirror.start_low_5.next = self.start_low_5.q.val();
        self.mirror.count_7.next = self.count_7.q.val();
        self.mirror.cleared_way.next =
            bit_cast::<8, 16>(self.walk.entry.val() & self.way_part.val());
        self.mirror.emptying.next = self.walk.walking.val() | self.stages.clearing.val();
        EntryPort::link(&mut self.entry, &mut self.mirror.entry);

        // What leaves, in stages 5 and 6.
        for i in 0..self._drains {
            self.leaves_5[i].d.next =
                self.decision.replaces_4.val() | self.accumulator.saturates_4.val();
            self.saturated_5.d.next = false;
            self.evictions[i].changed.next = self.changed_5.q.val();
            self.evictions[i].leaves.next = self.leaves_5[i].q.val();
            self.evictions[i].number.next = self.mirror.number_5.val();
            self.evictions[i].tag.next = self.tag_5.q.val();
            self.evictions[i].start_low.next = self.start_low_5.q.val();
            self.evictions[i].count.next = self.count_5.q.val();
            LeftSource::link(&mut self.left, &mut self.evictions[i].left);
        }
    }
}
