//! The `shadow` policy on a miss: whether the path is admitted, and which entry it replaces.
//!
//! ```text
//!   misses --+--> a candidate is empty -----------------------------------------------------> place
//!            +--> not sampled, or no shadow matches: the smallest shadow may be replaced ----> done
//!            +--> fetch, other: scan the other candidates of one occupant
//!                   |
//!                   divide, multiply: the victim's shadow count, and the path's estimate
//!                   |
//!                   compare +--> estimate not above the victim: place, the shadow grows
//!                           +--> the victim is a candidate of the path: place
//!                           +--> else: the occupant moves to the victim's row, and the path takes the occupant's
//! ```
//!
//! The *victim* is the entry with the smallest accumulator. The entry at `target` is *in view* two cycles later: its
//! tag, accumulator, fingerprint and shadow are registered. The victim is in view in the compare phase.
//!
//! The register `least` has three uses. During the scans it holds the smallest accumulator. The divide phase shifts
//! that left, and the bits that leave at the top form the quotient by 2^k. The multiply phase then builds the estimate
//! in it, count x (q + 1) x 2^k, one bit in each cycle.
//!
//! Timing, relative to the cycle *m* of `misses`:
//!
//! | case | last cycle |
//! | --- | --- |
//! | not sampled, no matching shadow, or count 0 | *m* |
//! | a candidate is empty | *m* + 1 |
//! | match | *m* + WAYS + 14 + max(*c*, *k*), with accumulators of *c* bits |
//! | match, and the occupant moves | *m* + WAYS + 17 + max(*c*, *k*) |

mod kernel;

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::{CHANCE_BITS, LARGEST_SCALE, MOST, SHADOW_BITS};
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use super::chance::Chance;
use super::policy::PolicyPorts;
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};
use crate::table::layout::{TagLayout, ones};

/// No match is being processed.
const IDLE: u32 = 0;
/// The occupant is fetched.
const FETCH: u32 = 1;
/// The occupant's other candidates are scanned.
const OTHER: u32 = 2;
/// The smallest accumulator is divided by 2^k.
const DIVIDE: u32 = 3;
/// The estimate is computed.
const MULTIPLY: u32 = 4;
/// The estimate is compared with the smallest accumulator.
const COMPARE: u32 = 5;
/// The occupant is copied to the victim's row.
const MOVE: u32 = 6;
/// The path is stored, or its shadow grows.
const PLACE: u32 = 7;

/// Value of `timer` in the last multiply cycle; it starts at 31 - k.
const MULTIPLY_END: u32 = 31 + SHADOW_BITS;

/// Shadows of all table rows.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct ShadowMemory {
    /// Fingerprint of the shadow's path.
    fingerprint: Bits<16, FINGERPRINT_BITS>,
    /// Count of the shadow when written; 0 if empty.
    count: Bits<5, SHADOW_BITS>,
    /// Scale k modulo 4 when the shadow was written.
    stamp: Bits<2>,
}

/// Shadow policy: admits paths that miss, and selects the entries to write.
#[circuit(
    geometry: &Geometry, reset: &ResetValues, let layout = &TagLayout::new(geometry),
    const last_way: Bits<8> = layout.ways - 1,
    const first_turn: Bits<8> = 1 % layout.ways,
    const count_bits: Bits<8> = layout.count_bits,
    const divide_end: Bits<6> = layout.count_bits,
    const count_mask: Bits<40> = ones(layout.count_bits),
    const max_count: Bits<32> = ones(layout.count_bits)
)]
pub struct Admission {
    /// Ports of the policy.
    #[flat]
    pub ports: PolicyPorts<geometry>,

    /// State of the LFSR.
    pub lfsr: Signal<Out, Bits<32, CHANCE_BITS>>,
    /// Scale k of the shadow policy: one miss in 2^k is sampled.
    pub scale: Signal<Out, Bits<5>>,

    #[connect(step = ports.begins, matched, grows, restart = ports.restarts, next_count, state = lfsr, scale)]
    chance: Chance<reset>,
    #[connect(ports.{read_address}, write_fingerprint = ports.fingerprint)]
    shadows: ShadowMemory<layout>,
    #[connect(d = shadows.fingerprint)]
    fingerprint_2: Delay<Bits<16, FINGERPRINT_BITS>>,
    #[connect(d = shadows.count)]
    shadow_2: Delay<Bits<5, SHADOW_BITS>>,
    #[connect(d = shadows.stamp)]
    stamp_2: Delay<Bits<2>>,

    phase: Register<Bits<3>>,
    /// Cycle counter of a phase.
    timer: Delay<Bits<6>>,
    /// A miss of this path is sampled.
    sampled: Delay<Bit>,
    /// Way whose occupant may move at the next match.
    turn: Register<Bits<8, { layout.way_bits }>, { 1 % layout.ways }>,
    /// Smallest accumulator, then quotient, then estimate.
    #[connect(q = ports.taken_count)]
    least: Delay<Bits<32, { layout.count_bits }>>,
    mover_cell: Delay<Bits<16, { layout.number_bits() }>>,
    least_cell: Delay<Bits<16, { layout.number_bits() }>>,
    /// The smallest accumulator belongs to another row of the occupant.
    other_is_least: Delay<Bit>,
    /// One of the path's rows is empty.
    vacant: Delay<Bit>,
    /// A shadow matches the path; quantity and shadow_cell are those of it, else of the smallest shadow.
    known: Delay<Bit>,
    quantity: Delay<Bits<5, SHADOW_BITS>>,
    shadow_cell: Delay<Bits<16, { layout.number_bits() }>>,
    /// Multiplier of the estimate, most significant bit first.
    factor: Delay<Bits<6, { SHADOW_BITS + 1 }>>,
    /// Shadow count of the victim: its accumulator in units of 2^k.
    left: Delay<Bits<5, SHADOW_BITS>>,
    /// The estimate is above the victim's accumulator.
    above: Delay<Bit>,
    evicts: Delay<Bit>,

    matched: Signal<Local, Bit>,
    grows: Signal<Local, Bit>,
    next_count: Signal<Local, Bits<6, { SHADOW_BITS + 1 }>>,
}
