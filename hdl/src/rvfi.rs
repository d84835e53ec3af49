//! The RVFI ingress: branch records from the retirements on a RISC-V Formal Interface.
//!
//! ```text
//!   rvfi_* ---> instruction class ---> [ records ] --->( 4 retirements )---> trap's, then own ---> records_*
//!      |                                   ^              |
//!      +--> events since the last record --+              +--> rvfi_stall, from 3 on
//! ```
//!
//! A retirement makes no record, one, or two: the first instruction of a trap handler makes the record of the trap,
//! then its own, if it is a control transfer. The first instruction of a handler is the one that retires with
//! `rvfi_intr` or right after an instruction with `rvfi_trap`, which makes no record of its own.
//!
//! Retirements that make records wait in a buffer of four, so a core that cannot wait need not: a record leaves in every
//! cycle in which the queue is ready (in lossy mode, in every cycle), and each cycle without a record makes up for a trap
//! whose handler begins with a jump. `rvfi_stall` rises one place before the buffer is full. A retirement that finds it full
//! loses its records, in either mode: that is counted, and the next retirement that gets in says that records are missing
//! before it, so that no path goes across the gap.
//!
//! Timing: a record is offered in the cycle after the retirement at the earliest. `rvfi_stall` depends on registers alone.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{RecordSource, RvfiPort};
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;
use crate::riscv::InstructionClass;

/// Retirements whose records wait to be taken.
#[memory(geometry: &Geometry, depth = 4, same_edge = SameEdge::New)]
pub struct RetirementMemory {
    /// It makes the record of a trap.
    trap: Bit,
    /// It makes a record of its own.
    own: Bit,
    /// Records before it are missing.
    after_loss: Bit,
    /// Kind of its own record.
    kind: Bits<3>,
    /// Outcome of its own record.
    taken: Bit,
    /// Its address, the target of the trap.
    #[bits(geometry.pc_bits)]
    handler: Bits<64>,
    /// Target of its own record.
    #[bits(geometry.pc_bits)]
    target: Bits<64>,
    /// Events of the trap's record.
    #[bits(geometry.event_bits)]
    trap_events: Bits<32>,
    /// Events of its own record.
    #[bits(geometry.event_bits)]
    own_events: Bits<32>,
}

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
    buffer: RetirementMemory,
    /// The last instruction trapped.
    after_trap: Register<Bit>,
    /// Events since the last record.
    #[bits(geometry.event_bits)]
    counter: Register<Bits<32>>,
    /// The retirement at the buffer's head has given its trap's record.
    trap_done: Register<Bit>,
    /// Records were lost since a retirement got in.
    gap: Register<Bit>,
    write_pointer: Register<Bits<3>>,
    read_pointer: Register<Bits<3>>,

    enters: Signal<Local, Bit>,
    transfers: Signal<Local, Bit>,
    records_any: Signal<Local, Bit>,
    occupancy: Signal<Local, Bits<3>>,
    full: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    offers_trap: Signal<Local, Bit>,
    #[bits(geometry.pc_bits)]
    fall_through: Signal<Local, Bits<64>>,
    #[bits(geometry.event_bits)]
    step: Signal<Local, Bits<32>>,
    counts: Signal<Local, Bit>,
    #[bits(geometry.event_bits + 1)]
    sum: Signal<Local, Bits<40>>,
    #[bits(geometry.event_bits)]
    total: Signal<Local, Bits<32>>,

    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[number(Geometry::mask(geometry.event_bits))]
    event_mask: Constant<Bits<32>>,
    #[number(geometry.event_bits)]
    event_bits: Constant<Bits<8>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
}

impl Logic for RvfiIngress {
    #[hdl_gen]
    fn update(&mut self) {
        // What retires.
        self.class.insn.next = self.rvfi.insn.val();
        self.enters.next = self.rvfi.valid.val() & (self.rvfi.intr.val() | self.after_trap.q.val());
        self.transfers.next =
            self.rvfi.valid.val() & !self.rvfi.trap.val() & self.class.transfer.val();
        if self.rvfi.valid.val() {
            self.after_trap.d.next = self.rvfi.trap.val();
        }

        // Events since the previous record; a trap takes those before the first instruction of its handler. Whether an
        // instruction retires is known late: it chooses between sums and is in none.
        self.step.next = self.event_in.val();
        self.counts.next = true;
        if self.event_select.val() == 0 {
            self.step.next = 1.into();
        } else if self.event_select.val() == 1 {
            self.step.next = 1.into();
            self.counts.next = self.rvfi.valid.val();
        }
        self.sum.next =
            bit_cast::<40, 32>(self.counter.q.val()) + bit_cast::<40, 32>(self.step.val());
        self.total.next = bit_cast::<32, 40>(self.sum.val()) & self.event_mask.val();
        if (self.sum.val() >> self.event_bits.val()).any() {
            self.total.next = self.event_mask.val();
        }
        if self.enters.val() {
            self.total.next = self.step.val();
        }
        if self.counts.val() {
            self.counter.d.next = self.total.val();
        }
        if self.transfers.val() {
            self.counter.d.next = 0.into();
        }

        // Into the buffer, if there is a place.
        self.occupancy.next = (self.write_pointer.q.val() - self.read_pointer.q.val()) & 7;
        self.full.next = self.occupancy.val() == 4;
        self.rvfi.stall.next = self.occupancy.val() >= 3;
        self.records_any.next = self.enters.val() | self.transfers.val();
        self.records.lost.next = self.records_any.val() & self.full.val();
        if self.records_any.val() {
            self.gap.d.next = self.full.val();
        }
        if self.records_any.val() & !self.full.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        self.fall_through.next = (self.rvfi.pc_rdata.val() + 4) & self.pc_mask.val();
        if self.class.compressed.val() {
            self.fall_through.next = (self.rvfi.pc_rdata.val() + 2) & self.pc_mask.val();
        }
        // A free place may be written in vain: the pointer makes it a retirement with records. So the write does not wait
        // for the instruction to be decoded.
        self.buffer.write_enable.next = self.rvfi.valid.val() & !self.full.val();
        self.buffer.write_address.next = bit_cast::<16, 3>(self.write_pointer.q.val());
        self.buffer.write_trap.next = self.enters.val();
        self.buffer.write_own.next = self.transfers.val();
        self.buffer.write_after_loss.next = self.gap.q.val();
        self.buffer.write_kind.next = self.class.kind.val();
        self.buffer.write_taken.next =
            !self.class.conditional.val() | (self.rvfi.pc_wdata.val() != self.fall_through.val());
        self.buffer.write_handler.next = self.rvfi.pc_rdata.val();
        self.buffer.write_target.next = self.rvfi.pc_wdata.val();
        self.buffer.write_trap_events.next = self.counter.q.val();
        self.buffer.write_own_events.next = self.total.val();

        // Out of it: the trap's record goes first.
        self.offers.next = self.occupancy.val().any();
        self.offers_trap.next = self.buffer.trap.val() & !self.trap_done.q.val();
        if self.offers.val() & self.records.ready.val() {
            self.trap_done.d.next = self.offers_trap.val() & self.buffer.own.val();
            if !self.offers_trap.val() | !self.buffer.own.val() {
                self.read_pointer.d.next = self.read_pointer.q.val() + 1;
            }
        }
        self.buffer.read_address.next = bit_cast::<16, 3>(self.read_pointer.d.val());
        self.records.valid.next = self.offers.val();
        self.records.after_loss.next = self.buffer.after_loss.val() & !self.trap_done.q.val();
        self.records.kind.next = self.buffer.kind.val();
        self.records.taken.next = self.buffer.taken.val();
        self.records.target.next = self.buffer.target.val();
        self.records.events.next = self.buffer.own_events.val();
        if self.offers_trap.val() {
            self.records.kind.next = self.trap_kind.val();
            self.records.taken.next = true;
            self.records.target.next = self.buffer.handler.val();
            self.records.events.next = self.buffer.trap_events.val();
        }
    }
}
