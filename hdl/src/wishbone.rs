//! The Wishbone B4 port: one access at a time, for classic and pipelined masters.
//!
//! ```text
//!              _   _   _   _   _   _
//!   clk      _| |_| |_| |_| |_| |_| |_
//!               ___
//!   stb      __|   |__________________    accepted: cyc and stb while stall is 0
//!                   _______
//!   stall    ______|       |__________    until the access is acknowledged
//!                       ___
//!   ack      __________|   |__________    two cycles after stb, more when the register has to wait
//! ```
//!
//! A classic master, which holds `stb` until `ack`, is served once: `stall` is still 1 in the cycle of `ack`. A master
//! that gives up (`cyc` falls) gets no `ack`; the access is carried out nevertheless. There are no errors: addresses
//! without a register read 0.
//!
//! Source: Wishbone B4, chapter 3, for the handshakes.

use rust_hdl::prelude::*;

use crate::annotate::comment;
use crate::register::{Delay, Register};

/// Wishbone slave in front of the register file.
#[derive(LogicBlock)]
pub struct Wishbone {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// A bus cycle is in progress.
    pub cyc: Signal<In, Bit>,
    /// An access is asked for.
    pub stb: Signal<In, Bit>,
    /// It is a write.
    pub we: Signal<In, Bit>,
    /// Its word address.
    pub adr: Signal<In, Bits<5>>,
    /// The byte lanes to write.
    pub sel: Signal<In, Bits<4>>,
    /// Word to write.
    pub dat_w: Signal<In, Bits<32>>,
    /// Word read, in the cycle of `ack`.
    pub dat_r: Signal<Out, Bits<32>>,
    /// The access is over.
    pub ack: Signal<Out, Bit>,
    /// No access is accepted in this cycle.
    pub stall: Signal<Out, Bit>,

    /// To the register file: a register is accessed.
    pub request: Signal<Out, Bit>,
    /// To the register file: the access is a write.
    pub write: Signal<Out, Bit>,
    /// To the register file: word address.
    pub address: Signal<Out, Bits<5>>,
    /// To the register file: word to write.
    pub data: Signal<Out, Bits<32>>,
    /// To the register file: byte lanes.
    pub lanes: Signal<Out, Bits<4>>,
    /// From the register file: the access is over.
    pub done: Signal<In, Bit>,
    /// From the register file: the word read.
    pub read_data: Signal<In, Bits<32>>,

    pending: Register<Bit>,
    awaited: Register<Bit>,
    write_stage: Delay<Bit>,
    address_stage: Delay<Bits<5>>,
    data_stage: Delay<Bits<32>>,
    lanes_stage: Delay<Bits<4>>,
    accept: Signal<Local, Bit>,
}

impl Default for Wishbone {
    fn default() -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            cyc: Signal::default(),
            stb: Signal::default(),
            we: Signal::default(),
            adr: Signal::default(),
            sel: Signal::default(),
            dat_w: Signal::default(),
            dat_r: Signal::default(),
            ack: Signal::default(),
            stall: Signal::default(),
            request: Signal::default(),
            write: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            lanes: Signal::default(),
            done: Signal::default(),
            read_data: Signal::default(),
            pending: Register::flag(false),
            awaited: Register::flag(false),
            write_stage: Delay::new(1),
            address_stage: Delay::new(5),
            data_stage: Delay::new(32),
            lanes_stage: Delay::new(4),
            accept: Signal::default(),
        }
    }
}

impl Logic for Wishbone {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "wishbone: Wishbone B4 slave, classic and pipelined, in front of the register file."
        );
        self.pending.clk.next = self.clk.val();
        self.pending.rst.next = self.rst.val();
        self.awaited.clk.next = self.clk.val();
        self.awaited.rst.next = self.rst.val();
        self.write_stage.clk.next = self.clk.val();
        self.address_stage.clk.next = self.clk.val();
        self.data_stage.clk.next = self.clk.val();
        self.lanes_stage.clk.next = self.clk.val();

        self.accept.next = self.cyc.val() & self.stb.val() & !self.pending.q.val();
        self.pending.d.next = self.accept.val() | (self.pending.q.val() & !self.done.val());
        // A master that has given up gets no answer, not even in its next bus cycle.
        self.awaited.d.next = self.accept.val() | (self.awaited.q.val() & self.cyc.val());
        self.write_stage.d.next = self.write_stage.q.val();
        self.address_stage.d.next = self.address_stage.q.val();
        self.data_stage.d.next = self.data_stage.q.val();
        self.lanes_stage.d.next = self.lanes_stage.q.val();
        if self.accept.val() {
            self.write_stage.d.next = self.we.val();
            self.address_stage.d.next = self.adr.val();
            self.data_stage.d.next = self.dat_w.val();
            self.lanes_stage.d.next = self.sel.val();
        }

        self.request.next = self.pending.q.val() & !self.done.val();
        self.write.next = self.write_stage.q.val();
        self.address.next = self.address_stage.q.val();
        self.data.next = self.data_stage.q.val();
        self.lanes.next = self.lanes_stage.q.val();

        self.stall.next = self.pending.q.val();
        self.ack.next = self.done.val() & self.awaited.q.val() & self.cyc.val();
        self.dat_r.next = self.read_data.val();
    }
}
