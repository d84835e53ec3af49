//! Random decisions of the `shadow` policy: which misses are sampled, and which shadows are replaced. It holds the LFSR
//! and k.
//!
//! ```text
//!   step ---> [ LFSR ] --+--> low k bits 0, no pause ---> samples
//!   grows --> [ k ] -----+--> other bits -------------> yields
//! ```
//!
//! The LFSR steps once for each lookup. The decisions about a path use the state after its step.

use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::{
    CHANCE_BITS, CHANCE_TAPS, FIRST_SCALE, PAUSE, SHADOW_BITS,
};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::Register;
use crate::table::layout::ones;

/// One below the lowest LFSR bit that decides on the replacement of a shadow.
const YIELD_AT: u32 = 19;

/// Value of the mask at reset.
const FIRST_MASK: u64 = ones(FIRST_SCALE);

/// The bits of the LFSR.
const CHANCE_MASK: u64 = ones(CHANCE_BITS);

/// Random decisions of the shadow policy: sampled misses and replaced shadows.
#[circuit(reset: &ResetValues)]
pub struct Chance {
    /// A path lookup starts: step the LFSR.
    pub step: Signal<In, Bit>,
    /// The lookup is sampled if it misses.
    pub samples: Signal<Out, Bit>,
    /// Pulse: a shadow matched; starts a pause of sampling.
    pub matched: Signal<In, Bit>,
    /// Pulse: increment k.
    pub grows: Signal<In, Bit>,
    /// Reset k and the pause of sampling.
    pub restart: Signal<In, Bit>,
    /// Count of the smallest shadow plus 1.
    pub next_count: Signal<In, Bits<6, { SHADOW_BITS + 1 }>>,
    /// The smallest shadow may be replaced.
    pub yields: Signal<Out, Bit>,
    /// State of the LFSR.
    pub state: Signal<Out, Bits<32, CHANCE_BITS>>,
    /// Scale k of the shadow policy: one miss in 2^k is sampled.
    pub scale: Signal<Out, Bits<5>>,

    register: Register<Bits<32, CHANCE_BITS>, { reset.seed.max(1) }>,
    mask: Register<Bits<32, CHANCE_BITS>, FIRST_MASK>,
    k: Register<Bits<5>, FIRST_SCALE>,
    pause: Register<Bits<5>>,
}

#[kernel]
impl Chance {
    /// Steps of the LFSR, and the samples that it chooses.
    fn samples(&mut self) {
        let register = self.register;
        let stepped = if register.get_bit(0) {
            (register >> 1) ^ CHANCE_TAPS
        } else {
            register >> 1
        };
        if self.step {
            self.register.d.next = stepped;
            if self.pause.any() {
                self.pause.d.next = self.pause - 1;
            }
        }
        self.samples.next = !(stepped & self.mask).any() & !self.pause.any();
    }

    /// A shadow whose count plus 1 is 2^n or more is replaced only if n LFSR bits are 0.
    fn yields(&mut self) {
        let mut wanted: Bits<32> = 0.into();
        for i in 1..6_usize {
            if (self.next_count >> i.to_bits::<6>()).any() {
                wanted = wanted | (bits::<32>(1) << i.to_bits::<8>());
            }
        }
        let chances = self.register >> YIELD_AT;
        self.yields.next = !(chances & wanted).any();
    }

    /// The scale, and the pause of sampling.
    fn scale(&mut self) {
        if self.grows {
            self.k.d.next = self.k + 1;
            self.mask.d.next = ((self.mask << 1) | 1) & CHANCE_MASK;
        }
        if self.matched {
            self.pause.d.next = PAUSE.into();
        }
        if self.restart {
            self.k.d.next = FIRST_SCALE.into();
            self.mask.d.next = FIRST_MASK.into();
            self.pause.d.next = 0.into();
        }
        self.state.next = self.register;
        self.scale.next = self.k;
    }
}
