//! The effect of a record on the stack.

use rust_hdl::prelude::*;

use super::PathStack;
use crate::circuit::kernel;

#[kernel]
impl PathStack {
    /// The actions of the record's row.
    fn actions(&mut self) {
        // A record that changes the extension counter ignores pop and push of its row.
        self.stays.next = (self.step.extends.val() & self.can_extend.q.val())
            | (self.step.retracts.val() & self.can_retract.q.val());

        // A return that does not fit leaves the stack unchanged until the search has ended.
        self.elsewhere.next = false;
        self.resumes.next = false;
        self.purges.next = self.step.purge.val();
        self.target.next = self.step.target.val();
        for i in 0..self._checks {
            self.checks[i].leaves.next = self.step.row.val().get_bit(2)
                & !self.step.row.val().get_bit(3)
                & !self.stays.val();
            self.elsewhere.next = self.checks[i].elsewhere.val();
            self.resumes.next = self.checks[i].resumes.val();
            if self.checks[i].restarts.val() {
                self.purges.next = true;
                self.target.next = self.checks[i].target.val();
            }
        }
        self.appends.next = self.step.row.val().get_bit(0) & !self.elsewhere.val();
        self.pops.next =
            (self.step.row.val().get_bit(2) & !self.stays.val() & !self.elsewhere.val())
                | self.resumes.val();
        self.pushes.next = self.step.row.val().get_bit(3) & !self.stays.val();
    }

    /// The updated top: its outcomes with that of the record, its length and its sum of events.
    fn updated_top(&mut self) {
        self.start.next = self.pushed_target.q.val() | self.popped_start.q.val();
        // Update: append the outcome, add the events.
        self.place.next = bit_cast::<64, 8>(self.place_low.q.val());
        self.mark.next = 0.into();
        if self.step.taken.val() {
            self.mark.next = self.place_high.q.val();
        }
        self.new_outcomes.next = self.appended.q.val() | self.popped.q.val();
        for i in 0..8 {
            if self.mark.val().get_bit(i) {
                self.new_outcomes.next =
                    self.new_outcomes.val() | (self.place.val() << (i.to_bits::<8>() << 3));
            }
        }
        self.new_length.next = self.length.q.val();
        if self.appends.val() {
            self.new_length.next = self.length.q.val() + 1;
        }
        self.sum.next =
            bit_cast::<40, 32>(self.counter.q.val()) + bit_cast::<40, 32>(self.step.events.val());
        self.over.next = (self.sum.val() >> self.counter_bits.val()).any();
        self.new_counter.next = bit_cast::<32, 40>(self.sum.val()) & self.counter_mask.val();
        if self.over.val() {
            self.new_counter.next = self.counter_mask.val();
        }
    }

    /// How the stack changes, and what the next top begins with.
    fn changes(&mut self) {
        self.lone.next = self.occupancy.q.val() == 1;
        self.full.next = self.occupancy.q.val() == self.depth.val();
        self.fills.next = self.appends.val()
            & (self.place_low.q.val() & self.last_low.val()).any()
            & (self.place_high.q.val() & self.last_high.val()).any();
        self.grows.next = self.pushes.val() & !self.pops.val();
        self.drops.next = self.pops.val() & !self.pushes.val();
        self.shallower.next = self.drops.val() & !self.lone.val();
        self.splits.next = self.fills.val() & !self.pops.val();
        self.loads.next =
            self.purges.val() | self.fills.val() | self.pops.val() | self.pushes.val();
        self.fresh.next = self.purges.val()
            | self.pushes.val()
            | (self.pops.val() & self.lone.val())
            | self.splits.val();
        self.blank.next = self.fresh.val() | (self.pops.val() & self.entries.blank.val());
        self.forgets.next = self.purges.val()
            | self.grows.val()
            | (self.drops.val() & self.lone.val())
            | ((self.pushes.val() | self.splits.val()) & !self.step.keeps.val());
    }

    /// The entry that a push stores: the updated top, or a blank one if the path was split.
    fn pushed_entry(&mut self) {
        self.pushed_start.next = self.start.val();
        self.pushed_extension.next = self.extension.q.val();
        if self.fills.val() {
            self.pushed_start.next = self.target.val();
            if !self.step.keeps.val() {
                self.pushed_extension.next = 0.into();
            }
        }
    }

    /// The ring of entries below the top: its address, and what a push writes.
    fn ring(&mut self) {
        self.move_below.next = 0.into();
        if self.grows.val() {
            self.move_below.next = 1.into();
        } else if self.shallower.val() {
            self.move_below.next = self.place_mask.val();
        }
        self.below.d.next = self.below.q.val() + self.move_below.val();
        for i in 0..self._checks {
            if self.checks[i].moves_to.val() {
                self.below.d.next = self.checks[i].place.val();
            }
        }
        self.entries.read_address.next = bit_cast::<16, 8>(self.below.d.val());
        self.entries.write_address.next = bit_cast::<16, 8>(self.below.q.val() + 1);
        self.entries.write_enable.next = self.grows.val();
        self.entries.write_start.next = self.pushed_start.val();
        self.entries.write_outcomes.next = self.new_outcomes.val();
        self.entries.write_length.next = self.new_length.val();
        self.entries.write_events.next = self.new_counter.val();
        self.entries.write_extension.next = self.pushed_extension.val();
        self.entries.write_blank.next = self.fills.val();
    }

    /// The path of the next top.
    fn next_path(&mut self) {
        self.next_length.next = self.new_length.val() & self.length_mask.val();
        if self.drops.val() {
            self.next_length.next = self.entries.length.val();
        }
        // One of the two parts of the start is 0, and one of the two parts of the outcomes.
        if self.loads.val() {
            self.pushed_target.d.next = self.target.val();
            if self.shallower.val() {
                self.pushed_target.d.next = 0.into();
            }
            self.popped_start.d.next = self.entries.start.val();
            if self.fresh.val() {
                self.popped_start.d.next = 0.into();
            }
        }
        self.appended.d.next = self.new_outcomes.val();
        if self.loads.val() {
            self.appended.d.next = 0.into();
        }
        self.popped.d.next = self.entries.outcomes.val();
        if self.blank.val() | !self.drops.val() {
            self.popped.d.next = 0.into();
        }
        self.length.d.next = self.next_length.val();
        self.place_low.d.next = self.one.val() << self.next_length.val().get_bits::<3>(0);
        self.place_high.d.next = self.one.val() << self.next_length.val().get_bits::<3>(3);
        self.counter.d.next = self.new_counter.val();
        if self.drops.val() {
            self.counter.d.next = self.entries.events.val();
        }
        if self.blank.val() {
            self.length.d.next = 0.into();
            self.place_low.d.next = 1.into();
            self.place_high.d.next = 1.into();
            self.counter.d.next = 0.into();
        }
    }

    /// The extension counter of the next top, compared with its limits.
    fn next_extension(&mut self) {
        if self.drops.val() {
            self.extension.d.next = self.entries.extension.val();
        }
        if self.stays.val() {
            self.extension.d.next = self.extension.q.val() + 1;
            if self.step.retracts.val() {
                self.extension.d.next = self.extension.q.val() - 1;
            }
        }
        if self.forgets.val() {
            self.extension.d.next = 0.into();
        }
        self.can_extend.d.next = self.extension.d.val() < self.step.next_limit.val();
        self.can_retract.d.next = self.extension.d.val().any();
    }

    /// The number of entries.
    fn next_occupancy(&mut self) {
        self.change.next = 0.into();
        if self.grows.val() & !self.full.val() {
            self.change.next = 1.into();
        } else if self.shallower.val() {
            self.change.next = self.occupancy_mask.val();
        }
        self.occupancy.d.next = self.occupancy.q.val() + self.change.val();
        if self.purges.val() {
            self.occupancy.d.next = 1.into();
        }
    }

    /// The frames of a checked stack, which move with the entries.
    fn frames(&mut self) {
        for i in 0..self._checks {
            if self.checks[i].moves_to.val() {
                self.occupancy.d.next = self.checks[i].entries.val();
            }
            self.checks[i].valid.next = self.step.valid.val();
            self.checks[i].is_trap.next = self.step.is_trap.val();
            self.checks[i].is_return.next = self.step.is_return.val();
            self.checks[i].is_trap_return.next = self.step.is_trap_return.val();
            self.checks[i].leads_to.next = self.step.target.val();
            self.checks[i].next_address.next = self.step.next_address.val();
            self.checks[i].grows.next = self.grows.val();
            self.checks[i].shrinks.next = self.shallower.val();
            self.checks[i].begins.next = self.purges.val() | (self.drops.val() & self.lone.val());
            self.checks[i].below.next = self.below.q.val();
            self.checks[i].next_below.next = self.below.d.val() & self.place_mask.val();
            self.checks[i].write_place.next = (self.below.q.val() + 1) & self.place_mask.val();
            self.checks[i].occupancy.next = self.occupancy.q.val();
        }
    }

    /// The completed path, unless the context filter rejects it, and the events to report.
    fn completed_path(&mut self) {
        self.shows.next = !self.resumes.val();
        for _i in 0..self._filters {
            self.shows.next = !self.resumes.val()
                & !((bit_cast::<8, 64>(self.start.val() >> self.context_lsb.val())
                    ^ self.step.context_value.val())
                    & self.step.context_mask.val())
                .any();
        }
        self.completes.next = (self.fills.val() | self.pops.val()) & self.shows.val();
        self.out_valid.d.next = self.completes.val();
        self.out_start.d.next = self.start.val();
        self.out_outcomes.d.next = self.new_outcomes.val();
        self.out_length.d.next = self.new_length.val();
        self.out_count.d.next = 1.into();
        if self.step.counts_events.val() {
            self.out_count.d.next = self.new_counter.val();
        }
        self.out_split.d.next = self.splits.val();
        self.out_underflow.d.next = self.drops.val() & self.lone.val();
        self.out_overflow.d.next = self.grows.val() & self.full.val();
        self.out_saturated.d.next = self.over.val() & !self.elsewhere.val();
    }

    /// The outputs, all of them registered.
    fn outputs(&mut self) {
        self.path.valid.next = self.out_valid.q.val();
        self.path.start.next = self.out_start.q.val() << self.align.val();
        self.path.outcomes.next = self.out_outcomes.q.val();
        self.path.length.next = self.out_length.q.val();
        self.path.count.next = self.out_count.q.val();
        self.split.next = self.out_split.q.val();
        self.underflow.next = self.out_underflow.q.val();
        self.overflow.next = self.out_overflow.q.val();
        self.saturated.next = self.out_saturated.q.val();
        self.repaired.next = false;
        self.busy.next = false;
        for i in 0..self._checks {
            self.out_repaired[i].d.next = self.elsewhere.val();
            self.repaired.next = self.out_repaired[i].q.val();
            self.busy.next = self.elsewhere.val() | self.checks[i].busy.val();
        }
    }
}
