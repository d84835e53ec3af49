//! The AXI4-Lite adapter: it serialises reads and writes.
//!
//! ```text
//!               _   _   _   _   _   _
//!   clk       _| |_| |_| |_| |_| |_| |_
//!              ___________
//!   arvalid  _|           |____________    stays until arready; a write waits for awvalid and wvalid
//!                      ___
//!   arready  _________|   |____________    two cycles after arvalid, more when the register has to wait
//!                          ___
//!   rvalid   _____________|   |________    with rdata; until rready
//! ```
//!
//! A response that is not accepted blocks only its own direction. A read waits for the previous read response, and a
//! write for the previous write response. If both directions can start, they alternate. There are no error responses:
//! addresses without a register read 0 and ignore writes, and every response is OKAY.
//!
//! Timing: outputs depend on registers alone. An access takes effect in the cycle before its `arready`, or before its
//! `awready` and `wready`. Its response follows in the cycle after that.
//!
//! Source: AMBA AXI Protocol Specification, chapters A3 (handshakes) and B1 (AXI4-Lite).

use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit, kernel};
use crate::register::{Delay, Register};
use crate::registers::RegisterMaster;

/// The ports of a 32-bit AXI4-Lite slave.
#[bundle(address_bits: u32)]
pub struct Axi4LitePort {
    /// AXI4-Lite: write address valid.
    pub awvalid: Signal<In, Bit>,
    /// AXI4-Lite: write address accepted.
    pub awready: Signal<Out, Bit>,
    /// AXI4-Lite: write byte address; the low two bits are ignored.
    pub awaddr: Signal<In, Bits<8, { address_bits + 2 }>>,
    /// AXI4-Lite: write protection; ignored.
    pub awprot: Signal<In, Bits<3>>,
    /// AXI4-Lite: write data valid.
    pub wvalid: Signal<In, Bit>,
    /// AXI4-Lite: write data accepted.
    pub wready: Signal<Out, Bit>,
    /// AXI4-Lite: write data.
    pub wdata: Signal<In, Bits<32>>,
    /// AXI4-Lite: byte lanes to write.
    pub wstrb: Signal<In, Bits<4>>,
    /// AXI4-Lite: write response valid.
    pub bvalid: Signal<Out, Bit>,
    /// AXI4-Lite: write response accepted.
    pub bready: Signal<In, Bit>,
    /// AXI4-Lite: write response; always 0 (OKAY).
    pub bresp: Signal<Out, Bits<2>>,
    /// AXI4-Lite: read address valid.
    pub arvalid: Signal<In, Bit>,
    /// AXI4-Lite: read address accepted.
    pub arready: Signal<Out, Bit>,
    /// AXI4-Lite: read byte address; the low two bits are ignored.
    pub araddr: Signal<In, Bits<8, { address_bits + 2 }>>,
    /// AXI4-Lite: read protection; ignored.
    pub arprot: Signal<In, Bits<3>>,
    /// AXI4-Lite: read data valid.
    pub rvalid: Signal<Out, Bit>,
    /// AXI4-Lite: read data accepted.
    pub rready: Signal<In, Bit>,
    /// AXI4-Lite: read data.
    pub rdata: Signal<Out, Bits<32>>,
    /// AXI4-Lite: read response; always 0 (OKAY).
    pub rresp: Signal<Out, Bits<2>>,
}

/// AXI4-Lite slave of the register file.
#[circuit(address_bits: u32)]
pub struct Axi4Lite {
    /// The bus.
    pub s_axi: Axi4LitePort<address_bits>,
    /// The registers.
    pub registers: RegisterMaster<address_bits>,

    /// A register access is in progress.
    busy: Register<Bit>,
    /// The current or last access is a write.
    #[connect(q = registers.write)]
    writing: Register<Bit>,
    #[connect(q = registers.address)]
    address: Delay<Bits<6, address_bits>>,
    #[connect(q = s_axi.bvalid)]
    written: Register<Bit>,
    #[connect(q = s_axi.rvalid)]
    read: Register<Bit>,
    #[connect(q = s_axi.rdata)]
    word: Delay<Bits<32>>,
}

#[kernel]
impl Axi4Lite {
    /// The access that starts, and the responses.
    fn transfers(&mut self) {
        // Select the access that starts. A master holds address and data until the access ends.
        let may_write = self.s_axi.awvalid & self.s_axi.wvalid & !self.written;
        let may_read = self.s_axi.arvalid & !self.read;
        let writes = may_write & !(may_read & self.writing);
        if !self.busy {
            self.busy.d.next = may_write | may_read;
            self.writing.d.next = writes;
            self.address.d.next = self.s_axi.araddr.get_bits::<6>(2);
            if writes {
                self.address.d.next = self.s_axi.awaddr.get_bits::<6>(2);
            }
        }
        if self.registers.done {
            self.busy.d.next = false;
        }

        self.registers.request.next = self.busy & !self.registers.done;
        self.registers.data.next = self.s_axi.wdata;
        self.registers.lanes.next = self.s_axi.wstrb;

        self.s_axi.awready.next = self.registers.done & self.writing;
        self.s_axi.wready.next = self.registers.done & self.writing;
        self.s_axi.arready.next = self.registers.done & !self.writing;

        // The responses. Each is held until it is accepted.
        if self.s_axi.bready {
            self.written.d.next = false;
        }
        if self.s_axi.rready {
            self.read.d.next = false;
        }
        if self.registers.done & self.writing {
            self.written.d.next = true;
        }
        if self.registers.done & !self.writing {
            self.read.d.next = true;
            self.word.d.next = self.registers.read_data;
        }
        self.s_axi.bresp.next = 0.into();
        self.s_axi.rresp.next = 0.into();
    }
}
