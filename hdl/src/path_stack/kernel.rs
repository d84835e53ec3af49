//! The effect of a record on the stack.

use rust_hdl::prelude::*;

use super::PathStack;
use crate::circuit::kernel;

#[kernel]
impl PathStack {
    /// The actions of the record's row.
    fn actions(&mut self) {
        // A record that changes the extension counter ignores pop and push of its row.
        let stays = (self.step.extends & self.can_extend) | (self.step.retracts & self.can_retract);

        // A return that does not fit leaves the stack unchanged until the search has ended.
        self.check?.leaves.next = self.step.row.get_bit(2) & !self.step.row.get_bit(3) & !stays;
        let elsewhere = self.check?.elsewhere;
        let resumes = self.check?.resumes;
        let purges = self.step.purge | self.check?.restarts;
        let target = if self.check?.restarts {
            self.check?.target
        } else {
            self.step.target
        };
        let appends = self.step.row.get_bit(0) & !elsewhere;
        let pops = (self.step.row.get_bit(2) & !stays & !elsewhere) | resumes;
        let pushes = self.step.row.get_bit(3) & !stays;
    }

    /// The updated top: its outcomes with that of the record, its length and its sum of events.
    fn updated_top(&mut self) {
        let start = self.pushed_target | self.popped_start;
        // Update: append the outcome, add the events.
        let place = bit_cast::<64, 8>(self.place_low);
        let mark: Bits<8> = if self.step.taken {
            self.place_high
        } else {
            0.into()
        };
        self.new_outcomes.next = self.appended | self.popped;
        for i in 0..8 {
            if mark.get_bit(i) {
                self.new_outcomes.next = self.new_outcomes | (place << (i.to_bits::<8>() << 3));
            }
        }
        let new_length = if appends {
            self.length + 1
        } else {
            self.length
        };
        let sum = bit_cast::<40, 32>(self.counter) + bit_cast::<40, 32>(self.step.events);
        let over = (sum >> self.counter_bits).any();
        let new_counter = if over {
            self.counter_mask
        } else {
            bit_cast::<32, 40>(sum) & self.counter_mask
        };
    }

    /// How the stack changes, and what the next top begins with.
    fn changes(&mut self) {
        let lone = self.occupancy == 1;
        let full = self.occupancy == self.depth;
        let fills = appends
            & (self.place_low & self.last_low).any()
            & (self.place_high & self.last_high).any();
        let grows = pushes & !pops;
        let drops = pops & !pushes;
        let shallower = drops & !lone;
        let splits = fills & !pops;
        let loads = purges | fills | pops | pushes;
        let fresh = purges | pushes | (pops & lone) | splits;
        let blank = fresh | (pops & self.entries.blank);
        let forgets = purges | grows | (drops & lone) | ((pushes | splits) & !self.step.keeps);
    }

    /// The entry that a push stores: the updated top, or a blank one if the path was split.
    fn pushed_entry(&mut self) {
        let mut pushed_start: Bits<64> = start;
        let mut pushed_extension: Bits<8> = self.extension;
        if fills {
            pushed_start = target;
            if !self.step.keeps {
                pushed_extension = 0.into();
            }
        }
    }

    /// The ring of entries below the top: its address, and what a push writes.
    fn ring(&mut self) {
        let mut move_below: Bits<8> = 0.into();
        if grows {
            move_below = 1.into();
        } else if shallower {
            move_below = self.place_mask;
        }
        self.below.d.next = self.below + move_below;
        if self.check?.moves_to {
            self.below.d.next = self.check?.place;
        }
        self.entries.read_address.next = bit_cast::<16, 8>(self.below.d);
        self.entries.write_address.next = bit_cast::<16, 8>(self.below + 1);
        self.entries.write_enable.next = grows;
        self.entries.write_start.next = pushed_start;
        self.entries.write_outcomes.next = self.new_outcomes;
        self.entries.write_length.next = new_length;
        self.entries.write_events.next = new_counter;
        self.entries.write_extension.next = pushed_extension;
        self.entries.write_blank.next = fills;
    }

    /// The path of the next top.
    fn next_path(&mut self) {
        let next_length = if drops {
            self.entries.length
        } else {
            new_length & self.length_mask
        };
        // One of the two parts of the start is 0, and one of the two parts of the outcomes.
        if loads {
            self.pushed_target.d.next = target;
            if shallower {
                self.pushed_target.d.next = 0.into();
            }
            self.popped_start.d.next = self.entries.start;
            if fresh {
                self.popped_start.d.next = 0.into();
            }
        }
        self.appended.d.next = self.new_outcomes;
        if loads {
            self.appended.d.next = 0.into();
        }
        self.popped.d.next = self.entries.outcomes;
        if blank | !drops {
            self.popped.d.next = 0.into();
        }
        self.length.d.next = next_length;
        self.place_low.d.next = bits::<8>(1) << next_length.get_bits::<3>(0);
        self.place_high.d.next = bits::<8>(1) << next_length.get_bits::<3>(3);
        self.counter.d.next = new_counter;
        if drops {
            self.counter.d.next = self.entries.events;
        }
        if blank {
            self.length.d.next = 0.into();
            self.place_low.d.next = 1.into();
            self.place_high.d.next = 1.into();
            self.counter.d.next = 0.into();
        }
    }

    /// The extension counter of the next top, compared with its limits.
    fn next_extension(&mut self) {
        if drops {
            self.extension.d.next = self.entries.extension;
        }
        if stays {
            self.extension.d.next = self.extension + 1;
            if self.step.retracts {
                self.extension.d.next = self.extension - 1;
            }
        }
        if forgets {
            self.extension.d.next = 0.into();
        }
        self.can_extend.d.next = self.extension.d < self.step.next_limit;
        self.can_retract.d.next = self.extension.d.any();
    }

    /// The number of entries.
    fn next_occupancy(&mut self) {
        let mut change: Bits<9> = 0.into();
        if grows & !full {
            change = 1.into();
        } else if shallower {
            change = self.occupancy_mask;
        }
        self.occupancy.d.next = self.occupancy + change;
        if purges {
            self.occupancy.d.next = 1.into();
        }
    }

    /// The frames of a checked stack, which move with the entries.
    fn frames(&mut self) {
        if self.check?.moves_to {
            self.occupancy.d.next = self.check?.entries;
        }
        self.check?.valid.next = self.step.valid;
        self.check?.grows.next = grows;
        self.check?.shrinks.next = shallower;
        self.check?.begins.next = purges | (drops & lone);
        self.check?.next_below.next = self.below.d & self.place_mask;
        self.check?.write_place.next = (self.below + 1) & self.place_mask;
        self.out_repaired?.d.next = elsewhere;
        self.busy.next = elsewhere | self.check?.busy;
    }

    /// The completed path, unless the context filter rejects it, and the events to report.
    fn completed_path(&mut self) {
        let shows = if self._filters {
            !resumes
                & !((bit_cast::<8, 64>(start >> self.context_lsb) ^ self.step.context_value)
                    & self.step.context_mask)
                    .any()
        } else {
            !resumes
        };
        let completes = (fills | pops) & shows;
        self.out_valid.d.next = completes;
        self.out_start.d.next = start;
        self.out_outcomes.d.next = self.new_outcomes;
        self.out_length.d.next = new_length;
        self.out_count.d.next = 1.into();
        if self.step.counts_events {
            self.out_count.d.next = new_counter;
        }
        self.out_split.d.next = splits;
        self.out_underflow.d.next = drops & lone;
        self.out_overflow.d.next = grows & full;
        self.out_saturated.d.next = over & !elsewhere;
        self.path.start.next = self.out_start << self.align;
    }
}
