//! The logic of each cycle of a lookup.

use rust_hdl::prelude::*;

use super::SequentialTable;
use crate::circuit::kernel;
use crate::table::layout::TAG_BITS;

#[kernel]
impl SequentialTable {
    /// The policy's answer to a miss, and the entry that it selects.
    fn policy(&mut self) {
        self.shown_tag.next = self.layout.tag.val();
        self.shown_start_low.next = self.layout.start_low.val();
        self.moves.next = false;
        for i in 0..self._sets {
            self.takes.next = self.leasts[i].takes.val();
            self.finishes.next = self.misses.val();
            self.replaces.next = self.leasts[i].replaces.val();
        }
        for i in 0..self._shadows {
            self.scans_again.next = self.admissions[i].scans_again.val();
            self.takes.next = self.admissions[i].takes.val();
            self.moves.next = self.admissions[i].moves.val();
            self.finishes.next = self.admissions[i].done.val();
            self.replaces.next = self.admissions[i].replaces.val();
            self.target.next = self.admissions[i].target.val();
            self.tag_2[i].d.next = self.tags.tag.val();
            self.start_low_2[i].d.next = self.tags.start_low.val();
            if self.admissions[i].views.val() {
                self.shown_tag.next = self.tag_2[i].q.val();
                self.shown_start_low.next = self.start_low_2[i].q.val();
            }
        }
        for i in 0..self._values {
            self.scans_again.next = self.ageings[i].scans_again.val();
            self.takes.next = self.ageings[i].takes.val();
            self.finishes.next = self.ageings[i].done.val();
            self.replaces.next = self.ageings[i].replaces.val();
            self.target.next = self.ageings[i].target.val();
        }
    }

    /// The scan addresses a way in each cycle. The way's tag and count are compared two cycles later.
    fn scan(&mut self) {
        self.begins.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.scanning.next = self.searching.q.val();
        for i in 0..self._skewed {
            self.scanning.next = self.scans[i].q.val();
        }
        self.last.d.next = self.scanning.val() & (self.step.q.val() == self.step_before_last.val());
        self.ends.next = self.scanning.val() & self.last.q.val();
        self.sees.next = self.scanning.val() & (self.step.q.val() >> 1).any();
        self.compares.next = self.searching.q.val() & self.sees.val();
        for i in 0..self._sets {
            self.compares.next = self.sees.val() | self.again[i].q.val();
            self.again[i].d.next = self.begins.val() & self.reread[i].q.val();
        }
    }

    /// The comparison, and whether the lookup ends with it.
    fn comparison(&mut self) {
        self.tag_match.a.next = self.tags.tag.val()
            | (bit_cast::<TAG_BITS, 16>(self.tags.start_low.val()) << self.tag_bits.val());
        self.tag_match.b.next = self.layout.tag.val()
            | (bit_cast::<TAG_BITS, 16>(self.layout.start_low.val()) << self.tag_bits.val());
        self.found.next = self.compares.val() & self.tag_match.same.val();
        self.searching.d.next =
            self.begins.val() | (self.searching.q.val() & !self.ends.val() & !self.found.val());
        self.misses.next = self.searching.q.val() & self.ends.val() & !self.found.val();
        self.done.next = self.found.val() | self.finishes.val();
        self.looking.d.next = (self.begins.val() | self.looking.q.val()) & !self.done.val();
        self.ports.waits.next = self.ports.path.valid.val() | self.looking.q.val();
        for _i in 0..self._sets {
            self.ports.waits.next =
                self.ports.path.valid.val() | (self.looking.q.val() & !self.ends.val());
        }
        self.filled_2.d.next = (self.tags.tag.val() & self.filled.val()).any();
        self.count_2.d.next = self.counts.read_data.val();
    }

    /// A clear starts when no lookup is in progress.
    fn clear(&mut self) {
        self.walk.ready.next = !self.looking.q.val();
        self.clears.next = self.walk.walking.val() & !self.looking.q.val();
        self.ports.clearing.next = self.walk.walking.val();
    }

    /// The readout of an entry, in a cycle in which no lookup needs the memories.
    fn readout(&mut self) {
        // Both memories output the requested entry in the next cycle. In the cycle of a read only a clear can write;
        // `blank` then makes the entry read as empty.
        self.reads.next = self.ports.entry.request.val()
            & !self.looking.q.val()
            & !self.reading.q.val()
            & !self.answered.q.val();
        for _i in 0..self._sets {
            if self.ports.coming.val() & !self.ports.path.valid.val() {
                self.reads.next = false;
            }
        }
        self.reading.d.next = self.reads.val();
        if self.reads.val() {
            self.blank.d.next = self.walk.walking.val();
        }
        if self.reading.q.val() {
            self.wanted_tag.d.next = self.tags.tag.val();
            self.wanted_start_low.d.next = self.tags.start_low.val();
            self.wanted_count.d.next = self.counts.read_data.val();
        }
        self.answered.d.next = self.reading.q.val() & self.ports.entry.request.val();
        self.ports.entry.filled.next = self.readable.filled.val() & !self.blank.q.val();
    }

    /// The way to address.
    fn next_way(&mut self) {
        self.way.d.next = bit_cast::<8, 6>(self.step.q.val()) - 1;
        if self.scanning.val() {
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.begins.val() {
            self.step.d.next = 0.into();
        }
    }

    /// LFU: the ways form a set. Between lookups the memories read the last entry of the previous lookup again.
    fn addresses_in_a_set(&mut self) {
        self.scanned.way.next = bit_cast::<8, 6>(self.step.q.val());
        for i in 0..self._sets {
            self.known[i].d.next = self.known[i].q.val() | self.done.val();
            self.reread[i].d.next = self.known[i].q.val()
                & !self.looking.q.val()
                & !self.walk.walking.val()
                & !self.reads.val();
            if !self.searching.q.val() {
                self.way.d.next = bit_cast::<8, 6>(self.step.q.val());
            }
            self.changed_way.next = self.leasts[i].least_way.val();
            if self.found.val() {
                self.changed_way.next = self.way.q.val();
            }
            if self.done.val() {
                self.step.d.next = bit_cast::<6, 8>(self.changed_way.val());
            }
            self.changed[i].way.next = self.changed_way.val();
            self.scanned.set.next = self.index[i].set.val();
            self.read_cell.next = self.scanned.number.val();
            if self.reads.val() {
                self.read_cell.next = self.ports.entry.number.val();
            }
            self.write_cell.next = self.changed[i].number.val();
        }
    }

    /// Skewed: each way has its own hash. The policy selects further entries by `target`.
    fn addresses_of_rows(&mut self) {
        for i in 0..self._skewed {
            self.missed[i].d.next = self.misses.val();
            if self.missed[i].q.val() {
                self.step.d.next = 0.into();
            }
            self.rows[i].begins.next = self.begins.val() | self.scans_again.val();
            self.scans[i].d.next = self.begins.val()
                | self.scans_again.val()
                | (self.scans[i].q.val() & !self.ends.val() & !self.found.val());
            self.scanned.set.next = self.rows[i].row.val();
            self.rows[i].cell.next = self.scanned.number.val();
            self.read_cell.next = self.ports.entry.number.val();
            if self.scanning.val() {
                self.read_cell.next = self.scanned.number.val();
            } else if self.looking.q.val() {
                self.read_cell.next = self.target.val();
            }
            // During a search only a hit writes. The comparison then need not select the cell.
            self.write_cell.next = self.target.val();
            if self.searching.q.val() {
                self.write_cell.next = self.rows[i].cell_2.val();
            }
        }
    }

    /// Write back, in the last cycle of a lookup or during a clear.
    fn write_back(&mut self) {
        self.tags.write_tag.next = self.shown_tag.val();
        if self.clears.val() {
            self.write_cell.next = self.walk.entry.val();
            self.tags.write_tag.next = self.shown_tag.val() & self.path_mask.val();
        }
        self.tags.write_enable.next = self.clears.val() | self.takes.val() | self.moves.val();
        self.counts.write_enable.next =
            self.clears.val() | self.takes.val() | self.moves.val() | self.found.val();
    }

    /// The accumulator that is written back.
    fn new_count(&mut self) {
        self.addend.next = self.ports.path.count.val();
        for i in 0..self._shadows {
            if self.admissions[i].moving.val() {
                self.addend.next = 0.into();
            }
        }
        self.sum.next =
            bit_cast::<40, 32>(self.count_2.q.val()) + bit_cast::<40, 32>(self.addend.val());
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.new_count.next = bit_cast::<32, 40>(self.sum.val() & self.count_mask.val());
        if self.over.val() {
            self.new_count.next = self.max_count.val();
            for _i in 0..self._drains {
                self.new_count.next = self.ports.path.count.val();
            }
        }
        // LFU stores a missing path in the cycle of the miss. `rrip` stores it one cycle later and adds its count to 0.
        for _i in 0..self._sets {
            if !self.found.val() {
                self.new_count.next = self.ports.path.count.val();
            }
        }
        for _i in 0..self._values {
            if self.ends.val() {
                self.count_2.d.next = 0.into();
            }
        }
        for i in 0..self._shadows {
            if !self.searching.q.val() & !self.admissions[i].moving.val() {
                self.new_count.next = self.admissions[i].taken_count.val();
            }
        }
        if self.clears.val() {
            self.new_count.next = 0.into();
        }
    }

    /// Statistics, and the eviction.
    fn outputs(&mut self) {
        self.ports.hit.next = self.found.val();
        self.ports.replacement.next = self.replaces.val();
        self.ports.saturated.next = self.found.val() & self.over.val();

        // A replaced entry is evicted, and so is an entry whose accumulator would overflow.
        for i in 0..self._drains {
            self.ports.saturated.next = false;
            self.evictions[i].leaves.next =
                self.replaces.val() | (self.found.val() & self.over.val());
        }
    }
}
