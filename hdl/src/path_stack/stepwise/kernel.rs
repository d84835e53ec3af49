//! The effect of a record on the stack, cycle by cycle.

use rust_hdl::prelude::*;

use super::StepwiseStack;
use crate::circuit::kernel;

#[kernel]
impl StepwiseStack {
    /// The actions of the record's row.
    fn actions(&mut self) {
        // A record that changes the extension counter ignores pop and push of its row.
        self.stays.next = (self.step.extends.val() & (self.extension.q.val() < self.limit.q.val()))
            | (self.step.retracts.val() & self.extension.q.val().any());

        // A return that does not fit leaves the stack unchanged until the search has ended.
        self.elsewhere.next = false;
        self.purges.next = self.step.purge.val();
        self.asks.next = self.step.row.val().get_bit(2) | self.step.row.val().get_bit(3);
        self.pops.next = self.step.row.val().get_bit(2) & !self.stays.val();
        self.pushes.next = self.step.row.val().get_bit(3) & !self.stays.val();
        for i in 0..self._checks {
            self.checks[i].leaves.next = self.step.row.val().get_bit(2)
                & !self.step.row.val().get_bit(3)
                & !self.stays.val()
                & !self.moving.q.val();
            self.elsewhere.next = self.checks[i].elsewhere.val();
            self.purges.next = self.step.purge.val() | self.checks[i].restarts.val();
            self.pops.next = (self.step.row.val().get_bit(2)
                & !self.stays.val()
                & !self.checks[i].elsewhere.val())
                | self.checks[i].resumes.val();
            self.asks.next = self.step.row.val().get_bit(2)
                | self.step.row.val().get_bit(3)
                | self.checks[i].resumes.val();
            if !self.moving.q.val() {
                self.strayed[i].d.next = self.checks[i].restarts.val();
            }
        }
    }

    /// First cycle: append the outcome, add the events.
    fn first_cycle(&mut self) {
        self.appends.next =
            self.step.row.val().get_bit(0) & !self.elsewhere.val() & !self.moving.q.val();
        self.place.next = bit_cast::<64, 8>(self.one.val() << self.length.q.val().get_bits::<3>(0));
        self.mark.next = 0.into();
        if self.appends.val() & self.step.taken.val() {
            self.mark.next = self.one.val() << self.length.q.val().get_bits::<3>(3);
        }
        self.one_left.next = self.length.q.val() == self.last.val();
        self.fills.next = self.appends.val() & self.one_left.val();
        if self.appends.val() {
            self.length.d.next = self.length.q.val() + 1;
        }
        self.sum.next =
            bit_cast::<40, 32>(self.counter.q.val()) + bit_cast::<40, 32>(self.step.events.val());
        self.over.next = (self.sum.val() >> self.counter_bits.val()).any();
    }

    /// What the first cycle registers for the second.
    fn for_the_second_cycle(&mut self) {
        // The extension counter and the return address are compared too late to decide on a second cycle. A row with
        // pop or push therefore always takes one. It also stalls the decoder until a search is busy.
        self.moves.next = !self.moving.q.val()
            & (self.asks.val()
                | (self.step.row.val().get_bit(0) & self.one_left.val())
                | self.purges.val());
        if !self.moving.q.val() {
            self.counter.d.next = bit_cast::<32, 40>(self.sum.val()) & self.counter_mask.val();
            if self.over.val() {
                self.counter.d.next = self.counter_mask.val();
            }
            if self.stays.val() {
                self.extension.d.next = self.extension.q.val() + 1;
                if self.step.retracts.val() {
                    self.extension.d.next = self.extension.q.val() - 1;
                }
            }
            self.purging.d.next = self.purges.val();
            self.popping.d.next = self.pops.val();
            self.pushing.d.next = self.pushes.val();
            self.filled.d.next = self.fills.val();
            self.leaving.d.next = self.pops.val() | self.fills.val();
            for i in 0..self._checks {
                self.leaving.d.next =
                    (self.pops.val() | self.fills.val()) & !self.checks[i].resumes.val();
            }
            self.going.d.next =
                self.purges.val() | self.pops.val() | self.pushes.val() | self.fills.val();
        }
    }

    /// Second cycle: the path is output unless it is filtered, and waits for the previous lookup. A split precedes
    /// the push of the same record.
    fn second_cycle(&mut self) {
        self.completes.next = self.leaving.q.val();
        for _i in 0..self._filters {
            if ((bit_cast::<8, 64>(self.start.q.val() >> self.context_lsb.val())
                ^ self.step.context_value.val())
                & self.step.context_mask.val())
            .any()
            {
                self.completes.next = false;
            }
        }
        self.coming.next = self.moving.q.val() & self.completes.val();
        self.waiting.next = self.waits.val() & self.completes.val();
        self.goes.next = self.going.q.val() & !self.waiting.val();
        self.splits.next = self.filled.q.val() & !self.popping.q.val();
        self.grows.next =
            self.goes.val() & self.pushing.q.val() & !self.popping.q.val() & !self.filled.q.val();
        self.drops.next = self.popping.q.val() & !self.pushing.q.val();
        self.shallower.next = self.goes.val() & self.drops.val() & !self.lone.q.val();
        self.restarts.next =
            self.goes.val() & (self.purging.q.val() | (self.drops.val() & self.lone.q.val()));
        self.moving.d.next = self.moves.val()
            | (self.moving.q.val()
                & (self.waiting.val() | (self.splits.val() & self.pushing.q.val())));
        self.stays_put.next = self.moving.d.val();
    }

    /// The next top: a new entry, or the entry below.
    fn next_top(&mut self) {
        self.target.next = self.step.target.val();
        for i in 0..self._checks {
            if self.strayed[i].q.val() {
                self.target.next = self.checks[i].target.val();
            }
        }
        if self.goes.val() {
            self.filled.d.next = false;
            self.leaving.d.next = false;
            self.going.d.next = self.splits.val() & self.pushing.q.val();
            self.start.d.next = self.target.val();
        }
        if self.shallower.val() {
            self.start.d.next = self.entries.start.val();
            self.length.d.next = self.entries.length.val();
            self.counter.d.next = self.entries.events.val();
            self.extension.d.next = self.entries.extension.val();
        }
        // Cleared last, synthesis uses synchronous resets. The memory's late outputs then pass one LUT.
        self.clears.next = self.goes.val() & !self.shallower.val();
        if self.clears.val() {
            self.length.d.next = 0.into();
            self.counter.d.next = 0.into();
            if !self.step.keeps.val() | self.grows.val() | self.restarts.val() {
                self.extension.d.next = 0.into();
            }
        }
    }

    /// The outcomes of the next top, in groups of bits.
    fn next_outcomes(&mut self) {
        self.recorded.next = 0.into();
        for i in 0..self._groups {
            if self.mark.val().get_bit(i) {
                self.outcomes[i].d.next = self.outcomes[i].q.val() | self.place.val();
            }
            if self.shallower.val() {
                self.outcomes[i].d.next =
                    (self.entries.outcomes.val() >> self.group_lsb[i].val()) & self.group.val();
            }
            if self.clears.val() {
                self.outcomes[i].d.next = 0.into();
            }
            self.recorded.next =
                self.recorded.val() | (self.outcomes[i].q.val() << self.group_lsb[i].val());
        }
        if !self.stays_put.val() {
            self.limit.d.next = self.step.next_limit.val();
        }
    }

    /// The ring of entries below the top: its address, the number of entries, and what a push writes.
    fn ring(&mut self) {
        self.full.next = self.occupancy.q.val() == self.depth.val();
        self.move_below.next = 0.into();
        self.change.next = 0.into();
        if self.grows.val() {
            self.move_below.next = 1.into();
            if !self.full.val() {
                self.change.next = 1.into();
            }
        }
        if self.shallower.val() {
            self.move_below.next = self.place_mask.val();
            self.change.next = self.occupancy_mask.val();
        }
        self.below.d.next = self.below.q.val() + self.move_below.val();
        self.occupancy.d.next = self.occupancy.q.val() + self.change.val();
        if self.goes.val() & self.purging.q.val() {
            self.occupancy.d.next = 1.into();
        }
        self.lone.d.next = self.occupancy.q.val() == 1;
        for i in 0..self._checks {
            if self.checks[i].moves_to.val() {
                self.below.d.next = self.checks[i].place.val();
                self.occupancy.d.next = self.checks[i].entries.val();
            }
        }
        self.entries.read_address.next = bit_cast::<16, 8>(self.below.q.val());
        self.entries.write_address.next = bit_cast::<16, 8>(self.below.q.val() + 1);
        self.entries.write_enable.next = self.grows.val();
        self.entries.write_start.next = self.start.q.val();
        self.entries.write_outcomes.next = self.recorded.val();
        self.entries.write_length.next = self.length.q.val() & self.length_mask.val();
        self.entries.write_events.next = self.counter.q.val();
        self.entries.write_extension.next = self.extension.q.val();
    }

    /// The frames of a checked stack, which move with the entries.
    fn frames(&mut self) {
        self.repaired.next = false;
        self.busy.next = false;
        for i in 0..self._checks {
            self.checks[i].valid.next = self.step.valid.val() & !self.stays_put.val();
            self.checks[i].is_trap.next = self.step.is_trap.val();
            self.checks[i].is_return.next = self.step.is_return.val();
            self.checks[i].is_trap_return.next = self.step.is_trap_return.val();
            self.checks[i].leads_to.next = self.step.target.val();
            self.checks[i].next_address.next = self.step.next_address.val();
            self.checks[i].grows.next = self.grows.val();
            self.checks[i].shrinks.next = self.shallower.val();
            self.checks[i].begins.next = self.restarts.val();
            self.checks[i].below.next = self.below.q.val();
            self.checks[i].next_below.next = self.below.d.val() & self.place_mask.val();
            self.checks[i].write_place.next = (self.below.q.val() + 1) & self.place_mask.val();
            self.checks[i].occupancy.next = self.occupancy.q.val();
            self.out_repaired[i].d.next = self.elsewhere.val();
            self.repaired.next = self.out_repaired[i].q.val();
            self.busy.next = self.checks[i].busy.val();
        }
    }

    /// The completed path, held until the next one, and the events to report.
    fn outputs(&mut self) {
        self.out_valid.d.next = self.goes.val() & self.completes.val();
        if self.goes.val() & self.completes.val() {
            self.out_start.d.next = self.start.q.val();
            self.out_outcomes.d.next = self.recorded.val();
            self.out_length.d.next = self.length.q.val();
            self.out_count.d.next = self.counter.q.val();
            if !self.step.counts_events.val() {
                self.out_count.d.next = 1.into();
            }
        }
        self.path.start.next = self.out_start.q.val() << self.align.val();
        self.out_split.d.next = self.goes.val() & self.splits.val();
        self.out_underflow.d.next = self.goes.val() & self.drops.val() & self.lone.q.val();
        self.out_overflow.d.next = self.grows.val() & self.full.val();
        self.out_saturated.d.next = self.over.val() & !self.moving.q.val() & !self.elsewhere.val();
    }
}
