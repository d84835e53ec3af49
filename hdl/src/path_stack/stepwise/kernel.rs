//! The effect of a record on the stack, cycle by cycle.

use rust_hdl::prelude::*;

use super::StepwiseStack;
use crate::circuit::kernel;

#[kernel]
impl StepwiseStack {
    /// The actions of the record's row.
    fn actions(&mut self) {
        // A record that changes the extension counter ignores pop and push of its row.
        let stays = (self.step.extends & (self.extension < self.limit))
            | (self.step.retracts & self.extension.any());

        // A return that does not fit leaves the stack unchanged until the search has ended.
        self.check?.leaves.next =
            self.step.row.get_bit(2) & !self.step.row.get_bit(3) & !stays & !self.moving;
        let elsewhere = self.check?.elsewhere;
        let resumes = self.check?.resumes;
        let purges = self.step.purge | self.check?.restarts;
        let one_left = self.length == self.last;
        let may_move = self.step.row.get_bit(2) | self.step.row.get_bit(3) | resumes;
        let pops = (self.step.row.get_bit(2) & !stays & !elsewhere) | resumes;
        let pushes = self.step.row.get_bit(3) & !stays;
        if !self.moving {
            self.strayed?.d.next = self.check?.restarts;
        }
    }

    /// First cycle: append the outcome, add the events.
    fn first_cycle(&mut self) {
        let appends = self.step.row.get_bit(0) & !elsewhere & !self.moving;
        let place = bit_cast::<64, 8>(bits::<8>(1) << self.length.get_bits::<3>(0));
        let mark: Bits<8> = if appends & self.step.taken {
            bits::<8>(1) << self.length.get_bits::<3>(3)
        } else {
            0.into()
        };
        let fills = appends & one_left;
        if appends {
            self.length.d.next = self.length + 1;
        }
        let sum = bit_cast::<40, 32>(self.counter) + bit_cast::<40, 32>(self.step.events);
        let over = (sum >> self.counter_bits).any();
    }

    /// What the first cycle registers for the second.
    fn for_the_second_cycle(&mut self) {
        // The extension counter and the return address are compared too late to decide on a second cycle. A row with
        // pop or push therefore always takes one. It also stalls the decoder until a search is busy.
        let moves = !self.moving & (may_move | (self.step.row.get_bit(0) & one_left) | purges);
        if !self.moving {
            self.counter.d.next = bit_cast::<32, 40>(sum) & self.counter_mask;
            if over {
                self.counter.d.next = self.counter_mask;
            }
            if stays {
                self.extension.d.next = self.extension + 1;
                if self.step.retracts {
                    self.extension.d.next = self.extension - 1;
                }
            }
            self.purging.d.next = purges;
            self.popping.d.next = pops;
            self.pushing.d.next = pushes;
            self.filled.d.next = fills;
            self.leaving.d.next = (pops | fills) & !resumes;
            self.pending.d.next = purges | pops | pushes | fills;
        }
    }

    /// Second cycle: the path is output unless it is filtered, and waits for the previous lookup. A split precedes
    /// the push of the same record.
    fn second_cycle(&mut self) {
        let mut completes: Bit = self.leaving;
        if self._filters {
            if ((bit_cast::<8, 64>(self.start >> self.context_lsb) ^ self.step.context_value)
                & self.step.context_mask)
                .any()
            {
                completes = false;
            }
        }
        self.next_valid.next = self.moving & completes;
        let waiting = self.waits & completes;
        let fire = self.pending & !waiting;
        let splits = self.filled & !self.popping;
        let grows = fire & self.pushing & !self.popping & !self.filled;
        let drops = self.popping & !self.pushing;
        let shallower = fire & drops & !self.lone;
        let restarts = fire & (self.purging | (drops & self.lone));
        self.moving.d.next = moves | (self.moving & (waiting | (splits & self.pushing)));
        self.stall.next = self.moving.d;
    }

    /// The next top: a new entry, or the entry below.
    fn next_top(&mut self) {
        let target = if self.strayed? {
            self.check?.target
        } else {
            self.step.target
        };
        if fire {
            self.filled.d.next = false;
            self.leaving.d.next = false;
            self.pending.d.next = splits & self.pushing;
            self.start.d.next = target;
        }
        if shallower {
            self.start.d.next = self.entries.start;
            self.length.d.next = self.entries.length;
            self.counter.d.next = self.entries.events;
            self.extension.d.next = self.entries.extension;
        }
        // Cleared last, synthesis uses synchronous resets. The memory's late outputs then pass one LUT.
        let clears = fire & !shallower;
        if clears {
            self.length.d.next = 0.into();
            self.counter.d.next = 0.into();
            if !self.step.keeps | grows | restarts {
                self.extension.d.next = 0.into();
            }
        }
    }

    /// The outcomes of the next top, in groups of bits.
    fn next_outcomes(&mut self) {
        let mut recorded: Bits<64> = 0.into();
        for i in 0..self.outcomes.len() {
            if mark.get_bit(i) {
                self.outcomes[i].d.next = self.outcomes[i] | place;
            }
            if shallower {
                self.outcomes[i].d.next =
                    (self.entries.outcomes >> self._group_lsb[i]) & self.group;
            }
            if clears {
                self.outcomes[i].d.next = 0.into();
            }
            recorded = recorded | (self.outcomes[i] << self._group_lsb[i]);
        }
        if !self.stall {
            self.limit.d.next = self.step.next_limit;
        }
    }

    /// The ring of entries below the top: its address, the number of entries, and what a push writes.
    fn ring(&mut self) {
        let full = self.occupancy == self.depth;
        let mut move_below: Bits<8> = 0.into();
        let mut change: Bits<9> = 0.into();
        if grows {
            move_below = 1.into();
            if !full {
                change = 1.into();
            }
        }
        if shallower {
            move_below = self.place_mask;
            change = self.occupancy_mask;
        }
        self.below.d.next = self.below + move_below;
        self.occupancy.d.next = self.occupancy + change;
        if fire & self.purging {
            self.occupancy.d.next = 1.into();
        }
        self.lone.d.next = self.occupancy == 1;
        if self.check?.moves_to {
            self.below.d.next = self.check?.place;
            self.occupancy.d.next = self.check?.entries;
        }
        self.entries.read_address.next = bit_cast::<16, 8>(self.below);
        self.entries.write_address.next = bit_cast::<16, 8>(self.below + 1);
        self.entries.write_enable.next = grows;
        self.entries.write_start.next = self.start;
        self.entries.write_outcomes.next = recorded;
        self.entries.write_length.next = self.length & self.length_mask;
        self.entries.write_events.next = self.counter;
        self.entries.write_extension.next = self.extension;
    }

    /// The frames of a checked stack, which move with the entries.
    fn frames(&mut self) {
        self.check?.valid.next = self.step.valid & !self.stall;
        self.check?.grows.next = grows;
        self.check?.shrinks.next = shallower;
        self.check?.begins.next = restarts;
        self.check?.next_below.next = self.below.d & self.place_mask;
        self.check?.write_place.next = (self.below + 1) & self.place_mask;
        self.out_repaired?.d.next = elsewhere;
        self.busy.next = self.check?.busy;
    }

    /// The completed path, held until the next one, and the events to report.
    fn outputs(&mut self) {
        self.out_valid.d.next = fire & completes;
        if fire & completes {
            self.out_start.d.next = self.start;
            self.out_outcomes.d.next = recorded;
            self.out_length.d.next = self.length;
            self.out_count.d.next = self.counter;
            if !self.step.counts_events {
                self.out_count.d.next = 1.into();
            }
        }
        // Cleared last, by the synchronous resets.
        if self.yields {
            self.out_start.d.next = 0.into();
            self.out_outcomes.d.next = 0.into();
            self.out_length.d.next = 0.into();
            self.out_count.d.next = 0.into();
        }
        self.path.start.next = self.out_start << self.align;
        self.out_split.d.next = fire & splits;
        self.out_underflow.d.next = fire & drops & self.lone;
        self.out_overflow.d.next = grows & full;
        self.out_saturated.d.next = over & !self.moving & !elsewhere;
    }
}
