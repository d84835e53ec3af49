//! The `random` policy: a miss replaces the occupant of a way that an LFSR chooses.
//!
//! ```text
//!   begins ---> [ LFSR ] --> way --+--> last way seen that is not after it ---> target
//!   filled ------------------------+--> the first empty one
//! ```
//!
//! The LFSR steps once for each lookup. A path takes its row in the cycle of `misses`.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::{CHANCE_BITS, CHANCE_TAPS};
use rust_hdl::prelude::*;

use super::policy::PolicyPorts;
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};
use crate::table::layout::TagLayout;

/// Random policy: selects the victim by chance.
#[circuit(geometry: &Geometry, reset: &ResetValues, let layout = &TagLayout::new(geometry))]
pub struct Random {
    /// Ports of the policy.
    #[flat]
    #[bundle(geometry)]
    pub ports: PolicyPorts,

    #[bits(CHANCE_BITS)]
    #[reset(Bits::from(u64::from(if reset.seed == 0 { 1 } else { reset.seed })))]
    lfsr: Register<Bits<32>>,
    /// A candidate is empty: the one selected.
    vacant: Delay<Bit>,
    #[bits(layout.number_bits())]
    #[connect(q = ports.target)]
    chosen: Delay<Bits<16>>,

    #[number(layout.ways.next_power_of_two() - 1)]
    way_mask: Constant<Bits<32>>,
}

#[kernel]
impl Random {
    /// Steps of the LFSR, and the entry that they choose.
    fn victim(&mut self) {
        let lfsr = self.lfsr;
        let stepped = if lfsr.get_bit(0) {
            (lfsr >> 1) ^ CHANCE_TAPS
        } else {
            lfsr >> 1
        };
        if self.ports.begins {
            self.lfsr.d.next = stepped;
        }
        let first = !self.ports.way.any();
        let drawn = lfsr & self.way_mask;
        let passes = drawn < bit_cast::<32, 8>(self.ports.way);
        if self.ports.searches & self.ports.sees & (first | !self.vacant) {
            self.vacant.d.next = !self.ports.filled;
            if !passes | !self.ports.filled {
                self.chosen.d.next = self.ports.cell;
            }
        }
        self.ports.takes.next = self.ports.misses & self.ports.count.any();
        self.ports.replaces.next = self.ports.takes & !self.vacant;
        self.ports.done.next = self.ports.misses;
    }
}
