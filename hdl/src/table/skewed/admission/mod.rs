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

mod kernel;

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
