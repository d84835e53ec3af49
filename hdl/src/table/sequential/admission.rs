//! The `shadow` policy on a miss: whether the path is admitted, and which entry it replaces.
//!
//! ```text
//!   read_address ---> ( shadows ) ---> = the path's ?  smallest count ? ---> [ quantity, its cell ] ---> + 1 ---+
//!                         ^                                                                                     |
//!                         +------------------------------------------------------------------ 0, if it takes ---+
//!   stored ---------> smallest ? ---> [ least, its cell ]
//!                                          |  << 1, + count                     misses --+--> done, a shadow may be replaced
//!                                          v                                             +--> busy: the estimate ---> judged
//!                                       estimate > victim ? ---> takes
//! ```
//!
//! The *victim* is the candidate with the smallest accumulator. An empty one reads 0, so it is the first empty one if there is one.
//!
//! The register `least` has two uses. During the scan it holds the smallest accumulator. Then it becomes the estimate, count x (q + 1) x 2^(s + 1),
//! one bit of the factor in each cycle, modulo its width. Meanwhile the memories read the victim again. `stored` is then its
//! accumulator, and the comparator of the scan compares the two. The table adds the path's count to it, as on a hit.
//!
//! Timing, relative to the cycle *m* of `misses`:
//!
//! | case | last cycle |
//! | --- | --- |
//! | not sampled, no matching shadow, or count 0 | *m* |
//! | match, or a candidate is empty | *m* + 11 + *s* |
//!
//! A cell to clear comes in the way of a candidate's: it is on `cell` while `wipes` is 1, and cleared in the next cycle.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::{
    CHANCE_BITS, CHANCE_TAPS, FIRST_SCALE, SCALE_BITS, SHADOW_BITS,
};
use hpp_golden::profiler::table::skewed::FINGERPRINT_LENGTH_BITS;
use rust_hdl::prelude::*;

use super::policy::PolicyPorts;
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};
use crate::table::layout::{TAG_BITS, TagLayout, ones};
use crate::table::tag_match::TagMatch;

/// Value of `timer` in the cycle that judges the estimate. It starts at 31 - s, so that all bits of the factor and s + 1
/// zeros have been added. It is the first value with both of its bits.
const LAST: u64 = 32 + SHADOW_BITS as u64 + 1;

/// The greatest count of a shadow.
const MOST: u64 = ones(SHADOW_BITS);

/// Shadows of all table rows.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any, read_enable)]
pub struct ShadowMemory {
    /// Fingerprint of the shadow's path.
    fingerprint: Bits<16, { layout.set_bits + FINGERPRINT_LENGTH_BITS }>,
    /// Count of the shadow when written; 0 if empty.
    count: Bits<7, SHADOW_BITS>,
    /// Lowest bit of s when the shadow was written.
    stamp: Bits<1>,
}

/// Shadow policy: admits paths that miss, and selects the entry to write.
#[circuit(
    geometry: &Geometry, reset: &ResetValues, let layout = &TagLayout::new(geometry),
    const _tap_shifts: Vec<u32> = CHANCE_TAPS.to_vec(),
    const _yield_shifts: Vec<u32> = (CHANCE_BITS - SHADOW_BITS..CHANCE_BITS).rev().collect()
)]
pub struct Admission {
    /// Ports of the policy.
    #[flat]
    pub ports: PolicyPorts<geometry>,
    /// Scale s of the shadow policy: one miss in 2^(s + 1) is sampled.
    pub scale: Signal<Out, Bits<5, SCALE_BITS>>,

    #[connect(ports.{read_enable, read_address}, write_fingerprint = ports.fingerprint, write_address = shadow_cell.q)]
    shadows: ShadowMemory<layout>,
    fingerprint_match: TagMatch<{ layout.set_bits + FINGERPRINT_LENGTH_BITS }>,
    /// Count of the compared shadow, halved if s has grown since.
    faded: Delay<Bits<7, SHADOW_BITS>>,
    /// A shadow matches the path; quantity and shadow_cell are those of it, else of the smallest shadow.
    known: Delay<Bit>,
    quantity: Delay<Bits<7, SHADOW_BITS>>,
    shadow_cell: Delay<Bits<16, { layout.number_bits() }>>,

    /// Smallest accumulator, then estimate.
    least: Delay<Bits<32, { layout.count_bits }>>,
    #[connect(q = ports.target)]
    least_cell: Delay<Bits<16, { layout.number_bits() }>>,
    /// The victim holds a path.
    evicts: Delay<Bit>,

    /// The LFSR; the newest bit is the lowest.
    state: Register<Bits<32, CHANCE_BITS>, { reset.seed.max(1) }>,
    /// Number of its last bits that were 1.
    run: Register<Bits<5, SCALE_BITS>>,
    #[connect(q = scale)]
    s: Register<Bits<5, SCALE_BITS>, FIRST_SCALE>,
    /// A miss of this path is sampled.
    sampled: Delay<Bit>,

    /// The estimate is computed.
    busy: Register<Bit>,
    /// Cycle counter of busy.
    timer: Delay<Bits<6>>,
    /// Multiplier of the estimate, most significant bit first.
    factor: Delay<Bits<8, { SHADOW_BITS + 1 }>>,
    judged: Register<Bit>,
    /// Judged: the estimate is above the victim's accumulator, or the victim is empty.
    above: Register<Bit>,
}

#[kernel]
impl Admission {
    /// The scan: find the smallest accumulator and the shadow to use.
    fn candidates(&mut self) {
        self.faded.d.next = if self.shadows.stamp == self.s.get_bits::<1>(0) {
            self.shadows.count
        } else {
            self.shadows.count >> 1
        };
        self.fingerprint_match.a.next = bit_cast::<TAG_BITS, 16>(self.shadows.fingerprint);
        self.fingerprint_match.b.next = bit_cast::<TAG_BITS, 16>(self.ports.fingerprint);
        let seen = self.ports.searches & self.ports.compared;
        let first = !self.ports.way.any();
        let is_its = self.faded.any() & self.fingerprint_match.same;
        let prefers = first | (!self.known & (is_its | (self.faded < self.quantity)));
        if self.ports.wipes | (seen & prefers) {
            self.known.d.next = is_its;
            self.quantity.d.next = self.faded;
            self.shadow_cell.d.next = self.ports.cell;
        }
        let less = self.ports.stored < self.least;
        let lowers = seen & (first | less);
        if self.ports.wipes | lowers {
            self.least_cell.d.next = self.ports.cell;
            self.evicts.d.next = self.ports.filled;
        }
    }

    /// Chance: a step for each path. A miss is sampled after s ones, and not after more.
    fn chance(&mut self) {
        let mut fed: Bits<32> = 0.into();
        for i in 0..self._tap_shifts.len() {
            fed = fed ^ (self.state >> self._tap_shifts[i]);
        }
        if self.ports.begins {
            self.state.d.next = (self.state << 1) | (fed & 1);
            self.run.d.next = self.run + 1;
            if !self.state.get_bit(0) {
                self.run.d.next = 0.into();
            }
            self.sampled.d.next = self.run == self.s;
        }
        // A shadow keeps its place if its count and the state have a 1 in common, the count's lowest bit facing the oldest.
        let mut common: Bits<32> = 0.into();
        for i in 0..self._yield_shifts.len() {
            common = common
                | ((self.state >> self._yield_shifts[i])
                    & (bit_cast::<32, 7>(self.quantity) >> i.to_bits::<8>()));
        }
    }

    /// The cases of a miss.
    fn miss(&mut self) {
        let decides = self.ports.misses & self.ports.count.any();
        let starts = decides & (!self.evicts | (self.sampled & self.known));
        let gives_way = decides & self.evicts & self.sampled & !self.known & !common.get_bit(0);
        let next_count = bit_cast::<8, 7>(self.quantity) + 1;
    }

    /// The estimate, and what comes of it.
    fn estimate(&mut self) {
        let mut addend: Bits<32> = 0.into();
        if self.factor.get_bit(7) {
            addend = self.ports.count;
        }
        let product = (self.least << 1) + addend;
        if lowers | !self.ports.searches {
            self.least.d.next = if self.ports.searches {
                self.ports.stored
            } else {
                product
            };
        }
        self.factor.d.next = self.factor << 1;
        if self.ports.misses {
            self.least.d.next = 0.into();
            self.factor.d.next = next_count;
        }
        self.timer.d.next = if self.busy {
            self.timer + 1
        } else {
            bit_cast::<6, 5>(self.s) ^ 31
        };
        let timed = (self.timer & LAST) == LAST;
        let judges = self.busy & timed;
        self.busy.d.next = (self.busy | starts) & !timed;
        self.judged.d.next = judges;
        self.above.d.next = judges & (less | !self.evicts);
        self.ports.takes.next = self.above;
        self.ports.replaces.next = self.above & self.evicts;
        self.ports.done.next = self.judged | (self.ports.misses & !starts);
    }

    /// The shadow that is written, and s.
    fn shadow_write(&mut self) {
        self.shadows.write_enable.next = self.ports.restarts | gives_way | self.judged;
        self.shadows.write_count.next = next_count.get_bits::<7>(0);
        if self.ports.restarts | self.above {
            self.shadows.write_count.next = 0.into();
        }
        self.shadows.write_stamp.next = self.s.get_bits::<1>(0);
        if self.judged & !self.above & (self.quantity == MOST) {
            self.s.d.next = self.s + 1;
        }
        if self.ports.restarts {
            self.s.d.next = FIRST_SCALE.into();
        }
    }
}
