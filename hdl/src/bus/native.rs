//! The register port as ports of the profiler, for a bus that has no adapter here.
//!
//! ```text
//!                _   _   _   _   _   _
//!   clk        _| |_| |_| |_| |_| |_| |_
//!                _______     ___________
//!   reg_request |       |___|           |    with write, address, wdata and wstrb; until reg_done
//!                    ___             ___
//!   reg_done    ____|   |___________|   |    with reg_rdata; a cycle after the request, later when the register waits
//! ```
//!
//! An access takes effect in the cycle before `reg_done`. One that is withdrawn earlier has no effect. If it is
//! withdrawn in the cycle of `reg_done`, it has taken effect, and `reg_rdata` is not valid. A request in the cycle of
//! `reg_done` is the one that is answered; one in the cycle after is the next access.
//!
//! There are no error responses: addresses without a register read 0 and ignore writes.

use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit, kernel};
use crate::registers::RegisterMaster;

/// The register port.
#[bundle(address_bits: u32)]
pub struct NativePort {
    /// Register port: an access is requested; held, with the rest, until reg_done.
    pub request: Signal<In, Bit>,
    /// Register port: 1 write, 0 read.
    pub write: Signal<In, Bit>,
    /// Register port: word address.
    pub address: Signal<In, Bits<6, address_bits>>,
    /// Register port: write data.
    pub wdata: Signal<In, Bits<32>>,
    /// Register port: byte lanes to write.
    pub wstrb: Signal<In, Bits<4>>,
    /// Register port: the access is complete.
    pub done: Signal<Out, Bit>,
    /// Register port: read data; valid while reg_done is 1.
    pub rdata: Signal<Out, Bits<32>>,
}

/// The register port under its own names.
#[circuit(combinational, address_bits: u32)]
pub struct Native {
    /// The bus.
    pub reg: NativePort<address_bits>,
    /// The registers.
    pub registers: RegisterMaster<address_bits>,
}

#[kernel]
impl Native {
    /// The access and its answer.
    fn transfers(&mut self) {
        self.registers.request.next = self.reg.request & !self.registers.done;
        self.registers.write.next = self.reg.write;
        self.registers.address.next = self.reg.address;
        self.registers.data.next = self.reg.wdata;
        self.registers.lanes.next = self.reg.wstrb;

        self.reg.done.next = self.registers.done;
        self.reg.rdata.next = self.registers.read_data;
    }
}
