//! `REPAIRS`: the number of returns that did not fit the checked stack.

use hpp_golden::registers::{self, ADDRESS_BITS};
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// Count of stack repairs, modulo 2^32.
#[circuit()]
pub struct RepairCounter {
    /// Pulse: a return did not match the top frame and the stack was repaired (statistics).
    pub repaired: Signal<In, Bit>,
    /// Clear the count.
    pub clear: Signal<In, Bit>,
    /// Word address of the register.
    #[bits(ADDRESS_BITS)]
    pub address: Signal<In, Bits<6>>,
    /// Read data: the count; 0 at other addresses.
    pub word: Signal<Out, Bits<32>>,
    count: Register<Bits<32>>,
    #[number(registers::REPAIRS.word())]
    repairs_address: Constant<Bits<6>>,
}

impl Logic for RepairCounter {
    #[hdl_gen]
    fn update(&mut self) {
        if self.repaired.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.clear.val() {
            self.count.d.next = 0.into();
        }
        self.word.next = 0.into();
        if self.address.val() == self.repairs_address.val() {
            self.word.next = self.count.q.val();
        }
    }
}
