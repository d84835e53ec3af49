//! The logic of each phase.

use rust_hdl::prelude::*;

use super::Admission;
use crate::circuit::kernel;

#[kernel]
impl Admission {
    /// Scans: find the smallest accumulator and the shadow to use. The second scan skips the occupant's own row,
    /// which is also a candidate of the path.
    fn candidates(&mut self) {
        self.in_turn.next = self.way.val() == self.turn.q.val();
        self.first.next = self.searches.val() & !self.way.val().any();
        self.less.next = self.stored.val() < self.least.q.val();
        self.age.next = self.scale.val().get_bits::<2>(0) - self.stamp_2.q.val();
        self.faded.next = self.shadow_2.q.val() >> bit_cast::<8, 2>(self.age.val());
        self.is_its.next =
            self.faded.val().any() & (self.fingerprint_2.q.val() == self.fingerprint.val());
        if self.searches.val() & self.sees.val() {
            self.vacant.d.next = !self.filled.val() | (self.vacant.q.val() & !self.first.val());
            if self.in_turn.val() {
                self.mover_cell.d.next = self.cell.val();
            }
            if self.first.val()
                | (!self.known.q.val()
                    & (self.is_its.val() | (self.faded.val() < self.quantity.q.val())))
            {
                self.known.d.next = self.is_its.val();
                self.quantity.d.next = self.faded.val();
                self.shadow_cell.d.next = self.cell.val();
            }
        }
        if self.begins.val() {
            self.sampled.d.next = self.chance.samples.val();
        }
    }

    /// The cases of a miss.
    fn miss(&mut self) {
        self.decides.next = self.misses.val() & self.count.val().any();
        self.inserts.next = self.decides.val() & self.vacant.q.val();
        self.matched.next =
            self.decides.val() & !self.vacant.q.val() & self.sampled.q.val() & self.known.q.val();
        self.gives_way.next = self.decides.val()
            & !self.vacant.q.val()
            & self.sampled.q.val()
            & !self.known.q.val()
            & self.chance.yields.val();
        self.next_count.next = bit_cast::<6, 5>(self.quantity.q.val()) + 1;
    }

    /// The phases.
    fn phases(&mut self) {
        self.judges.next = self.phase.q.val() == self.judge_phase.val();
        self.places.next = self.phase.q.val() == self.place_phase.val();
        self.in_view.next = self.timer.q.val() == self.in_view_at.val();
        self.divides.next = self.phase.q.val() == self.divide_phase.val();
        self.divided.next = self.timer.q.val() >= self.divide_end.val();
        self.scans_again.next = (self.phase.q.val() == self.fetch_phase.val()) & self.in_view.val();
        self.moving.next = self.phase.q.val() == self.move_phase.val();
        self.moves.next = self.moving.val() & self.in_view.val();
        self.timer.d.next = self.timer.q.val() + 1;
        if self.phase.q.val() == self.idle_phase.val() {
            self.timer.d.next = 0.into();
        }
        if self.inserts.val() {
            self.phase.d.next = self.place_phase.val();
        }
        if self.matched.val() {
            self.phase.d.next = self.fetch_phase.val();
        }
        if self.scans_again.val() {
            self.phase.d.next = self.other_phase.val();
        }
        if (self.phase.q.val() == self.other_phase.val()) & self.ends.val() {
            self.phase.d.next = self.divide_phase.val();
            self.timer.d.next = bit_cast::<6, 5>(self.scale.val());
        }
        if self.divides.val() & self.divided.val() {
            self.phase.d.next = self.multiply_phase.val();
            self.timer.d.next = bit_cast::<6, 5>(self.scale.val()) ^ self.complement.val();
        }
        if (self.phase.q.val() == self.multiply_phase.val())
            & (self.timer.q.val() == self.multiply_end.val())
        {
            self.phase.d.next = self.judge_phase.val();
        }
        if self.judges.val() {
            self.phase.d.next = self.place_phase.val();
            self.timer.d.next = 0.into();
            if self.less.val() & self.other_is_least.q.val() {
                self.phase.d.next = self.move_phase.val();
            }
        }
        if self.moves.val() {
            self.phase.d.next = self.place_phase.val();
        }
        if self.places.val() {
            self.phase.d.next = self.idle_phase.val();
        }
        self.done.next =
            self.places.val() | (self.misses.val() & !self.inserts.val() & !self.matched.val());
    }

    /// `least` holds the smallest accumulator, shifts left in the divide phase, and then accumulates the estimate.
    fn arithmetic(&mut self) {
        // An empty candidate reads 0, so adding the count in the cycle of the miss gives its new accumulator.
        self.addend.next = 0.into();
        if self.factor.q.val().get_bit(5) | self.misses.val() {
            self.addend.next = bit_cast::<40, 32>(self.count.val());
        }
        self.sum.next =
            (bit_cast::<40, 32>(self.least.q.val()) << self.one.val()) + self.addend.val();
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.next_least.next = bit_cast::<32, 40>(self.sum.val() & self.count_mask.val());
        if self.over.val() & !self.divides.val() {
            self.next_least.next = self.max_count.val();
        }
        self.lowers.next = self.sees.val()
            & (self.first.val() | (self.less.val() & (self.searches.val() | !self.in_turn.val())));
        if self.lowers.val() {
            self.next_least.next = self.stored.val();
        }
        // The new value is selected first and the enable second. Each bit then needs one LUT.
        if self.lowers.val()
            | self.divides.val()
            | (self.phase.q.val() == self.multiply_phase.val())
            | self.inserts.val()
        {
            self.least.d.next = self.next_least.val();
        }
        if self.lowers.val() {
            self.least_cell.d.next = self.cell.val();
            self.other_is_least.d.next = !self.searches.val();
        }
        self.factor.d.next = (self.factor.q.val() << self.one.val()) & self.factor_mask.val();
        if self.misses.val() {
            self.factor.d.next = 0.into();
            self.left.d.next = 0.into();
        }
        if self.divides.val() {
            if self.divided.val() {
                self.least.d.next = 0.into();
                self.factor.d.next = self.next_count.val();
            } else {
                self.left.d.next = self.left.q.val() << self.one.val();
                if self.over.val() {
                    self.left.d.next =
                        (self.left.q.val() << self.one.val()) | bit_cast::<5, 8>(self.one.val());
                }
                if self.left.q.val().get_bit(4) {
                    self.left.d.next = self.max_shadow_count.val();
                }
            }
        }
    }

    /// The entry that is addressed, and whether the path takes it.
    fn entry_write(&mut self) {
        self.views.next =
            (self.phase.q.val() == self.fetch_phase.val()) | self.moving.val() | self.judges.val();
        self.target.next = self.least_cell.q.val();
        if (self.phase.q.val() == self.fetch_phase.val())
            | (self.moving.val() & !self.in_view.val())
            | (self.places.val() & self.other_is_least.q.val())
        {
            self.target.next = self.mover_cell.q.val();
        }
        if self.judges.val() {
            self.above.d.next = self.less.val();
            self.evicts.d.next = self.filled.val();
        }
        if self.inserts.val() {
            self.above.d.next = true;
            self.evicts.d.next = false;
        }
        self.takes.next = self.places.val() & self.above.q.val();
        self.replaces.next = self.takes.val() & self.evicts.q.val();
    }

    /// The shadow that is written.
    fn shadow_write(&mut self) {
        self.grows.next = self.places.val()
            & !self.above.q.val()
            & (self.quantity.q.val() == self.max_shadow_count.val())
            & (self.scale.val() != self.largest_scale.val());
        self.stronger.next = self.left.q.val().any() & (self.left.q.val() >= self.faded.val());
        self.shadows.write_enable.next = self.restarts.val()
            | self.matched.val()
            | self.gives_way.val()
            | (self.places.val() & !self.above.q.val())
            | (self.judges.val() & self.less.val() & self.stronger.val());
        self.shadows.write_address.next = self.shadow_cell.q.val();
        self.shadows.write_count.next = bit_cast::<5, 6>(self.next_count.val());
        if self.quantity.q.val() == self.max_shadow_count.val() {
            self.shadows.write_count.next = self.max_shadow_count.val();
        }
        self.shadows.write_stamp.next = self.scale.val().get_bits::<2>(0);
        if self.grows.val() {
            self.shadows.write_count.next = self.quantity.q.val() >> self.one.val();
            self.shadows.write_stamp.next = self.scale.val().get_bits::<2>(0) + 1;
        }
        if self.judges.val() {
            self.shadows.write_address.next = self.least_cell.q.val();
            self.shadows.write_count.next = self.left.q.val();
        }
        if self.matched.val() | self.restarts.val() {
            self.shadows.write_count.next = 0.into();
        }
        if self.restarts.val() {
            self.shadows.write_address.next = self.cleared.val();
        }
    }

    /// The way whose occupant may move at the next match.
    fn next_turn(&mut self) {
        if (self.phase.q.val() == self.other_phase.val()) & self.ends.val() {
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == self.last_way.val() {
                self.turn.d.next = 0.into();
            }
        }
        if self.restarts.val() {
            self.turn.d.next = self.first_turn.val();
        }
    }
}
