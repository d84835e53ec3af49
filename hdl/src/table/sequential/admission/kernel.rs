//! The logic of each phase.

use rust_hdl::prelude::*;

use super::{
    Admission, COMPARE, DIVIDE, FETCH, IDLE, LARGEST_SCALE, MOST, MOVE, MULTIPLY, MULTIPLY_END,
    OTHER, PLACE,
};
use crate::circuit::kernel;

#[kernel]
impl Admission {
    /// Scans: find the smallest accumulator and the shadow to use. The second scan skips the occupant's own row,
    /// which is also a candidate of the path.
    fn candidates(&mut self) {
        let in_turn = self.ports.way == self.turn;
        let first = self.ports.searches & !self.ports.way.any();
        let less = self.ports.stored < self.least;
        let age = self.scale.get_bits::<2>(0) - self.stamp_2;
        let faded = self.shadow_2 >> bit_cast::<8, 2>(age);
        let is_its = faded.any() & (self.fingerprint_2 == self.ports.fingerprint);
        if self.ports.searches & self.ports.compared {
            self.vacant.d.next = !self.ports.filled | (self.vacant & !first);
            if in_turn {
                self.mover_cell.d.next = self.ports.cell;
            }
            if first | (!self.known & (is_its | (faded < self.quantity))) {
                self.known.d.next = is_its;
                self.quantity.d.next = faded;
                self.shadow_cell.d.next = self.ports.cell;
            }
        }
        if self.ports.begins {
            self.sampled.d.next = self.chance.samples;
        }
    }

    /// The cases of a miss.
    fn miss(&mut self) {
        let decides = self.ports.misses & self.ports.count.any();
        let inserts = decides & self.vacant;
        self.matched.next = decides & !self.vacant & self.sampled & self.known;
        let gives_way = decides & !self.vacant & self.sampled & !self.known & self.chance.yields;
        self.next_count.next = bit_cast::<6, 5>(self.quantity) + 1;
    }

    /// The phases.
    fn phases(&mut self) {
        let compares = self.phase == COMPARE;
        let places = self.phase == PLACE;
        let in_view = self.timer == 2;
        let divides = self.phase == DIVIDE;
        let divided = self.timer >= self.divide_end;
        self.ports.scans_again.next = (self.phase == FETCH) & in_view;
        self.ports.moving.next = self.phase == MOVE;
        self.ports.moves.next = self.ports.moving & in_view;
        self.timer.d.next = self.timer + 1;
        if self.phase == IDLE {
            self.timer.d.next = 0.into();
        }
        if inserts {
            self.phase.d.next = PLACE.into();
        }
        if self.matched {
            self.phase.d.next = FETCH.into();
        }
        if self.ports.scans_again {
            self.phase.d.next = OTHER.into();
        }
        if (self.phase == OTHER) & self.ports.ends {
            self.phase.d.next = DIVIDE.into();
            self.timer.d.next = bit_cast::<6, 5>(self.scale);
        }
        if divides & divided {
            self.phase.d.next = MULTIPLY.into();
            self.timer.d.next = bit_cast::<6, 5>(self.scale) ^ 31;
        }
        if (self.phase == MULTIPLY) & (self.timer == MULTIPLY_END) {
            self.phase.d.next = COMPARE.into();
        }
        if compares {
            self.phase.d.next = PLACE.into();
            self.timer.d.next = 0.into();
            if less & self.other_is_least {
                self.phase.d.next = MOVE.into();
            }
        }
        if self.ports.moves {
            self.phase.d.next = PLACE.into();
        }
        if places {
            self.phase.d.next = IDLE.into();
        }
        self.ports.done.next = places | (self.ports.misses & !inserts & !self.matched);
    }

    /// `least` holds the smallest accumulator, shifts left in the divide phase, and then accumulates the estimate.
    fn arithmetic(&mut self) {
        // An empty candidate reads 0, so adding the count in the cycle of the miss gives its new accumulator.
        let addend: Bits<40> = if self.factor.get_bit(5) | self.ports.misses {
            bit_cast::<40, 32>(self.ports.count)
        } else {
            0.into()
        };
        let sum = (bit_cast::<40, 32>(self.least) << 1) + addend;
        let over = (sum >> self.count_bits).any();
        let mut next_least: Bits<32> = bit_cast::<32, 40>(sum & self.count_mask);
        if over & !divides {
            next_least = self.max_count;
        }
        let lowers = self.ports.compared & (first | (less & (self.ports.searches | !in_turn)));
        if lowers {
            next_least = self.ports.stored;
        }
        // The new value is selected first and the enable second. Each bit then needs one LUT.
        if lowers | divides | (self.phase == MULTIPLY) | inserts {
            self.least.d.next = next_least;
        }
        if lowers {
            self.least_cell.d.next = self.ports.cell;
            self.other_is_least.d.next = !self.ports.searches;
        }
        self.factor.d.next = self.factor << 1;
        if self.ports.misses {
            self.factor.d.next = 0.into();
            self.left.d.next = 0.into();
        }
        if divides {
            if divided {
                self.least.d.next = 0.into();
                self.factor.d.next = self.next_count;
            } else {
                self.left.d.next = self.left << 1;
                if over {
                    self.left.d.next = (self.left << 1) | 1;
                }
                if self.left.get_bit(4) {
                    self.left.d.next = MOST.into();
                }
            }
        }
    }

    /// The entry that is addressed, and whether the path takes it.
    fn entry_write(&mut self) {
        self.ports.views.next = (self.phase == FETCH) | self.ports.moving | compares;
        self.ports.target.next = self.least_cell;
        if (self.phase == FETCH) | (self.ports.moving & !in_view) | (places & self.other_is_least) {
            self.ports.target.next = self.mover_cell;
        }
        if compares {
            self.above.d.next = less;
            self.evicts.d.next = self.ports.filled;
        }
        if inserts {
            self.above.d.next = true;
            self.evicts.d.next = false;
        }
        self.ports.takes.next = places & self.above;
        self.ports.replaces.next = self.ports.takes & self.evicts;
    }

    /// The shadow that is written.
    fn shadow_write(&mut self) {
        self.grows.next =
            places & !self.above & (self.quantity == MOST) & (self.scale != LARGEST_SCALE);
        let stronger = self.left.any() & (self.left >= faded);
        self.shadows.write_enable.next = self.ports.restarts
            | self.matched
            | gives_way
            | (places & !self.above)
            | (compares & less & stronger);
        self.shadows.write_address.next = self.shadow_cell;
        self.shadows.write_count.next = bit_cast::<5, 6>(self.next_count);
        if self.quantity == MOST {
            self.shadows.write_count.next = MOST.into();
        }
        self.shadows.write_stamp.next = self.scale.get_bits::<2>(0);
        if self.grows {
            self.shadows.write_count.next = self.quantity >> 1;
            self.shadows.write_stamp.next = self.scale.get_bits::<2>(0) + 1;
        }
        if compares {
            self.shadows.write_address.next = self.least_cell;
            self.shadows.write_count.next = self.left;
        }
        if self.matched | self.ports.restarts {
            self.shadows.write_count.next = 0.into();
        }
        if self.ports.restarts {
            self.shadows.write_address.next = self.ports.cleared;
        }
    }

    /// The way whose occupant may move at the next match.
    fn next_turn(&mut self) {
        if (self.phase == OTHER) & self.ports.ends {
            self.turn.d.next = self.turn + 1;
            if self.turn == self.last_way {
                self.turn.d.next = 0.into();
            }
        }
        if self.ports.restarts {
            self.turn.d.next = self.first_turn;
        }
    }
}
