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
//! So a retirement makes at most two records, and each retirement without any makes up for one with two. `rvfi_stall` rises one
//! place before the buffer is full.
//!
//! Timing: a record is offered in the cycle after the next retirement at the earliest. `rvfi_stall` depends on registers alone.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{InstructionClass, RecordBuffer, RecordEvents};
use crate::bundles::{RecordSource, RvfiPort};
use crate::circuit::circuit;
use crate::register::{Delay, Register};

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

    #[new(geometry.pc_bits == 32)]
    class: InstructionClass,
    #[new(geometry)]
    events: RecordEvents,
    #[new(geometry, 2, 1)]
    buffer: RecordBuffer,
    /// The last instruction trapped.
    after_trap: Register<Bit>,
    /// The last instruction makes a record.
    held: Register<Bit>,
    /// Its `rvfi_pc_wdata` is not the address behind it.
    held_departs: Delay<Bit>,
    /// Kind of its record.
    held_kind: Delay<Bits<3>>,
    /// Outcome of its record.
    held_taken: Delay<Bit>,
    /// Its `rvfi_pc_wdata`.
    #[bits(geometry.pc_bits)]
    held_target: Delay<Bits<64>>,
    /// Events of its record.
    #[bits(geometry.event_bits)]
    held_events: Delay<Bits<32>>,

    returned: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
    transfers: Signal<Local, Bit>,
    departs: Signal<Local, Bit>,
    #[bits(geometry.pc_bits)]
    fall_through: Signal<Local, Bits<64>>,
    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
    #[number(BranchKind::TrapReturn.code())]
    trap_return_kind: Constant<Bits<3>>,
}

impl Logic for RvfiIngress {
    #[hdl_gen]
    fn update(&mut self) {
        // What retires.
        self.class.insn.next = self.rvfi.insn.val();
        self.enters.next = self.rvfi.intr.val() | self.after_trap.q.val();
        self.transfers.next = !self.rvfi.trap.val() & self.class.transfer.val();
        self.fall_through.next = (self.rvfi.pc_rdata.val() + 4) & self.pc_mask.val();
        if self.class.compressed.val() {
            self.fall_through.next = (self.rvfi.pc_rdata.val() + 2) & self.pc_mask.val();
        }
        self.departs.next = self.rvfi.pc_wdata.val() != self.fall_through.val();

        // Events since the previous record; a trap takes those before the first instruction of its handler.
        self.events.step.next = self.event_in.val();
        self.events.counts.next = true;
        if self.event_select.val() == 0 {
            self.events.step.next = 1.into();
        } else if self.event_select.val() == 1 {
            self.events.step.next = 1.into();
            self.events.counts.next = self.rvfi.valid.val();
        }
        self.events.takes_before.next = self.rvfi.valid.val() & self.enters.val();
        self.events.takes_total.next = self.rvfi.valid.val() & self.transfers.val();

        // Held until the next one retires.
        if self.rvfi.valid.val() {
            self.after_trap.d.next = self.rvfi.trap.val();
            self.held.d.next = self.transfers.val();
            self.held_departs.d.next = self.departs.val();
            self.held_kind.d.next = self.class.kind.val();
            self.held_taken.d.next = !self.class.conditional.val() | self.departs.val();
            self.held_target.d.next = self.rvfi.pc_wdata.val();
            self.held_events.d.next = self.events.total.val();
        }

        // What becomes known: the record of the one before, and a trap.
        self.returned.next = self.held_kind.q.val() == self.trap_return_kind.val();
        self.buffer.write.next = self.rvfi.valid.val();
        self.buffer.slot[0].valid.next = self.held.q.val();
        self.buffer.slot[0].after_loss.next = false;
        self.buffer.slot[0].kind.next = self.held_kind.q.val();
        self.buffer.slot[0].taken.next = self.held_taken.q.val();
        self.buffer.slot[0].target.next = self.held_target.q.val();
        if self.returned.val() & !self.enters.val() {
            self.buffer.slot[0].target.next = self.rvfi.pc_rdata.val();
        }
        self.buffer.slot[0].events.next = self.held_events.q.val();
        self.buffer.slot[1].valid.next = self.enters.val();
        self.buffer.slot[1].after_loss.next =
            self.held.q.val() & self.returned.val() & !self.held_departs.q.val();
        self.buffer.slot[1].kind.next = self.trap_kind.val();
        self.buffer.slot[1].taken.next = true;
        self.buffer.slot[1].target.next = self.rvfi.pc_rdata.val();
        self.buffer.slot[1].events.next = self.events.before.val();

        self.rvfi.stall.next = self.buffer.stall.val();
        RecordSource::link(&mut self.records, &mut self.buffer.records);
    }
}
