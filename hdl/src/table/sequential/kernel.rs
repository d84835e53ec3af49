//! The logic of each cycle of a lookup.

use rust_hdl::prelude::*;

use super::SequentialTable;
use crate::circuit::kernel;
use crate::table::layout::TAG_BITS;

#[kernel]
impl SequentialTable {
    /// The policy's answer to a miss, and the entry that it selects.
    fn policy(&mut self) {
        self.shown_tag.next = self.layout.tag;
        self.shown_start_low.next = self.layout.start_low;
        let mut moves: Bit = false;
        for i in 0..self._sets {
            self.takes.next = self.leasts[i].takes;
            self.finishes.next = self.misses;
            self.replaces.next = self.leasts[i].replaces;
        }
        for i in 0..self._shadows {
            self.scans_again.next = self.admissions[i].scans_again;
            self.takes.next = self.admissions[i].takes;
            moves = self.admissions[i].moves;
            self.finishes.next = self.admissions[i].done;
            self.replaces.next = self.admissions[i].replaces;
            self.target.next = self.admissions[i].target;
            self.tag_2[i].d.next = self.tags.tag;
            self.start_low_2[i].d.next = self.tags.start_low;
            if self.admissions[i].views {
                self.shown_tag.next = self.tag_2[i];
                self.shown_start_low.next = self.start_low_2[i];
            }
        }
        for i in 0..self._values {
            self.scans_again.next = self.ageings[i].scans_again;
            self.takes.next = self.ageings[i].takes;
            self.finishes.next = self.ageings[i].done;
            self.replaces.next = self.ageings[i].replaces;
            self.target.next = self.ageings[i].target;
        }
    }

    /// The scan addresses a way in each cycle. The way's tag and count are compared two cycles later.
    fn scan(&mut self) {
        self.begins.next = self.ports.path.valid & !self.ports.freeze & !self.walk.walking;
        let mut scanning: Bit = self.searching;
        for i in 0..self._skewed {
            scanning = self.scans[i];
        }
        self.last.d.next = scanning & (self.step == self.step_before_last);
        self.ends.next = scanning & self.last;
        self.sees.next = scanning & (self.step >> 1).any();
        let mut compares: Bit = self.searching & self.sees;
        for i in 0..self._sets {
            compares = self.sees | self.again[i];
            self.again[i].d.next = self.begins & self.reread[i];
        }
    }

    /// The comparison, and whether the lookup ends with it.
    fn comparison(&mut self) {
        self.tag_match.a.next =
            self.tags.tag | (bit_cast::<TAG_BITS, 16>(self.tags.start_low) << self.tag_bits);
        self.tag_match.b.next =
            self.layout.tag | (bit_cast::<TAG_BITS, 16>(self.layout.start_low) << self.tag_bits);
        self.found.next = compares & self.tag_match.same;
        self.searching.d.next = self.begins | (self.searching & !self.ends & !self.found);
        self.misses.next = self.searching & self.ends & !self.found;
        let done = self.found | self.finishes;
        self.looking.d.next = (self.begins | self.looking) & !done;
        self.ports.waits.next = self.ports.path.valid | self.looking;
        for _i in 0..self._sets {
            self.ports.waits.next = self.ports.path.valid | (self.looking & !self.ends);
        }
        self.filled_2.d.next = (self.tags.tag & self.filled).any();
        self.count_2.d.next = self.counts.read_data;
    }

    /// A clear starts when no lookup is in progress.
    fn clear(&mut self) {
        self.walk.ready.next = !self.looking;
        self.clears.next = self.walk.walking & !self.looking;
        self.ports.clearing.next = self.walk.walking;
    }

    /// The readout of an entry, in a cycle in which no lookup needs the memories.
    fn readout(&mut self) {
        // Both memories output the requested entry in the next cycle. In the cycle of a read only a clear can write;
        // `blank` then makes the entry read as empty.
        let mut reads: Bit =
            self.ports.entry.request & !self.looking & !self.reading & !self.answered;
        for _i in 0..self._sets {
            if self.ports.coming & !self.ports.path.valid {
                reads = false;
            }
        }
        self.reading.d.next = reads;
        if reads {
            self.blank.d.next = self.walk.walking;
        }
        if self.reading {
            self.wanted_tag.d.next = self.tags.tag;
            self.wanted_start_low.d.next = self.tags.start_low;
            self.wanted_count.d.next = self.counts.read_data;
        }
        self.answered.d.next = self.reading & self.ports.entry.request;
        self.ports.entry.filled.next = self.readable.filled & !self.blank;
    }

    /// The way to address.
    fn next_way(&mut self) {
        self.way.d.next = bit_cast::<8, 6>(self.step) - 1;
        if scanning {
            self.step.d.next = self.step + 1;
        }
        if self.begins {
            self.step.d.next = 0.into();
        }
    }

    /// LFU: the ways form a set. Between lookups the memories read the last entry of the previous lookup again.
    fn addresses_in_a_set(&mut self) {
        self.scanned.way.next = bit_cast::<8, 6>(self.step);
        for i in 0..self._sets {
            self.known[i].d.next = self.known[i] | done;
            self.reread[i].d.next = self.known[i] & !self.looking & !self.walk.walking & !reads;
            if !self.searching {
                self.way.d.next = bit_cast::<8, 6>(self.step);
            }
            self.changed_way.next = self.leasts[i].least_way;
            if self.found {
                self.changed_way.next = self.way;
            }
            if done {
                self.step.d.next = bit_cast::<6, 8>(self.changed_way);
            }
            self.changed[i].way.next = self.changed_way;
            self.scanned.set.next = self.index[i].set;
            self.read_cell.next = self.scanned.number;
            if reads {
                self.read_cell.next = self.ports.entry.number;
            }
            self.write_cell.next = self.changed[i].number;
        }
    }

    /// Skewed: each way has its own hash. The policy selects further entries by `target`.
    fn addresses_of_rows(&mut self) {
        for i in 0..self._skewed {
            self.missed[i].d.next = self.misses;
            if self.missed[i] {
                self.step.d.next = 0.into();
            }
            self.rows[i].begins.next = self.begins | self.scans_again;
            self.scans[i].d.next =
                self.begins | self.scans_again | (self.scans[i] & !self.ends & !self.found);
            self.scanned.set.next = self.rows[i].row;
            self.rows[i].cell.next = self.scanned.number;
            self.read_cell.next = self.ports.entry.number;
            if scanning {
                self.read_cell.next = self.scanned.number;
            } else if self.looking {
                self.read_cell.next = self.target;
            }
            // During a search only a hit writes. The comparison then need not select the cell.
            self.write_cell.next = self.target;
            if self.searching {
                self.write_cell.next = self.rows[i].cell_2;
            }
        }
    }

    /// Write back, in the last cycle of a lookup or during a clear.
    fn write_back(&mut self) {
        self.tags.write_tag.next = self.shown_tag;
        if self.clears {
            self.write_cell.next = self.walk.entry;
            self.tags.write_tag.next = self.shown_tag & self.path_mask;
        }
        self.tags.write_enable.next = self.clears | self.takes | moves;
        self.counts.write_enable.next = self.clears | self.takes | moves | self.found;
    }

    /// The accumulator that is written back.
    fn new_count(&mut self) {
        let mut addend: Bits<32> = self.ports.path.count;
        for i in 0..self._shadows {
            if self.admissions[i].moving {
                addend = 0.into();
            }
        }
        let sum = bit_cast::<40, 32>(self.count_2) + bit_cast::<40, 32>(addend);
        let over = (sum >> self.count_bits).any();
        self.new_count.next = bit_cast::<32, 40>(sum & self.count_mask);
        if over {
            self.new_count.next = self.max_count;
            for _i in 0..self._drains {
                self.new_count.next = self.ports.path.count;
            }
        }
        // LFU stores a missing path in the cycle of the miss. `rrip` stores it one cycle later and adds its count to 0.
        for _i in 0..self._sets {
            if !self.found {
                self.new_count.next = self.ports.path.count;
            }
        }
        for _i in 0..self._values {
            if self.ends {
                self.count_2.d.next = 0.into();
            }
        }
        for i in 0..self._shadows {
            if !self.searching & !self.admissions[i].moving {
                self.new_count.next = self.admissions[i].taken_count;
            }
        }
        if self.clears {
            self.new_count.next = 0.into();
        }
    }

    /// Statistics, and the eviction.
    fn outputs(&mut self) {
        self.ports.hit.next = self.found;
        self.ports.replacement.next = self.replaces;
        self.ports.saturated.next = self.found & over;

        // A replaced entry is evicted, and so is an entry whose accumulator would overflow.
        for i in 0..self._drains {
            self.ports.saturated.next = false;
            self.evictions[i].leaves.next = self.replaces | (self.found & over);
        }
    }
}
