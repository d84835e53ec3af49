//! The Wishbone B4 adapter: one access at a time, for classic and pipelined masters.
//!
//! ```text
//!              _   _   _   _   _   _
//!   clk      _| |_| |_| |_| |_| |_| |_
//!               ___
//!   stb      __|   |__________________    accepted: cyc and stb while stall is 0
//!                   _______
//!   stall    ______|       |__________    until the access is acknowledged or given up
//!                       ___
//!   ack      __________|   |__________    two cycles after stb, more when the register has to wait
//! ```
//!
//! A classic master, which holds `stb` until `ack`, is served once: `stall` is still 1 in the cycle of `ack`.
//!
//! An access takes effect in the cycle before `ack`. A master that aborts (`cyc` falls) gets no `ack`, and `stall` is 0
//! in the next cycle. The access has no effect if `cyc` is 0 in any cycle after acceptance, up to the one in which it
//! would take effect. If `cyc` is 0 only in the cycle of `ack`, the access has taken effect.
//!
//! There are no error responses: addresses without a register read 0 and ignore writes.
//!
//! Source: Wishbone B4, chapter 3, for the handshakes.

use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit, kernel};
use crate::register::{Delay, Register};
use crate::registers::RegisterMaster;

/// The ports of a Wishbone slave.
#[bundle(address_bits: u32)]
pub struct WishbonePort {
    /// Wishbone: bus cycle in progress.
    pub cyc_i: Signal<In, Bit>,
    /// Wishbone: strobe, an access is requested.
    pub stb_i: Signal<In, Bit>,
    /// Wishbone: 1 write, 0 read.
    pub we_i: Signal<In, Bit>,
    /// Wishbone: word address.
    pub adr_i: Signal<In, Bits<6, address_bits>>,
    /// Wishbone: byte lanes to write.
    pub sel_i: Signal<In, Bits<4>>,
    /// Wishbone: write data.
    pub dat_i: Signal<In, Bits<32>>,
    /// Wishbone: read data; valid while wb_ack_o is 1.
    pub dat_o: Signal<Out, Bits<32>>,
    /// Wishbone: acknowledge, the access is complete.
    pub ack_o: Signal<Out, Bit>,
    /// Wishbone: stall, no access is accepted in this cycle.
    pub stall_o: Signal<Out, Bit>,
    /// Wishbone: error; always 0.
    pub err_o: Signal<Out, Bit>,
}

/// Wishbone B4 slave of the register file, classic and pipelined.
#[circuit(address_bits: u32)]
pub struct Wishbone {
    /// The bus.
    pub wb: WishbonePort<address_bits>,
    /// The registers.
    pub registers: RegisterMaster<address_bits>,

    #[connect(q = wb.stall_o)]
    pending: Register<Bit>,
    #[connect(q = registers.write)]
    write: Delay<Bit>,
    #[connect(q = registers.address)]
    address: Delay<Bits<6, address_bits>>,
    #[connect(q = registers.data)]
    data: Delay<Bits<32>>,
    #[connect(q = registers.lanes)]
    lanes: Delay<Bits<4>>,
}

#[kernel]
impl Wishbone {
    /// The access that is pending, and its answer.
    fn transfers(&mut self) {
        self.pending.d.next = self.wb.cyc_i
            & ((self.pending & !self.registers.done) | (!self.pending & self.wb.stb_i));
        if !self.pending {
            self.write.d.next = self.wb.we_i;
            self.address.d.next = self.wb.adr_i;
            self.data.d.next = self.wb.dat_i;
            self.lanes.d.next = self.wb.sel_i;
        }

        self.registers.request.next = self.pending & self.wb.cyc_i & !self.registers.done;

        // `done` answers the access of the previous cycle.
        self.wb.ack_o.next = self.registers.done & self.wb.cyc_i;
        self.wb.dat_o.next = self.registers.read_data;
        self.wb.err_o.next = false;
    }
}
