//! `STATUS.FAULTS`: the number of cycles in which a flipped bit was detected. It saturates.

use hpp_golden::registers::status;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// Saturating count of the cycles with a parity error.
#[circuit()]
pub struct FaultCounter {
    /// Pulse: parity error in the profiler.
    pub fault: Signal<In, Bit>,
    /// Clear the count.
    pub clear: Signal<In, Bit>,
    /// Count of parity errors, in its field of STATUS.
    pub word: Signal<Out, Bits<32>>,
    count: Register<Bits<16>>,
    #[number(status::FAULTS.lsb)]
    lsb: Constant<Bits<5>>,
}

impl Logic for FaultCounter {
    #[hdl_gen]
    fn update(&mut self) {
        if self.fault.val() & !self.count.q.val().all() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.clear.val() {
            self.count.d.next = 0.into();
        }
        self.word.next = bit_cast::<32, 16>(self.count.q.val()) << self.lsb.val();
    }
}
