//! What happens in each stage of the table, from the ring on.

use rust_hdl::prelude::*;

use crate::bundles::LeftSource;
use crate::table::entry_port::EntryPort;

use super::SkewedTable;

impl Logic for SkewedTable {
    #[hdl_gen]
    fn update(&mut self) {
        // A path comes in.
        self.entering.start.next = self.ports.path.start.val();
        self.entering.outcomes.next = self.ports.path.outcomes.val();
        self.entering.length.next = self.ports.path.length.val();
        self.ring.put.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.ring.new_tag.next = self.entering.tag.val();
        self.ring.new_count.next = self.ports.path.count.val();
        self.ports.hold.next = self.ring.hold.val();

        // What the ways say together.
        self.hits_3.next = 0.into();
        self.vacant_3.next = 0.into();
        self.stored_3.next = 0.into();
        self.written_row_5.next = 0.into();
        self.shown_tag.next = 0.into();
        for i in 0..self._ways {
            self.hits_3.next = self.hits_3.val() | self.ways[i].hit_3.val();
            self.vacant_3.next = self.vacant_3.val() | self.ways[i].vacant_3.val();
            self.stored_3.next = self.stored_3.val() | self.ways[i].count_3.val();
            self.written_row_5.next = self.written_row_5.val() | self.ways[i].written_row_5.val();
            self.shown_tag.next = self.shown_tag.val() | self.ways[i].shown_tag.val();
        }

        // With shadows.
        self.feeds.next = false;
        self.stays.next = false;
        self.moves.next = false;
        self.shown_fingerprint.next = 0.into();
        self.shown_shadow.next = 0.into();
        self.shown_stamp.next = 0.into();
        self.write_shadow.next = 0.into();
        for i in 0..self._shadows {
            self.write_shadow.next = self.admission[i].write_shadow.val();
            if self.clear_4.q.val() {
                self.write_shadow.next = self.all_ways.val();
            }
            for way in 0..self._ways {
                self.shown_fingerprint.next =
                    self.shown_fingerprint.val() | self.ways[way].shown_fingerprint.val();
                self.shown_shadow.next =
                    self.shown_shadow.val() | self.ways[way].shown_shadow.val();
                self.shown_stamp.next = self.shown_stamp.val() | self.ways[way].shown_stamp.val();
                self.ways[way].views.next = self.admission[i].busy.val();
                self.ways[way].select.next = self.admission[i].select.val();
                self.ways[way].fingerprint_4.next = self.places.fingerprint.val();
                self.ways[way].shadow_4.next = self.admission[i].shadow.val();
                self.ways[way].stamp_4.next = self.admission[i].stamp.val();
                self.ways[way].write_shadow_4.next = self.write_shadow.val();
            }
            self.chance[i].step.next = self.path_4.q.val();
            self.chance[i].matched.next = self.admission[i].matched.val();
            self.chance[i].grows.next = self.admission[i].grows.val();
            self.chance[i].restart.next = self.clear_0.val();
            self.chance[i].next_count.next = self.admission[i].next_count.val();
            self.samples_4.next = self.chance[i].samples.val();
            self.ports.lfsr.next = self.chance[i].state.val();
            self.ports.scale.next = self.chance[i].scale.val();
            self.admission[i].judge.next = self.judges_4.val();
            self.admission[i].count_3.next = self.count_3.q.val();
            self.admission[i].scale.next = self.chance[i].scale.val();
            self.admission[i].fingerprint.next = self.places.fingerprint.val();
            self.admission[i].shown_count.next = self.stored_3.val();
            self.admission[i].shown_fingerprint.next = self.shown_fingerprint.val();
            self.admission[i].shown_shadow.next = self.shown_shadow.val();
            self.admission[i].shown_stamp.next = self.shown_stamp.val();
            self.admission[i].yields.next = self.chance[i].yields.val();
            self.admission[i].restart.next = self.clear_0.val();
            self.busy.next = self.admission[i].busy.val();
            self.done.next = self.admission[i].done.val();
            self.feeds.next = self.admission[i].feeds.val();
            self.stays.next = self.admission[i].stays.val();
            self.moves.next = self.admission[i].moves.val();
            self.replaces.next = self.admission[i].replaces.val();
            self.write.next = self.admission[i].write.val();
            self.accumulator.count_4.next = self.admission[i].count_4.val();
        }

        // With values.
        self.high_3.next = 0.into();
        self.low_3.next = 0.into();
        for i in 0..self._values {
            for way in 0..self._ways {
                self.high_3.next = self.high_3.val() | self.ways[way].high_3.val();
                self.low_3.next = self.low_3.val() | self.ways[way].low_3.val();
                self.ways[way].found_4.next = self.found_4.q.val();
                self.ways[way].ages_4.next = self.ageing[i].done.val();
                self.ways[way].least_4.next = self.ageing[i].least.val();
            }
            self.ageing[i].judge.next = self.judges_4.val();
            self.ageing[i].high_3.next = self.high_3.val();
            self.ageing[i].low_3.next = self.low_3.val();
            self.samples_4.next = true;
            self.busy.next = self.ageing[i].busy.val();
            self.done.next = self.ageing[i].done.val();
            self.replaces.next = self.ageing[i].done.val();
            self.write.next = self.ageing[i].write.val();
            self.count_4[i].d.next = self.count_3.q.val();
            self.accumulator.count_4.next = self.count_4[i].q.val();
        }

        // The clear walk, once no path is left from before. When it is over its way counts on, for the mirror.
        self.walk.clear.next = self.ports.clear.val();
        self.walk.ready.next = !self.walk.walking.val() | !self.ring.occupied.val();
        self.clear_0.next = self.walk.walking.val() & !self.ring.occupied.val();
        self.ports.clearing.next = self.walk.walking.val();

        // Stage 0: the path in front. It must not read a row at the edge at which that is emptied.
        self.issues.next = self.ring.valid.val()
            & !self.judges_4.val()
            & !self.inserts_4.val()
            & !self.busy.val()
            & !(self.clear_1.q.val() | self.clear_2.q.val() | self.clear_3.q.val());
        self.ring.next_path.next = self.issues.val() | self.done.val();
        self.ring.back.next = self.judges_4.val() | self.inserts_4.val();
        self.path_0.d.next = self.issues.val();
        if self.feeds.val() {
            self.tag_0.d.next = self.shown_tag.val();
        } else if !self.stays.val() {
            self.tag_0.d.next = self.ring.tag.val();
            self.count_0.d.next = self.ring.count.val();
        }
        self.front.tag.next = self.tag_0.q.val();
        self.places.start.next = self.front.start.val();
        self.places.outcomes.next = self.front.outcomes.val();
        self.places.length.next = self.front.length.val();
        self.y.next = self.places.y.val();
        for i in 0..self._ways {
            self.ways[i].x_0.next = self.places.x.val();
            self.ways[i].y_0.next = self.y.val();
            self.y.next = self.ways[i].next_y_0.val();
            self.ways[i].clear_0.next = self.clear_0.val();
            self.ways[i].cleared_0.next = self.walk.entry.val() >> self.way_bits.val();
            self.ways[i].tag_2.next = self.tag_2.q.val();
            self.ways[i].repeats_2.next =
                self.repeats1_2.q.val() | self.repeats2_2.q.val() | self.repeats3_2.q.val();
            self.ways[i].tag_4.next = self.new_tag.val();
            self.ways[i].write_tag_4.next = self.write_tag.val();
            self.ways[i].count_4.next = self.new_count.val();
            self.ways[i].write_count_4.next = self.write_count.val();
        }
        self.matches[0].b.next = self.tag_1.q.val();
        self.matches[1].b.next = self.tag_2.q.val();
        self.matches[2].b.next = self.tag_3.q.val();
        for i in 0..3 {
            self.matches[i].a.next = self.tag_0.q.val();
        }

        // Stages 1 to 3. Those behind a path that changes the table are dropped.
        self.tag_1.d.next = self.tag_0.q.val();
        self.count_1.d.next = self.count_0.q.val();
        self.path_1.d.next = self.path_0.q.val() & !self.ring.back.val();
        self.clear_1.d.next = self.clear_0.val();
        self.tag_2.d.next = self.tag_1.q.val();
        self.count_2.d.next = self.count_1.q.val();
        self.path_2.d.next = self.path_1.q.val() & !self.ring.back.val();
        self.clear_2.d.next = self.clear_1.q.val();
        self.repeats1_2.d.next =
            self.matches[0].same.val() & self.path_1.q.val() & self.path_2.q.val();
        self.repeats2_2.d.next =
            self.matches[1].same.val() & self.path_1.q.val() & self.path_3.q.val();
        self.repeats3_2.d.next =
            self.matches[2].same.val() & self.path_1.q.val() & self.path_4.q.val();
        self.tag_3.d.next = self.tag_2.q.val();
        self.count_3.d.next = self.count_2.q.val();
        self.path_3.d.next = self.path_2.q.val() & !self.ring.back.val();
        self.clear_3.d.next = self.clear_2.q.val();
        self.repeats1_3.d.next = self.repeats1_2.q.val();
        self.accumulator.repeats1_2.next = self.repeats1_2.q.val();
        self.accumulator.repeats2_2.next = self.repeats2_2.q.val();
        self.accumulator.repeats3_2.next = self.repeats3_2.q.val();
        self.accumulator.stored_3.next = self.stored_3.val();
        self.accumulator.repeats1_3.next = self.repeats1_3.q.val();
        self.accumulator.count_3.next = self.count_3.q.val();
        self.tag_4.d.next = self.tag_3.q.val();
        if self.clear_3.q.val() {
            self.tag_4.d.next = 0.into();
        }
        self.path_4.d.next = self.path_3.q.val() & !self.ring.back.val();
        self.clear_4.d.next = self.clear_3.q.val();
        self.some_4.d.next = self.count_3.q.val().any();
        self.found_4.d.next = self.hits_3.val().any() & self.path_3.q.val() & !self.ring.back.val();
        self.hits_4.d.next = self.hits_3.val();
        self.vacant_4.d.next = self.vacant_3.val();

        // Stage 4: what becomes of the path.
        self.misses_4.next = self.path_4.q.val() & !self.found_4.q.val() & self.some_4.q.val();
        self.inserts_4.next = self.misses_4.val() & self.vacant_4.q.val().any();
        self.judges_4.next =
            self.misses_4.val() & !self.vacant_4.q.val().any() & self.samples_4.val();
        self.first_vacant.next =
            self.vacant_4.q.val() & ((self.vacant_4.q.val() ^ self.all_ways.val()) + 1);
        self.ring.done.next = (self.path_4.q.val() & !self.judges_4.val()) | self.done.val();
        self.accumulator.found_4.next = self.found_4.q.val();
        self.accumulator.accumulator_5.next = self.count_5.q.val();
        self.write_tag.next = self.write.val();
        self.write_count.next = self.write.val();
        self.new_tag.next = self.tag_4.q.val();
        self.new_count.next = self.accumulator.accumulator_4.val();
        if self.moves.val() {
            self.new_count.next = self.stored_3.val();
        }
        if self.inserts_4.val() {
            self.write_tag.next = self.first_vacant.val();
            self.write_count.next = self.first_vacant.val();
        }
        if self.found_4.q.val() {
            self.write_count.next = self.hits_4.q.val();
        }
        if self.clear_4.q.val() {
            self.write_tag.next = self.all_ways.val();
            self.write_count.next = self.all_ways.val();
            self.new_count.next = 0.into();
        }

        // Stages 5 to 7: the outcome, and what the mirror shows of it. Of an emptied row, the ways have their turn.
        self.hit_5.d.next = self.found_4.q.val();
        self.replaced_5.d.next = self.replaces.val();
        self.saturated_5.d.next = self.accumulator.saturates_4.val();
        self.ports.hit.next = self.hit_5.q.val();
        self.ports.replacement.next = self.replaced_5.q.val();
        self.ports.saturated.next = self.saturated_5.q.val();
        self.tag_5.d.next = self.new_tag.val();
        self.count_5.d.next = self.new_count.val();
        self.way_5.d.next = self.write_count.val();
        if self.clear_4.q.val() {
            self.way_5.d.next = self.first_way.val();
        }
        self.changed_5.d.next = self.write_count.val().any();
        self.cleared_5.d.next = self.clear_4.q.val();
        self.count_6.d.next = self.count_5.q.val();
        self.count_7.d.next = self.count_6.q.val();
        self.changed.tag.next = self.tag_5.q.val();
        self.mirrored.start.next = self.changed.start.val();
        self.mirrored.outcomes.next = self.changed.outcomes.val();
        self.mirrored.length.next = self.changed.length.val();
        self.mirror.changed_5.next = self.changed_5.q.val();
        self.mirror.cleared_5.next = self.cleared_5.q.val();
        self.mirror.set_5.next = self.written_row_5.val();
        self.mirror.way_5.next = self.way_5.q.val();
        self.mirror.tag_5.next = 0.into();
        if self.changed.filled.val() {
            self.mirror.tag_5.next = self.mirrored.tag.val();
        }
        self.mirror.start_low_5.next = self.mirrored.start_low.val();
        self.mirror.count_7.next = self.count_7.q.val();
        self.mirror.cleared_way.next =
            bit_cast::<8, 16>(self.walk.entry.val() & self.way_part.val());
        self.mirror.emptying.next = self.walk.walking.val()
            | self.clear_1.q.val()
            | self.clear_2.q.val()
            | self.clear_3.q.val()
            | self.clear_4.q.val();
        EntryPort::link(&mut self.ports.entry, &mut self.mirror.entry);

        // What leaves, in stages 5 and 6.
        for i in 0..self._drains {
            self.leaves_5[i].d.next = self.replaces.val() | self.accumulator.saturates_4.val();
            self.saturated_5.d.next = false;
            self.evictions[i].changed.next = self.changed_5.q.val();
            self.evictions[i].leaves.next = self.leaves_5[i].q.val();
            self.evictions[i].number.next = self.mirror.number_5.val();
            self.evictions[i].tag.next = self.mirror.tag_5.val();
            self.evictions[i].start_low.next = self.mirrored.start_low.val();
            self.evictions[i].count.next = self.count_5.q.val();
            LeftSource::link(&mut self.ports.left, &mut self.evictions[i].left);
        }
    }
}
