//! What becomes of a path whose miss was sampled: one step after another, with all ways' rows in view one at a time.
//!
//! ```text
//!   judge --> own: scan the path's rows --+--> no shadow is its: the least may give way ------------------------> done
//!                                         +--> other: scan the other rows of one occupant, and compare
//!                                                |  not above the least: keep, the shadow grows ----------------> done
//!                                                |  the least is the path's: take it, leave the evicted's shadow -> done
//!                                                +  else: move the occupant there, leave the shadow, take its row -> done
//! ```
//!
//! In each phase another path is in view: the one that is judged (from the ring), the occupant, or the one that is evicted (from the row in view). It takes
//! five cycles until it is in all stages.
//!
//! What a way's row holds is in view a cycle after the way is selected, from registers; so a scan selects a way a cycle before it looks at it, and begins while the
//! path is still on its way to the last stages.
//!
//! The estimate is made a bit a cycle meanwhile: the count times (q + 1), then doubled k times. So is the evicted path's count in units of 2^k.
//!
//! Timing, from the cycle *t* in which the path is in stage 4, for *W* ways: scanned at *j* = *t* + 6 + *W*, the last cycle if no shadow is its; compared at *b*, the
//! later of *j* + 6 + *W* and *j* + 7 + *k*; a shadow has grown in *b* + 6; the path has taken its own row in *b* + 6, and the shadow is left at the later of *b* +
//! 12 and *b* + 2 + *k*, the last; or the occupant has moved in *b* + 1, the shadow is left at *l*, the later of *b* + 7 and *b* + 2 + *k*, and the row taken in
//! *l* + 6, the last.

use hpp_golden::profiler::table::shadow::{LARGEST_SCALE, MOST, SHADOW_BITS};
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::table::layout::{TagLayout, ones};

/// No path is judged.
const IDLE: u32 = 0;
/// The path's own rows are scanned.
const OWN: u32 = 1;
/// The other rows of an occupant are scanned.
const OTHER: u32 = 2;
/// The path's shadow grows.
const KEEP: u32 = 3;
/// The path takes its own row.
const TAKE: u32 = 4;
/// The occupant moves.
const MOVE: u32 = 5;
/// The evicted path leaves its shadow.
const LEAVE: u32 = 6;
/// The path takes the row that the occupant left.
const PLACE: u32 = 7;

/// Cycles until the path that is fed, or that the ring shows, in the next cycle is in all stages.
const STAGES: u32 = 5;

/// Judges a path whose miss was sampled, and says what to write.
#[circuit(layout: &TagLayout)]
pub struct Admission {
    /// The path in stage 4 is to be judged.
    pub judge: Signal<In, Bit>,
    /// Count of the path in stage 3; stays while it is judged.
    #[bits(layout.events_bits)]
    pub count_3: Signal<In, Bits<32>>,
    /// k.
    pub scale: Signal<In, Bits<5>>,
    /// What a shadow knows the path in view by.
    #[bits(FINGERPRINT_BITS)]
    pub fingerprint: Signal<In, Bits<16>>,
    /// Accumulator of the row in view.
    #[bits(layout.count_bits)]
    pub shown_count: Signal<In, Bits<32>>,
    /// Fingerprint of its shadow.
    #[bits(FINGERPRINT_BITS)]
    pub shown_fingerprint: Signal<In, Bits<16>>,
    /// Count of its shadow, as written.
    #[bits(SHADOW_BITS)]
    pub shown_shadow: Signal<In, Bits<5>>,
    /// k modulo 4 when that was written.
    pub shown_stamp: Signal<In, Bits<2>>,
    /// The least shadow gives way.
    pub yields: Signal<In, Bit>,
    /// The table is emptied: the first occupants are those that may move next.
    pub restart: Signal<In, Bit>,

    /// A path is judged.
    pub busy: Signal<Out, Bit>,
    /// The last cycle.
    pub done: Signal<Out, Bit>,
    /// Way that comes into view in the next cycle (one-hot).
    #[bits(layout.ways)]
    pub select: Signal<Out, Bits<32>>,
    /// The path in view's row is the next to be in view.
    pub feeds: Signal<Out, Bit>,
    /// The path in view stays.
    pub stays: Signal<Out, Bit>,
    /// A shadow was the path's.
    pub matched: Signal<Out, Bit>,
    /// k grows by 1.
    pub grows: Signal<Out, Bit>,
    /// One more than the count of the least shadow.
    #[bits(SHADOW_BITS + 1)]
    pub next_count: Signal<Out, Bits<6>>,
    /// Way to write tag and accumulator to.
    #[bits(layout.ways)]
    pub write: Signal<Out, Bits<32>>,
    /// Count of the path in stage 4; of the path that is judged, the estimate when it is made.
    #[bits(layout.count_bits)]
    pub count_4: Signal<Out, Bits<32>>,
    /// The accumulator to write is that of the row in view.
    pub moves: Signal<Out, Bit>,
    /// Way to write a shadow to.
    #[bits(layout.ways)]
    pub write_shadow: Signal<Out, Bits<32>>,
    /// The shadow's count to write.
    #[bits(SHADOW_BITS)]
    pub shadow: Signal<Out, Bits<5>>,
    /// What stamps it: k modulo 4.
    pub stamp: Signal<Out, Bits<2>>,
    /// The path took the place of another; in the last cycle.
    pub replaces: Signal<Out, Bit>,

    phase: Register<Bits<3>>,
    /// A 1 for each cycle until the path in view is in all stages.
    #[bits(STAGES)]
    settling: Delay<Bits<5>>,
    /// A scan is over.
    scanned: Register<Bit>,
    /// The row in view's path comes into view.
    feeding: Register<Bit>,
    /// Way that comes into view.
    #[bits(layout.ways)]
    way: Delay<Bits<32>>,
    /// Way in view.
    #[bits(layout.ways)]
    way_shown: Delay<Bits<32>>,
    /// Way whose occupant may move.
    #[bits(layout.ways)]
    #[reset(Bits::from(1_u64))]
    turn: Register<Bits<32>>,

    /// The least accumulator, and where.
    #[bits(layout.count_bits)]
    least: Delay<Bits<32>>,
    #[bits(layout.ways)]
    least_way: Delay<Bits<32>>,
    other_is_least: Delay<Bit>,
    evicts: Delay<Bit>,
    /// The path's own shadow if it is found, else the least: its count, and where.
    found: Delay<Bit>,
    #[bits(SHADOW_BITS)]
    misses: Delay<Bits<5>>,
    #[bits(layout.ways)]
    misses_way: Delay<Bits<32>>,

    /// What the estimate is multiplied by, the highest bit first.
    #[bits(SHADOW_BITS + 1)]
    factor: Delay<Bits<6>>,
    #[bits(layout.count_bits)]
    estimate: Delay<Bits<32>>,
    /// Steps left of the estimate, or of the division of what is evicted.
    #[bits(6)]
    steps: Delay<Bits<6>>,
    stepping: Register<Bit>,
    stepped: Delay<Bit>,
    /// What is evicted leaves a shadow that is not less than the one in view.
    stronger: Delay<Bit>,

    shown: Signal<Local, Bit>,
    in_scan: Signal<Local, Bit>,
    scans: Signal<Local, Bit>,
    ends_scan: Signal<Local, Bit>,
    #[bits(layout.ways)]
    next_turn: Signal<Local, Bits<32>>,
    first: Signal<Local, Bit>,
    judged: Signal<Local, Bit>,
    compared: Signal<Local, Bit>,
    above: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    is_its: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    #[bits(2)]
    age: Signal<Local, Bits<2>>,
    #[bits(SHADOW_BITS)]
    faded: Signal<Local, Bits<5>>,
    #[bits(SHADOW_BITS)]
    grown: Signal<Local, Bits<5>>,
    #[bits(SHADOW_BITS)]
    left: Signal<Local, Bits<5>>,
    #[bits(layout.count_bits + 1)]
    addend: Signal<Local, Bits<40>>,
    #[bits(layout.count_bits + 2)]
    sum: Signal<Local, Bits<40>>,

    #[number(1)]
    one: Constant<Bits<8>>,
    #[number(1)]
    last_step: Constant<Bits<6>>,
    #[number(1)]
    first_way: Constant<Bits<32>>,
    #[number(1u32 << (layout.ways - 1))]
    last_way: Constant<Bits<32>>,
    #[number(ones(layout.ways))]
    all_ways: Constant<Bits<32>>,
    #[number(layout.ways - 1)]
    last_place: Constant<Bits<8>>,
    #[number(layout.count_bits)]
    count_bits: Constant<Bits<8>>,
    #[number(ones(layout.count_bits))]
    greatest: Constant<Bits<32>>,
    #[number(SHADOW_BITS)]
    shadow_bits: Constant<Bits<8>>,
    #[number(MOST)]
    most: Constant<Bits<5>>,
    #[number(LARGEST_SCALE)]
    largest_scale: Constant<Bits<5>>,
    #[number(SHADOW_BITS + 1)]
    factor_bits: Constant<Bits<6>>,
    #[number(ones(SHADOW_BITS + 1))]
    factor_part: Constant<Bits<6>>,
    #[number(ones(STAGES))]
    stages: Constant<Bits<5>>,
    #[number(IDLE)]
    idle_phase: Constant<Bits<3>>,
    #[number(OWN)]
    own_phase: Constant<Bits<3>>,
    #[number(OTHER)]
    other_phase: Constant<Bits<3>>,
    #[number(KEEP)]
    keep_phase: Constant<Bits<3>>,
    #[number(TAKE)]
    take_phase: Constant<Bits<3>>,
    #[number(MOVE)]
    move_phase: Constant<Bits<3>>,
    #[number(LEAVE)]
    leave_phase: Constant<Bits<3>>,
    #[number(PLACE)]
    place_phase: Constant<Bits<3>>,
}

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
