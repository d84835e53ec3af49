//! The APB4 adapter: the register port under APB's names.
//!
//! ```text
//!               _   _   _   _   _
//!   clk       _| |_| |_| |_| |_| |_
//!              _______
//!   psel     _|       |____________    with address, direction, word and strobes; until pready
//!                  ___
//!   penable  _____|   |____________
//!                  ___
//!   pready   _____|   |____________    in the first cycle of penable, later when the register has to wait
//! ```
//!
//! A transfer takes effect in the cycle before `pready`, which for most registers is its setup phase. If the master
//! lowers `psel` before that, which APB forbids, the transfer has no effect. There are no error responses: addresses
//! without a register read 0 and ignore writes.
//!
//! Source: AMBA APB Protocol Specification (APB4), chapter 3.

use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit, kernel};
use crate::registers::RegisterMaster;

/// The ports of a 32-bit APB4 slave.
#[bundle(address_bits: u32)]
pub struct ApbPort {
    /// APB: select of this slave.
    pub psel: Signal<In, Bit>,
    /// APB: access phase.
    pub penable: Signal<In, Bit>,
    /// APB: 1 write, 0 read.
    pub pwrite: Signal<In, Bit>,
    /// APB: byte address; the low two bits are ignored.
    pub paddr: Signal<In, Bits<8, { address_bits + 2 }>>,
    /// APB: write data.
    pub pwdata: Signal<In, Bits<32>>,
    /// APB: byte lanes to write.
    pub pstrb: Signal<In, Bits<4>>,
    /// APB: protection; ignored.
    pub pprot: Signal<In, Bits<3>>,
    /// APB: read data; valid while pready is 1.
    pub prdata: Signal<Out, Bits<32>>,
    /// APB: the access phase ends in this cycle.
    pub pready: Signal<Out, Bit>,
    /// APB: slave error; always 0.
    pub pslverr: Signal<Out, Bit>,
}

/// APB4 slave of the register file.
#[circuit(combinational, address_bits: u32)]
pub struct Apb {
    /// The bus.
    pub s_apb: ApbPort<address_bits>,
    /// The registers.
    pub registers: RegisterMaster<address_bits>,
}

#[kernel]
impl Apb {
    /// The access and its answer.
    fn transfers(&mut self) {
        // The registers answer at least one cycle after the request, so never in the setup phase.
        self.registers.request.next = self.s_apb.psel & !self.registers.done;
        self.registers.write.next = self.s_apb.pwrite;
        self.registers.address.next = self.s_apb.paddr.get_bits::<6>(2);
        self.registers.data.next = self.s_apb.pwdata;
        self.registers.lanes.next = self.s_apb.pstrb;

        self.s_apb.pready.next = self.registers.done;
        self.s_apb.prdata.next = self.registers.read_data;
        self.s_apb.pslverr.next = false;
    }
}
