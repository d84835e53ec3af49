//! What happens in each cycle of a lookup.

use rust_hdl::prelude::*;

use super::SkewedTable;

impl Logic for SkewedTable {
    #[hdl_gen]
    fn update(&mut self) {
        // What the policy does with a path that is not found.
        self.shown_tag.next = self.layout.tag.val();
        for i in 0..self._shadows {
            self.scans_again.next = self.admissions[i].scans_again.val();
            self.takes.next = self.admissions[i].takes.val();
            self.moves.next = self.admissions[i].moves.val();
            self.finishes.next = self.admissions[i].done.val();
            self.replaces.next = self.admissions[i].replaces.val();
            self.target.next = self.admissions[i].target.val();
            self.taken_count.next = self.admissions[i].taken_count.val();
            self.tag_2[i].d.next = self.tags.read_data.val();
            if self.admissions[i].views.val() {
                self.shown_tag.next = self.tag_2[i].q.val();
            }
        }
        for i in 0..self._values {
            self.scans_again.next = self.ageings[i].scans_again.val();
            self.takes.next = self.ageings[i].takes.val();
            self.moves.next = false;
            self.finishes.next = self.ageings[i].done.val();
            self.replaces.next = self.ageings[i].replaces.val();
            self.target.next = self.ageings[i].target.val();
            self.taken_count.next = self.ports.path.count.val();
        }

        // The path that is shown: in its first cycle what its rows follow from goes into registers.
        self.begins.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.looking.d.next = (self.begins.val() | self.looking.q.val()) & !self.done.val();
        self.ports.waits.next = self.ports.path.valid.val() | self.looking.q.val();
        self.y.d.next = self.place.next_y.val();
        if self.begins.val() | self.scans_again.val() {
            self.x.d.next = self.places.x.val();
            self.y.d.next = self.places.y.val();
        }

        // The scan: a way a cycle is addressed, and seen two cycles later.
        self.ends.next = self.scanning.q.val() & (self.step.q.val() == self.last_step.val());
        self.sees.next = self.scanning.q.val() & (self.step.q.val() >> 1).any();
        self.found.next = self.searching.q.val() & self.sees.val() & self.tag_match.same.val();
        self.scanning.d.next = self.begins.val()
            | self.scans_again.val()
            | (self.scanning.q.val() & !self.ends.val() & !self.found.val());
        self.searching.d.next =
            self.begins.val() | (self.searching.q.val() & !self.ends.val() & !self.found.val());
        self.missed.d.next = self.searching.q.val() & self.ends.val() & !self.found.val();
        self.done.next = self.found.val() | self.finishes.val();
        self.step.d.next = 0.into();
        if self.scanning.q.val() {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.ends.val() {
            self.step.d.next = 0.into();
        }
        self.way.d.next = bit_cast::<8, 6>(self.step.q.val()) - 1;
        self.scanned.way.next = bit_cast::<8, 6>(self.step.q.val());
        self.cell_1.d.next = self.scanned.number.val();
        self.cell_2.d.next = self.cell_1.q.val();
        self.filled_2.d.next = (self.tags.read_data.val() & self.filled.val()).any();
        self.count_2.d.next = self.counts.read_data.val();

        // The clear walk, once the path from before is done with.
        self.walk.ready.next = !self.looking.q.val();
        self.clears.next = self.walk.walking.val() & !self.looking.q.val();
        self.ports.clearing.next = self.walk.walking.val();

        // Cell to read: that of a way, or the one that the policy asks for, else the wanted entry's.
        self.read_cell.next = self.ports.entry.number.val();
        if self.scanning.q.val() {
            self.read_cell.next = self.scanned.number.val();
        } else if self.looking.q.val() {
            self.read_cell.next = self.target.val();
        }

        // What changes: the row where the path was found, else the one that the policy says.
        self.write_cell.next = self.target.val();
        self.tags.write_data.next = self.shown_tag.val();
        if self.found.val() {
            self.write_cell.next = self.cell_2.q.val();
        }
        if self.clears.val() {
            self.write_cell.next = self.walk.entry.val();
            self.tags.write_data.next = self.shown_tag.val() & self.path_part.val();
        }
        self.tags.write_enable.next = self.clears.val() | self.takes.val() | self.moves.val();
        self.counts.write_enable.next =
            self.clears.val() | self.takes.val() | self.moves.val() | self.found.val();
        self.addend.next = self.ports.path.count.val();
        if self.moves.val() {
            self.addend.next = 0.into();
        }
        self.sum.next =
            bit_cast::<40, 32>(self.count_2.q.val()) + bit_cast::<40, 32>(self.addend.val());
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.new_count.next = self.taken_count.val();
        if self.found.val() | self.moves.val() {
            self.new_count.next = bit_cast::<32, 40>(self.sum.val() & self.count_part.val());
            if self.over.val() {
                self.new_count.next = self.greatest.val();
                for _i in 0..self._drains {
                    self.new_count.next = self.ports.path.count.val();
                }
            }
        }
        if self.clears.val() {
            self.new_count.next = 0.into();
        }
        self.ports.hit.next = self.found.val();
        self.ports.replacement.next = self.replaces.val();
        self.ports.saturated.next = self.found.val() & self.over.val();

        // Evicted: the entry that is replaced, or whose accumulator would overflow.
        for i in 0..self._drains {
            self.ports.saturated.next = false;
            self.evictions[i].leaves.next =
                self.replaces.val() | (self.found.val() & self.over.val());
            self.evictions[i].tag.next = self.tags.write_data.val() >> self.low_bits.val();
            self.leaving_start_low.next =
                bit_cast::<16, 64>(self.descriptor.start.val() & self.low_part.val());
        }

        // The readout: both memories show the wanted entry in the next cycle. Only a clear writes in a cycle in which it is read, and then it is empty.
        self.reads.next = self.ports.entry.request.val()
            & !self.looking.q.val()
            & !self.reading.q.val()
            & !self.answered.q.val();
        self.reading.d.next = self.reads.val();
        if self.reads.val() {
            self.blank.d.next = self.walk.walking.val();
        }
        if self.reading.q.val() {
            self.wanted_tag.d.next = self.tags.read_data.val();
            if self.blank.q.val() {
                self.wanted_tag.d.next = 0.into();
            }
            self.wanted_count.d.next = self.counts.read_data.val();
        }
        self.answered.d.next = self.reading.q.val() & self.ports.entry.request.val();
    }
}
