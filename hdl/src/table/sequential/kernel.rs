//! The logic of each cycle of a lookup.

use rust_hdl::prelude::*;

use super::SequentialTable;
use crate::circuit::kernel;
use crate::table::layout::TAG_BITS;

#[kernel]
impl SequentialTable {
    /// A clear starts when no lookup is in progress.
    fn clear(&mut self) {
        let clears = self.walk.walking & !self.busy;
        self.wipes_1?.d.next = clears;
        self.wipes_2?.d.next = self.wipes_1?;
        self.wipes_3?.d.next = self.wipes_2?;
        let wipes = if self._sets { clears } else { self.wipes_3? };
        self.wiping?.d.next = clears | self.wipes_1? | self.wipes_2?;
        let clearing = self.walk.walking | self.wiping?;
        self.ports.clearing.next = clearing;
    }

    /// The scan addresses a way in each cycle. The way's tag and count are compared two cycles later.
    fn scan(&mut self) {
        let begins = self.ports.path.valid & !self.ports.freeze & !clearing;
        let scanning = if self._ages {
            self.scans?
        } else {
            self.searching
        };
        self.last.d.next = scanning & (self.step == self.step_before_last);
        let ends = scanning & self.last;
        let compared = scanning & (self.step >> 1).any();
        let compares = if self._sets {
            compared | self.again?
        } else {
            self.searching & compared
        };
        self.again?.d.next = begins & self.rests? & self.known?;
    }

    /// The comparison, and whether the lookup ends with it.
    fn comparison(&mut self) {
        self.tag_match.a.next =
            self.tags.tag | (bit_cast::<TAG_BITS, 16>(self.tags.start_low) << self.tag_bits);
        self.tag_match.b.next =
            self.layout.tag | (bit_cast::<TAG_BITS, 16>(self.layout.start_low) << self.tag_bits);
        let found = compares & self.tag_match.same;
        self.searching.d.next = begins | (self.searching & !ends & !found);
        let misses = self.searching & ends & !found;
        self.missed?.d.next = misses;
        let done = found | self.policy.done;
        self.busy.d.next = (begins | self.busy) & !done;
        self.ports.waits.next = self.ports.path.valid | self.busy;
        if self._sets {
            self.ports.waits.next = self.ports.path.valid | (self.busy & !ends);
        }
        self.walk.ready.next = clears;
        self.filled_2.d.next = (self.tags.tag & self.filled).any();
        self.count_2.d.next = self.counts.count;
    }

    /// What the policy learns.
    fn policy(&mut self) {
        self.policy.begins.next = begins;
        self.policy.compared.next = compared;
        self.policy.searches.next = self.searching;
        self.policy.ends.next = ends;
        self.policy.found.next = found;
        self.policy.misses.next = if self._sets { misses } else { self.missed? };
        self.policy.wipes.next = self.wipes_2?;
        self.policy.restarts.next = wipes;
        self.policy.cell.next = self.rows?.cell_2;
        self.policy.way.next = self.way;
        self.policy.filled.next = self.filled_2;
        self.policy.stored.next = self.count_2;
        self.policy.count.next = self.ports.path.count;
        self.policy.fingerprint.next = self.rows?.fingerprint;
        self.policy.read_address.next = self.read_cell;
        self.policy.read_enable.next = self.fetches;
    }

    /// The readout of an entry, in a cycle in which no lookup needs the memories.
    fn readout(&mut self) {
        // Both memories output the requested entry in the next cycle. In the cycle of a read only a clear can write;
        // `blank` then makes the entry read as empty.
        let mut reads: Bit = self.ports.entry.request & !self.busy & !self.reading & !self.answered;
        if self._sets & self.ports.next_valid & !self.ports.path.valid {
            reads = false;
        }
        self.reading.d.next = reads;
        if reads {
            self.blank.d.next = clearing;
        }
        if self.reading {
            self.wanted_tag.d.next = self.tags.tag;
            self.wanted_start_low.d.next = self.tags.start_low;
            self.wanted_count.d.next = self.counts.count;
        }
        self.answered.d.next = self.reading & self.ports.entry.request;
        // Between lookups the memories are read for a readout, and under LFU once for the next path.
        self.fetches.next = self.busy | reads | (self._sets & !self.rests?);
        self.ports.entry.filled.next = self.readable.filled & !self.blank;
    }

    /// The way to address.
    fn next_way(&mut self) {
        self.way.d.next = bit_cast::<8, 6>(self.step) - 1;
        if scanning {
            self.step.d.next = self.step + 1;
        }
        if begins {
            self.step.d.next = 0.into();
        }
    }

    /// LFU: the ways form a set. After a lookup the memories read its last entry again, and rest.
    fn addresses_in_a_set(&mut self) {
        self.scanned.way.next = bit_cast::<8, 6>(self.step);
        if self._sets {
            self.known?.d.next = self.known? | done;
            // A frozen table has another path shown: its set is read then.
            self.rests?.d.next = !self.busy & !clearing & !reads & !self.ports.path.valid;
            if !self.searching {
                self.way.d.next = bit_cast::<8, 6>(self.step);
            }
            let new_way = if found {
                self.way
            } else {
                self.least?.least_way
            };
            if done {
                self.step.d.next = bit_cast::<6, 8>(new_way);
            }
            self.changed?.way.next = new_way;
            self.changed?.set.next = self.index?.set;
            self.scanned.set.next = self.index?.set;
            self.read_cell.next = self.scanned.number;
            if reads {
                self.read_cell.next = self.ports.entry.number;
            }
            self.write_cell.next = self.changed?.number;
        }
    }

    /// Skewed: each way has its own hash. The policy selects further entries by `target`.
    fn addresses_of_rows(&mut self) {
        if !self._sets {
            if self.missed? {
                self.step.d.next = 0.into();
            }
            self.rows?.begins.next = begins | self.policy.scans_again;
            self.rows?.advances.next = scanning;
            self.scans?.d.next = begins | self.policy.scans_again | (self.scans? & !ends & !found);
            self.scanned.set.next = self.rows?.row;
            self.rows?.cell.next = self.scanned.number;
            if clears {
                self.rows?.cell.next = self.walk.entry;
            }
            self.read_cell.next = self.ports.entry.number;
            if scanning {
                self.read_cell.next = self.scanned.number;
            } else if self.busy {
                self.read_cell.next = self.policy.target;
            }
            // During a search only a hit writes. The comparison then need not select the cell. A cell to clear is a target.
            self.write_cell.next = self.policy.target;
            if self.searching {
                self.write_cell.next = self.rows?.cell_2;
            }
        }
    }

    /// Write back, in the last cycle of a lookup or during a clear.
    fn write_back(&mut self) {
        self.tags.write_tag.next = self.layout.tag;
        if wipes {
            self.tags.write_tag.next = self.layout.tag & self.path_mask;
            if self._sets {
                self.write_cell.next = self.walk.entry;
            }
        }
        self.tags.write_enable.next = wipes | self.policy.takes;
        self.counts.write_enable.next = wipes | self.policy.takes | found;
    }

    /// The accumulator that is written back.
    fn new_count(&mut self) {
        let sum = bit_cast::<40, 32>(self.count_2) + bit_cast::<40, 32>(self.ports.path.count);
        let over = (sum >> self.count_bits).any();
        self.new_count.next = bit_cast::<32, 40>(sum & self.count_mask);
        if over {
            self.new_count.next = self.max_count;
            if self._drains {
                self.new_count.next = self.ports.path.count;
            }
        }
        // LFU stores a missing path in the cycle of the miss. `rrip` stores it one cycle later and adds its count to 0, `shadow` when
        // the victim's accumulator has been read again.
        if self._sets & !found {
            self.new_count.next = self.ports.path.count;
        }
        if self._ages & ends {
            self.count_2.d.next = 0.into();
        }
        if wipes {
            self.new_count.next = 0.into();
        }
    }

    /// Statistics, and the eviction.
    fn outputs(&mut self) {
        self.ports.hit.next = found;
        self.ports.replacement.next = self.policy.replaces;
        self.ports.saturated.next = found & over;

        // A replaced entry is evicted, and so is an entry whose accumulator would overflow.
        if self._drains {
            self.ports.saturated.next = false;
        }
        self.evictions?.leaves.next = self.policy.replaces | (found & over);
    }
}
