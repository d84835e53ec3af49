//! The context filter and the lock: `CONTEXT` and `CONTROL.LOCK`.
//!
//! ```text
//!   write, address, data, lanes --> [ decode ] --+--> [ mask ] [ value ] --> settings
//!                                       ^        +--> [ lock ] --+--> locked
//!                                       +------------------------+
//! ```
//!
//! The lock is cleared by reset only. While it is set, writes of `CONTEXT` and of the PPCR are refused and reported.

use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, ADDRESS_BITS, context, control};
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// Context filter, and the lock of the path definition.
#[circuit(geometry: &Geometry)]
pub struct ContextRegisters {
    /// Write of the addressed register in this cycle.
    pub write: Signal<In, Bit>,
    /// Word address of the register.
    #[bits(ADDRESS_BITS)]
    pub address: Signal<In, Bits<6>>,
    /// Write data.
    pub data: Signal<In, Bits<32>>,
    /// Byte lanes to write.
    pub lanes: Signal<In, Bits<4>>,
    /// Read data: CONTEXT, or the lock bit of CONTROL; 0 at other addresses.
    pub word: Signal<Out, Bits<32>>,
    /// Context filter: mask of the context bits that are compared.
    #[bits(geometry.context_bits)]
    pub mask: Signal<Out, Bits<8>>,
    /// Context filter: value of the compared bits; other paths are dropped.
    #[bits(geometry.context_bits)]
    pub value: Signal<Out, Bits<8>>,
    /// Lock: writes of CONTEXT, PPCR_ROWS and PPCR_MODE are refused.
    pub locked: Signal<Out, Bit>,
    /// Pulse: a write of a locked register is refused.
    pub refused: Signal<Out, Bit>,

    #[bits(geometry.context_bits)]
    #[connect(q = mask)]
    mask_bits: Register<Bits<8>>,
    #[bits(geometry.context_bits)]
    #[connect(q = value)]
    value_bits: Register<Bits<8>>,
    #[connect(q = locked)]
    lock: Register<Bit>,

    at_context: Signal<Local, Bit>,
    guarded: Signal<Local, Bit>,
    #[number(registers::CONTEXT.word())]
    context_address: Constant<Bits<6>>,
    #[number(registers::PPCR_ROWS.word())]
    rows_address: Constant<Bits<6>>,
    #[number(registers::PPCR_MODE.word())]
    mode_address: Constant<Bits<6>>,
    #[number(registers::CONTROL.word())]
    control_address: Constant<Bits<6>>,
    #[number(context::VALUE.lsb)]
    value_lsb: Constant<Bits<5>>,
    #[number(control::LOCK.mask())]
    lock_mask: Constant<Bits<32>>,
}

impl Logic for ContextRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        self.at_context.next = self.address.val() == self.context_address.val();
        self.guarded.next = self.at_context.val()
            | (self.address.val() == self.rows_address.val())
            | (self.address.val() == self.mode_address.val());
        self.refused.next =
            self.write.val() & self.lanes.val().any() & self.guarded.val() & self.lock.q.val();
        if self.write.val() & self.at_context.val() & !self.lock.q.val() {
            if self.lanes.val().get_bit(0) {
                self.mask_bits.d.next = self.data.val().get_bits::<8>(0);
            }
            if self.lanes.val().get_bit(1) {
                self.value_bits.d.next = bit_cast::<8, 32>(self.data.val() >> self.value_lsb.val());
            }
        }
        if self.write.val()
            & self.lanes.val().get_bit(0)
            & (self.address.val() == self.control_address.val())
            & (self.data.val() & self.lock_mask.val()).any()
        {
            self.lock.d.next = true;
        }
        self.word.next = 0.into();
        if self.at_context.val() {
            self.word.next = bit_cast::<32, 8>(self.mask_bits.q.val())
                | (bit_cast::<32, 8>(self.value_bits.q.val()) << self.value_lsb.val());
        }
        if self.lock.q.val() & (self.address.val() == self.control_address.val()) {
            self.word.next = self.lock_mask.val();
        }
    }
}
