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

use crate::circuit::circuit;
use crate::register::Register;
use crate::table::layout::ones;

/// One below the lowest LFSR bit that decides on the replacement of a shadow.
const YIELD_AT: u32 = 19;

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
    #[bits(SHADOW_BITS + 1)]
    pub next_count: Signal<In, Bits<6>>,
    /// The smallest shadow may be replaced.
    pub yields: Signal<Out, Bit>,
    /// State of the LFSR.
    #[bits(CHANCE_BITS)]
    pub state: Signal<Out, Bits<32>>,
    /// Scale k of the shadow policy: one miss in 2^k is sampled.
    #[bits(5)]
    pub scale: Signal<Out, Bits<5>>,

    #[bits(CHANCE_BITS)]
    #[reset(Bits::from(u64::from(if reset.seed == 0 { 1 } else { reset.seed })))]
    register: Register<Bits<32>>,
    #[bits(CHANCE_BITS)]
    #[reset(Bits::from(ones(FIRST_SCALE)))]
    mask: Register<Bits<32>>,
    #[reset(Bits::from(u64::from(FIRST_SCALE)))]
    k: Register<Bits<5>>,
    #[bits(5)]
    pause: Register<Bits<5>>,

    #[bits(CHANCE_BITS)]
    stepped: Signal<Local, Bits<32>>,
    #[bits(SHADOW_BITS + 1)]
    wanted: Signal<Local, Bits<32>>,
    #[number(1)]
    one: Constant<Bits<8>>,
    #[number(CHANCE_TAPS)]
    taps: Constant<Bits<32>>,
    #[number(ones(FIRST_SCALE))]
    first_mask: Constant<Bits<32>>,
    #[number(FIRST_SCALE)]
    first_scale: Constant<Bits<5>>,
    #[number(PAUSE)]
    pause_length: Constant<Bits<5>>,
    #[number(YIELD_AT)]
    yield_at: Constant<Bits<8>>,
    #[number(ones(CHANCE_BITS))]
    state_mask: Constant<Bits<32>>,
}

impl Logic for Chance {
    #[hdl_gen]
    fn update(&mut self) {
        self.stepped.next = self.register.q.val() >> self.one.val();
        if self.register.q.val().get_bit(0) {
            self.stepped.next = (self.register.q.val() >> self.one.val()) ^ self.taps.val();
        }
        if self.step.val() {
            self.register.d.next = self.stepped.val();
            if self.pause.q.val().any() {
                self.pause.d.next = self.pause.q.val() - 1;
            }
        }
        self.samples.next =
            !(self.stepped.val() & self.mask.q.val()).any() & !self.pause.q.val().any();

        // A shadow whose count plus 1 is 2^n or more is replaced only if n LFSR bits are 0.
        self.wanted.next = 0.into();
        for i in 1..6_usize {
            if (self.next_count.val() >> i.to_bits::<6>()).any() {
                self.wanted.next =
                    self.wanted.val() | (bit_cast::<32, 8>(self.one.val()) << i.to_bits::<8>());
            }
        }
        self.yields.next =
            !((self.register.q.val() >> self.yield_at.val()) & self.wanted.val()).any();

        if self.grows.val() {
            self.k.d.next = self.k.q.val() + 1;
            self.mask.d.next = ((self.mask.q.val() << self.one.val())
                | bit_cast::<32, 8>(self.one.val()))
                & self.state_mask.val();
        }
        if self.matched.val() {
            self.pause.d.next = self.pause_length.val();
        }
        if self.restart.val() {
            self.k.d.next = self.first_scale.val();
            self.mask.d.next = self.first_mask.val();
            self.pause.d.next = 0.into();
        }
        self.state.next = self.register.q.val();
        self.scale.next = self.k.q.val();
    }
}
