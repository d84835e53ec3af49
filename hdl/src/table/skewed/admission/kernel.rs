//! What each phase does to the path that is judged, and to what it meets.

use rust_hdl::prelude::*;

use super::Admission;

impl Logic for Admission {
    #[hdl_gen]
    fn update(&mut self) {
        self.shown.next = !self.settling.q.val().get_bit(0);
        self.busy.next = self.phase.q.val() != self.idle_phase.val();
        self.in_scan.next = (self.phase.q.val() == self.own_phase.val())
            | (self.phase.q.val() == self.other_phase.val());
        self.scans.next = self.shown.val() & !self.scanned.q.val() & self.in_scan.val();
        self.ends_scan.next = self.way_shown.q.val() == self.last_way.val();
        self.judged.next = self.scanned.q.val() & (self.phase.q.val() == self.own_phase.val());
        self.compared.next = self.scanned.q.val()
            & (self.phase.q.val() == self.other_phase.val())
            & !self.stepping.q.val();
        self.leaves.next = self.shown.val()
            & (self.phase.q.val() == self.leave_phase.val())
            & !self.stepping.q.val()
            & !self.stepped.q.val();

        // The scan: a way a cycle.
        self.age.next = self.scale.val().get_bits::<2>(0) - self.shown_stamp.val();
        self.faded.next = self.shown_shadow.val() >> bit_cast::<8, 2>(self.age.val());
        self.is_its.next =
            self.faded.val().any() & (self.shown_fingerprint.val() == self.fingerprint.val());
        self.first.next = (self.phase.q.val() == self.own_phase.val())
            & (self.way_shown.q.val() == self.first_way.val());
        self.less.next = self.shown_count.val() < self.least.q.val();
        if self.scans.val() {
            // The occupant's own row is one of the path's, so it is not less.
            if self.first.val() | self.less.val() {
                self.least.d.next = self.shown_count.val();
                self.least_way.d.next = self.way_shown.q.val();
                self.other_is_least.d.next = self.phase.q.val() == self.other_phase.val();
            }
            if (self.phase.q.val() == self.own_phase.val())
                & (self.first.val()
                    | (!self.found.q.val()
                        & (self.is_its.val() | (self.faded.val() < self.misses.q.val()))))
            {
                self.found.d.next = self.is_its.val();
                self.misses.d.next = self.faded.val();
                self.misses_way.d.next = self.way_shown.q.val();
            }
            self.scanned.d.next = self.ends_scan.val();
        }
        // A row is called into view a cycle before it is; that of the next occupant behind the last.
        self.next_turn.next = ((self.turn.q.val() << self.one.val())
            | (self.turn.q.val() >> self.last_place.val()))
            & self.all_ways.val();
        self.way_shown.d.next = self.way.q.val();
        if self.in_scan.val()
            & !self.scanned.q.val()
            & !self.settling.q.val().get_bit(1)
            & !(self.scans.val() & self.ends_scan.val())
        {
            self.way.d.next = (self.way.q.val() << self.one.val()) & self.all_ways.val();
            if self.way.q.val() == self.last_way.val() {
                self.way.d.next = self.turn.q.val();
                if self.phase.q.val() == self.own_phase.val() {
                    self.way.d.next = self.next_turn.val();
                }
            }
        }
        self.settling.d.next = self.settling.q.val() >> self.one.val();
        self.feeding.d.next = false;
        if self.feeding.q.val() & (self.phase.q.val() == self.other_phase.val()) {
            self.way.d.next = self.first_way.val();
        }

        // The estimate grows while the occupant comes into view; what is evicted is divided later.
        self.addend.next = 0.into();
        if (self.factor.q.val() >> self.shadow_bits.val()).any() {
            self.addend.next = bit_cast::<40, 32>(self.count_3.val());
        }
        self.sum.next =
            (bit_cast::<40, 32>(self.estimate.q.val()) << self.one.val()) + self.addend.val();
        if !self.busy.val() {
            self.estimate.d.next = self.count_3.val();
        }
        if self.stepping.q.val() {
            self.steps.d.next = self.steps.q.val() - 1;
            self.stepping.d.next = self.steps.q.val() != self.last_step.val();
            if self.phase.q.val() == self.other_phase.val() {
                self.factor.d.next =
                    (self.factor.q.val() << self.one.val()) & self.factor_part.val();
                self.estimate.d.next = bit_cast::<32, 40>(self.sum.val()) & self.greatest.val();
                if (self.sum.val() >> self.count_bits.val()).any() {
                    self.estimate.d.next = self.greatest.val();
                }
            } else {
                self.least.d.next = self.least.q.val() >> self.one.val();
            }
        }
        self.left.next = bit_cast::<5, 32>(self.least.q.val());
        if (self.least.q.val() >> self.shadow_bits.val()).any() {
            self.left.next = self.most.val();
        }
        self.stronger.d.next = self.left.val().any() & (self.left.val() >= self.faded.val());
        self.stepped.d.next = self.stepping.q.val();
        self.full.next = (self.misses.q.val() == self.most.val())
            & (self.scale.val() != self.largest_scale.val());

        // What each phase ends with.
        self.select.next = self.way.q.val();
        self.feeds.next = self.feeding.q.val();
        self.stays.next = (self.phase.q.val() == self.other_phase.val())
            | (self.phase.q.val() == self.move_phase.val())
            | (self.phase.q.val() == self.leave_phase.val());
        self.done.next = false;
        self.matched.next = false;
        self.grows.next = false;
        self.replaces.next = false;
        self.next_count.next = bit_cast::<6, 5>(self.misses.q.val()) + 1;
        self.write.next = 0.into();
        self.count_4.next = self.estimate.q.val();
        self.moves.next = self.phase.q.val() == self.move_phase.val();
        self.write_shadow.next = 0.into();
        self.grown.next = bit_cast::<5, 6>(self.next_count.val());
        if self.misses.q.val() == self.most.val() {
            self.grown.next = self.most.val();
        }
        self.shadow.next = 0.into();
        self.stamp.next = self.scale.val().get_bits::<2>(0);
        self.above.next = self.least.q.val() < self.estimate.q.val();
        if self.judge.val() {
            self.phase.d.next = self.own_phase.val();
            self.settling.d.next = self.stages.val();
            self.way.d.next = self.first_way.val();
            self.scanned.d.next = false;
        }
        if self.judged.val() {
            self.scanned.d.next = false;
            if self.found.q.val() {
                self.matched.next = true;
                self.write_shadow.next = self.misses_way.q.val();
                self.turn.d.next = self.next_turn.val();
                self.feeding.d.next = true;
                self.settling.d.next = self.stages.val();
                self.phase.d.next = self.other_phase.val();
                self.factor.d.next = self.next_count.val();
                self.estimate.d.next = 0.into();
                self.steps.d.next = self.factor_bits.val() + bit_cast::<6, 5>(self.scale.val());
                self.stepping.d.next = true;
            } else {
                self.shadow.next = self.grown.val();
                if self.yields.val() {
                    self.write_shadow.next = self.misses_way.q.val();
                }
                self.done.next = true;
            }
        }
        if self.compared.val() {
            self.scanned.d.next = false;
            self.evicts.d.next = self.least.q.val().any();
            self.settling.d.next = self.stages.val();
            self.phase.d.next = self.keep_phase.val();
            self.way.d.next = self.least_way.q.val();
            if self.above.val() {
                self.steps.d.next = bit_cast::<6, 5>(self.scale.val());
                self.stepping.d.next = true;
                self.phase.d.next = self.take_phase.val();
                if self.other_is_least.q.val() {
                    self.phase.d.next = self.move_phase.val();
                }
            }
        }
        if self.shown.val() & (self.phase.q.val() == self.keep_phase.val()) {
            self.write_shadow.next = self.misses_way.q.val();
            self.shadow.next = self.grown.val();
            if self.full.val() {
                self.grows.next = true;
                self.shadow.next = self.misses.q.val() >> self.one.val();
                self.stamp.next = self.scale.val().get_bits::<2>(0) + 1;
            }
            self.done.next = true;
        }
        if self.shown.val() & (self.phase.q.val() == self.take_phase.val()) {
            self.write.next = self.least_way.q.val();
            self.feeding.d.next = true;
            self.settling.d.next = self.stages.val();
            self.phase.d.next = self.leave_phase.val();
        }
        if self.phase.q.val() == self.move_phase.val() {
            self.write.next = self.least_way.q.val();
            self.feeding.d.next = true;
            self.settling.d.next = self.stages.val();
            self.phase.d.next = self.leave_phase.val();
        }
        if self.leaves.val() {
            if self.stronger.q.val() {
                self.write_shadow.next = self.least_way.q.val();
            }
            self.shadow.next = self.left.val();
            if self.other_is_least.q.val() {
                self.settling.d.next = self.stages.val();
                self.phase.d.next = self.place_phase.val();
            } else {
                self.replaces.next = self.evicts.q.val();
                self.done.next = true;
            }
        }
        if self.shown.val() & (self.phase.q.val() == self.place_phase.val()) {
            self.write.next = self.turn.q.val();
            self.replaces.next = self.evicts.q.val();
            self.done.next = true;
        }
        if self.done.val() {
            self.phase.d.next = self.idle_phase.val();
        }
        if self.restart.val() {
            self.turn.d.next = self.first_way.val();
        }
    }
}
