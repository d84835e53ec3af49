//! `STATUS.FAULTS`: the number of cycles in which a flipped bit was detected. It saturates.

use hpp_golden::registers::status;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// Counts the cycles in which a flipped bit is seen, to its maximum.
#[circuit()]
pub struct FaultCounter {
    /// One is seen.
    pub fault: Signal<In, Bit>,
    /// Begin anew.
    pub clear: Signal<In, Bit>,
    /// The count where STATUS has it.
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
