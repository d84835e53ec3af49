//! The RVFI ingress: branch records from the retirements on a RISC-V Formal Interface.
//!
//! ```text
//!   rvfi_* ---> instruction class ---> [ held ] ---> record of the one before ---+---> [ buffer ] ---> records_*
//!      |                                              ^                          |
//!      +--- address of a trap return's target --------+     trap's record -------+
//!      +--> events since the last record
//! ```
//!
//! An instruction's record is made when the next one retires, because only that one tells where a trap return went: `rvfi_pc_wdata`
//! of some cores does not. Of every other transfer `rvfi_pc_wdata` is believed. The first instruction of a trap handler, which is
//! the one that retires with `rvfi_intr` or right after an instruction with `rvfi_trap`, makes the record of the trap besides.
//! An instruction with `rvfi_trap` makes no record of its own.
//!
//! A handler that begins right behind a trap return hides where that led; then `rvfi_pc_wdata` is believed of it too, unless it is
//! the address behind the instruction. If it is, the record of the trap is one after a loss.
//!
//! A core that retires two instructions in a cycle shows the earlier one on channel 0. Each channel takes what is known of the retirements
//! before it from the one before, so their records come in program order.
//!
//! So a retirement makes at most two records, and each retirement without any makes up for one with two. `rvfi_stall` rises one
//! place before the buffer is full.
//!
//! Timing: a record is offered in the cycle after the next retirement at the earliest. `rvfi_stall` depends on registers alone.

mod channel;
mod state;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::RecordBuffer;
use crate::bundles::{RecordSource, RvfiPairPort, RvfiPort, SlotSource};
use crate::circuit::circuit;

pub use channel::RvfiChannel;
pub use state::RvfiState;

use state::StateSource;

/// Branch records from the retirements on a RISC-V Formal Interface.
/// For a core with as many address bits as the profiler has; more than 32 mean RV64.
#[circuit(geometry: &Geometry)]
pub struct RvfiIngress {
    /// The core's retirements.
    #[bundle(geometry)]
    pub rvfi: RvfiPort,
    /// External events of this cycle, counted when event_select is 2 or above.
    #[bits(geometry.event_bits)]
    pub event_in: Signal<In, Bits<32>>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<In, Bits<4>>,
    /// The records.
    #[bundle(geometry)]
    pub records: RecordSource,

    #[new(geometry)]
    channel: RvfiChannel,
    #[new(geometry)]
    state: RvfiState,
    #[new(geometry, 2, 1)]
    buffer: RecordBuffer,
}

impl Logic for RvfiIngress {
    #[hdl_gen]
    fn update(&mut self) {
        self.channel.valid.next = self.rvfi.valid.val();
        self.channel.insn.next = self.rvfi.insn.val();
        self.channel.trap.next = self.rvfi.trap.val();
        self.channel.intr.next = self.rvfi.intr.val();
        self.channel.pc_rdata.next = self.rvfi.pc_rdata.val();
        self.channel.pc_wdata.next = self.rvfi.pc_wdata.val();
        self.channel.step.next = self.event_in.val();
        self.channel.counts.next = true;
        if self.event_select.val() == 0 {
            self.channel.step.next = 1.into();
        } else if self.event_select.val() == 1 {
            self.channel.step.next = 1.into();
            self.channel.counts.next = self.rvfi.valid.val();
        }

        StateSource::join(&mut self.state.q, &mut self.channel.before);
        StateSource::join(&mut self.channel.after, &mut self.state.d);
        SlotSource::join(&mut self.channel.own, &mut self.buffer.slot[0]);
        SlotSource::join(&mut self.channel.entry, &mut self.buffer.slot[1]);
        self.buffer.write.next = self.rvfi.valid.val();
        self.rvfi.stall.next = self.buffer.stall.val();
        RecordSource::link(&mut self.records, &mut self.buffer.records);
    }
}

/// Branch records from two channels of a RISC-V Formal Interface.
/// For a core that retires two instructions in a cycle at most, the earlier one on channel 0.
#[circuit(geometry: &Geometry)]
pub struct RvfiPairIngress {
    /// The core's retirements.
    #[bundle(geometry)]
    pub rvfi: RvfiPairPort,
    /// External events of this cycle, counted when event_select is 2 or above.
    #[bits(geometry.event_bits)]
    pub event_in: Signal<In, Bits<32>>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<In, Bits<4>>,
    /// The records.
    #[bundle(geometry)]
    pub records: RecordSource,

    #[new(geometry)]
    channel_0: RvfiChannel,
    #[new(geometry)]
    channel_1: RvfiChannel,
    #[new(geometry)]
    state: RvfiState,
    #[new(geometry, 4, 1)]
    buffer: RecordBuffer,
}

impl Logic for RvfiPairIngress {
    #[hdl_gen]
    fn update(&mut self) {
        self.channel_0.valid.next = self.rvfi.valid.val();
        self.channel_0.insn.next = self.rvfi.insn.val();
        self.channel_0.trap.next = self.rvfi.trap.val();
        self.channel_0.intr.next = self.rvfi.intr.val();
        self.channel_0.pc_rdata.next = self.rvfi.pc_rdata.val();
        self.channel_0.pc_wdata.next = self.rvfi.pc_wdata.val();
        self.channel_1.valid.next = self.rvfi.valid_1.val();
        self.channel_1.insn.next = self.rvfi.insn_1.val();
        self.channel_1.trap.next = self.rvfi.trap_1.val();
        self.channel_1.intr.next = self.rvfi.intr_1.val();
        self.channel_1.pc_rdata.next = self.rvfi.pc_rdata_1.val();
        self.channel_1.pc_wdata.next = self.rvfi.pc_wdata_1.val();

        // What a cycle counts, whatever retires, it counts before channel 1.
        self.channel_0.step.next = self.event_in.val();
        self.channel_0.counts.next = true;
        self.channel_1.step.next = 0.into();
        self.channel_1.counts.next = true;
        if self.event_select.val() == 0 {
            self.channel_0.step.next = 1.into();
        } else if self.event_select.val() == 1 {
            self.channel_0.step.next = 1.into();
            self.channel_0.counts.next = self.rvfi.valid.val();
            self.channel_1.step.next = 1.into();
            self.channel_1.counts.next = self.rvfi.valid_1.val();
        }

        StateSource::join(&mut self.state.q, &mut self.channel_0.before);
        StateSource::join(&mut self.channel_0.after, &mut self.channel_1.before);
        StateSource::join(&mut self.channel_1.after, &mut self.state.d);
        SlotSource::join(&mut self.channel_0.own, &mut self.buffer.slot[0]);
        SlotSource::join(&mut self.channel_0.entry, &mut self.buffer.slot[1]);
        SlotSource::join(&mut self.channel_1.own, &mut self.buffer.slot[2]);
        SlotSource::join(&mut self.channel_1.entry, &mut self.buffer.slot[3]);
        self.buffer.write.next = self.rvfi.valid.val() | self.rvfi.valid_1.val();
        self.rvfi.stall.next = self.buffer.stall.val();
        RecordSource::link(&mut self.records, &mut self.buffer.records);
    }
}
