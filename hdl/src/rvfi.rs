//! The RVFI ingress: branch records from the retirements on a RISC-V Formal Interface.
//!
//! ```text
//!   rvfi_* ---> instruction class ---> [ record ] ---> br_*
//!      |                                   ^
//!      +--> events since the last record --+
//! ```
//!
//! A retirement makes no record, one, or two: the first instruction of a trap handler makes the record of the trap,
//! then its own, if it is a control transfer. The first instruction of a handler is the one that retires with
//! `rvfi_intr` or right after an instruction with `rvfi_trap`, which makes no record of its own.
//!
//! Timing: a record is offered in the cycle after the retirement. While one has to wait, for the record of its trap or
//! for `br_ready`, `rvfi_stall` is 1; a retirement in such a cycle is not seen.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::{Delay, Register};
use crate::riscv::InstructionClass;

/// Turns retirements into branch records.
#[derive(LogicBlock)]
pub struct RvfiIngress {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// An instruction retires.
    pub rvfi_valid: Signal<In, Bit>,
    /// The instruction.
    pub rvfi_insn: Signal<In, Bits<32>>,
    /// It traps.
    pub rvfi_trap: Signal<In, Bit>,
    /// It is the first of a handler.
    pub rvfi_intr: Signal<In, Bit>,
    /// Its address.
    pub rvfi_pc_rdata: Signal<In, Bits<64>>,
    /// The next instruction's address.
    pub rvfi_pc_wdata: Signal<In, Bits<64>>,
    /// External events of this cycle.
    pub event_in: Signal<In, Bits<32>>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<In, Bits<4>>,
    /// No instruction may retire in this cycle.
    pub rvfi_stall: Signal<Out, Bit>,

    /// A record is offered.
    pub br_valid: Signal<Out, Bit>,
    /// The record is taken.
    pub br_ready: Signal<In, Bit>,
    /// Its kind.
    pub br_kind: Signal<Out, Bits<3>>,
    /// Its outcome.
    pub br_taken: Signal<Out, Bit>,
    /// Its target.
    pub br_target: Signal<Out, Bits<64>>,
    /// Its events.
    pub br_events: Signal<Out, Bits<32>>,

    class: InstructionClass,
    after_trap: Register<Bit>,
    counter: Register<Bits<32>>,
    trap_waits: Register<Bit>,
    own_waits: Register<Bit>,
    handler: Delay<Bits<64>>,
    target: Delay<Bits<64>>,
    kind: Delay<Bits<3>>,
    taken: Delay<Bit>,
    trap_events: Delay<Bits<32>>,
    own_events: Delay<Bits<32>>,

    stall: Signal<Local, Bit>,
    retires: Signal<Local, Bit>,
    enters: Signal<Local, Bit>,
    transfers: Signal<Local, Bit>,
    fall_through: Signal<Local, Bits<64>>,
    step: Signal<Local, Bits<32>>,
    counts: Signal<Local, Bit>,
    sum: Signal<Local, Bits<40>>,
    total: Signal<Local, Bits<32>>,

    pc_mask: Constant<Bits<64>>,
    event_mask: Constant<Bits<32>>,
    event_bits: Constant<Bits<8>>,
    trap_kind: Constant<Bits<3>>,
}

impl RvfiIngress {
    /// An ingress for a core with `geometry.pc_bits` address bits; more than 32 mean RV64.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let (pc, events) = (geometry.pc_bits, geometry.event_bits);
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            rvfi_valid: Signal::default(),
            rvfi_insn: Signal::default(),
            rvfi_trap: Signal::default(),
            rvfi_intr: Signal::default(),
            rvfi_pc_rdata: sized(pc),
            rvfi_pc_wdata: sized(pc),
            event_in: sized(events),
            event_select: Signal::default(),
            rvfi_stall: Signal::default(),
            br_valid: Signal::default(),
            br_ready: Signal::default(),
            br_kind: Signal::default(),
            br_taken: Signal::default(),
            br_target: sized(pc),
            br_events: sized(events),
            class: InstructionClass::new(pc == 32),
            after_trap: Register::flag(false),
            counter: Register::zero(events),
            trap_waits: Register::flag(false),
            own_waits: Register::flag(false),
            handler: Delay::new(pc),
            target: Delay::new(pc),
            kind: Delay::new(3),
            taken: Delay::new(1),
            trap_events: Delay::new(events),
            own_events: Delay::new(events),
            stall: Signal::default(),
            retires: Signal::default(),
            enters: Signal::default(),
            transfers: Signal::default(),
            fall_through: sized(pc),
            step: sized(events),
            counts: Signal::default(),
            sum: sized(events + 1),
            total: sized(events),
            pc_mask: mask(pc),
            event_mask: mask(events),
            event_bits: number(events),
            trap_kind: number(hpp_golden::branch::BranchKind::Trap.code().into()),
        }
    }
}

impl Logic for RvfiIngress {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("rvfi_ingress: branch records from the retirements on a RISC-V Formal Interface.");
        self.after_trap.clk.next = self.clk.val();
        self.after_trap.rst.next = self.rst.val();
        self.counter.clk.next = self.clk.val();
        self.counter.rst.next = self.rst.val();
        self.trap_waits.clk.next = self.clk.val();
        self.trap_waits.rst.next = self.rst.val();
        self.own_waits.clk.next = self.clk.val();
        self.own_waits.rst.next = self.rst.val();
        self.handler.clk.next = self.clk.val();
        self.target.clk.next = self.clk.val();
        self.kind.clk.next = self.clk.val();
        self.taken.clk.next = self.clk.val();
        self.trap_events.clk.next = self.clk.val();
        self.own_events.clk.next = self.clk.val();

        // What retires.
        self.stall.next = (self.own_waits.q.val()
            & (self.trap_waits.q.val() | !self.br_ready.val()))
            | (self.trap_waits.q.val() & !self.br_ready.val());
        self.rvfi_stall.next = self.stall.val();
        self.retires.next = self.rvfi_valid.val() & !self.stall.val();
        self.class.insn.next = self.rvfi_insn.val();
        self.enters.next = self.retires.val() & (self.rvfi_intr.val() | self.after_trap.q.val());
        self.transfers.next =
            self.retires.val() & !self.rvfi_trap.val() & self.class.transfer.val();
        self.after_trap.d.next = self.after_trap.q.val();
        if self.retires.val() {
            self.after_trap.d.next = self.rvfi_trap.val();
        }

        // Events since the previous record; a trap takes those before the first instruction of its handler. Whether an
        // instruction retires is known late: it chooses between sums and is in none.
        self.step.next = self.event_in.val() & self.event_mask.val();
        self.counts.next = true;
        if self.event_select.val() == 0 {
            self.step.next = 1.into();
        } else if self.event_select.val() == 1 {
            self.step.next = 1.into();
            self.counts.next = self.retires.val();
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
        self.counter.d.next = self.counter.q.val();
        if self.counts.val() {
            self.counter.d.next = self.total.val();
        }
        if self.transfers.val() {
            self.counter.d.next = 0.into();
        }

        // The records of the retirement.
        self.fall_through.next = (self.rvfi_pc_rdata.val() + 4) & self.pc_mask.val();
        if self.class.compressed.val() {
            self.fall_through.next = (self.rvfi_pc_rdata.val() + 2) & self.pc_mask.val();
        }
        self.trap_waits.d.next = self.trap_waits.q.val() & !self.br_ready.val();
        self.own_waits.d.next =
            self.own_waits.q.val() & (self.trap_waits.q.val() | !self.br_ready.val());
        self.handler.d.next = self.handler.q.val();
        self.target.d.next = self.target.q.val();
        self.kind.d.next = self.kind.q.val();
        self.taken.d.next = self.taken.q.val();
        self.trap_events.d.next = self.trap_events.q.val();
        self.own_events.d.next = self.own_events.q.val();
        if self.retires.val() {
            self.trap_waits.d.next = self.enters.val();
            self.own_waits.d.next = self.transfers.val();
            self.handler.d.next = self.rvfi_pc_rdata.val() & self.pc_mask.val();
            self.target.d.next = self.rvfi_pc_wdata.val() & self.pc_mask.val();
            self.kind.d.next = self.class.kind.val();
            self.taken.d.next = !self.class.conditional.val()
                | ((self.rvfi_pc_wdata.val() & self.pc_mask.val()) != self.fall_through.val());
            self.trap_events.d.next = self.counter.q.val();
            self.own_events.d.next = self.total.val();
        }

        // The trap's record goes first.
        self.br_valid.next = self.trap_waits.q.val() | self.own_waits.q.val();
        self.br_kind.next = self.kind.q.val();
        self.br_taken.next = self.taken.q.val();
        self.br_target.next = self.target.q.val();
        self.br_events.next = self.own_events.q.val();
        if self.trap_waits.q.val() {
            self.br_kind.next = self.trap_kind.val();
            self.br_taken.next = true;
            self.br_target.next = self.handler.q.val();
            self.br_events.next = self.trap_events.q.val();
        }
    }
}
