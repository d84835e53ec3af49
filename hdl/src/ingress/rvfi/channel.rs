//! One channel of an RVFI: the records that a retirement makes.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::direct::DirectTarget;
use super::state::{StateSink, StateSource, follows};
use crate::IngressOptions;
use crate::bundles::SlotSource;
use crate::circuit::{circuit, kernel};
use crate::ingress::{EventSum, InstructionClass};

/// One RVFI retirement: completes the record of the previous instruction, and makes that of a trap.
#[circuit(
    combinational,
    geometry: &Geometry,
    options: &IngressOptions,
    let follows = follows(options)
)]
pub struct RvfiChannel {
    /// Instruction retires.
    pub valid: Signal<In, Bit>,
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Instruction traps and does not complete.
    pub trap: Signal<In, Bit>,
    /// Instruction is the first of a trap handler.
    #[present(!follows)]
    pub intr: Signal<In, Bit>,
    /// Address of the instruction.
    #[bits(geometry.pc_bits)]
    pub pc_rdata: Signal<In, Bits<64>>,
    /// Address of the next instruction of the program, not of an interrupt handler that comes first.
    #[bits(geometry.pc_bits)]
    #[present(!follows)]
    pub pc_wdata: Signal<In, Bits<64>>,
    /// Context of the instruction: hart, privilege, address space.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// Events of this cycle, added if counts is 1.
    #[bits(geometry.event_bits)]
    pub step: Signal<In, Bits<32>>,
    /// Add step to the event count in this cycle.
    pub counts: Signal<In, Bit>,
    /// State before this retirement.
    #[bundle(geometry, options)]
    pub before: StateSink,
    /// State after this retirement.
    #[bundle(geometry, options)]
    pub after: StateSource,
    /// Record of the previous instruction.
    #[bundle(geometry)]
    pub own: SlotSource,
    /// Record of a trap.
    #[bundle(geometry)]
    pub entry: SlotSource,

    #[new(geometry.pc_bits == 32)]
    #[connect(insn)]
    class: InstructionClass,
    #[new(geometry)]
    #[connect(count = before.count, step, counts, rest = after.count)]
    sum: EventSum,
    #[each(i in usize::from(follows))]
    #[new(geometry)]
    #[connect(insn, pc = pc_rdata)]
    direct: Vec<DirectTarget>,
    enters: Signal<Local, Bit>,
    interrupts: Signal<Local, Bit>,
    transfers: Signal<Local, Bit>,
    departs: Signal<Local, Bit>,
    returned: Signal<Local, Bit>,
    hidden: Signal<Local, Bit>,
    #[bits(geometry.pc_bits)]
    fall_through: Signal<Local, Bits<64>>,
    #[bits(geometry.start_bits())]
    place: Signal<Local, Bits<64>>,
    #[value(usize::from(geometry.context_bits > 0))]
    _contexts: usize,
    #[value(usize::from(follows))]
    _follows: usize,
    #[value(usize::from(!follows))]
    _shows_next: usize,
    #[number(if geometry.context_bits > 0 { geometry.pc_bits } else { 0 })]
    context_lsb: Constant<Bits<7>>,
    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
    #[number(BranchKind::TrapReturn.code())]
    trap_return_kind: Constant<Bits<3>>,
}

#[kernel]
impl RvfiChannel {
    /// The retired instruction.
    fn instruction(&mut self) {
        self.transfers.next = !self.trap.val() & self.class.transfer.val();
        self.fall_through.next = (self.pc_rdata.val() + 4) & self.pc_mask.val();
        if self.class.compressed.val() {
            self.fall_through.next = (self.pc_rdata.val() + 2) & self.pc_mask.val();
        }
    }

    /// Whether it is the first of a handler, and whether that hides the target of the previous instruction.
    fn handler(&mut self) {
        self.returned.next = self.before.kind.val() == self.trap_return_kind.val();
        for _i in 0..self._shows_next {
            self.departs.next = self.pc_wdata.val() != self.fall_through.val();
            self.enters.next = self.intr.val() | self.before.trapped.val();
            self.hidden.next = self.before.held.val()
                & ((self.returned.val() & !self.before.departs.val())
                    | (self.before.target.val() == self.pc_rdata.val()));
        }
        for _i in 0..self._follows {
            self.departs.next = self.pc_rdata.val() != self.before.next_address.val();
            if self.before.anywhere.val() {
                self.interrupts.next = self.before.interrupted.val()
                    & (self.pc_rdata.val() == self.before.handler.val());
            } else {
                self.interrupts.next = (self.pc_rdata.val() != self.before.target.val())
                    & !(self.before.conditional.val() & !self.departs.val());
            }
            self.enters.next = self.interrupts.val() | self.before.trapped.val();
            self.hidden.next = self.before.held.val()
                & (self.before.conditional.val() | self.before.anywhere.val());
        }
    }

    /// Events since the previous record. A trap gets those before the first instruction of its handler.
    fn events(&mut self) {
        self.sum.takes_before.next = self.valid.val() & self.enters.val();
        self.sum.takes_total.next = self.valid.val() & self.transfers.val();
    }

    /// State for the next retirement.
    fn next_state(&mut self) {
        self.after.trapped.next = self.before.trapped.val();
        self.after.held.next = self.before.held.val();
        self.after.kind.next = self.before.kind.val();
        self.after.conditional.next = self.before.conditional.val();
        self.after.target.next = self.before.target.val();
        self.after.context.next = self.before.context.val();
        self.after.next_address.next = self.before.next_address.val();
        self.after.events.next = self.before.events.val();
        if self.valid.val() {
            self.after.trapped.next = self.trap.val();
            self.after.held.next = self.transfers.val();
            self.after.kind.next = self.class.kind.val();
            self.after.conditional.next = self.class.conditional.val();
            self.after.context.next = self.context.val();
            self.after.next_address.next = self.fall_through.val();
            if self.trap.val() {
                self.after.next_address.next = self.pc_rdata.val();
            }
            self.after.events.next = self.sum.total.val();
        }
        for _i in 0..self._shows_next {
            self.after.departs.next = self.before.departs.val();
            if self.valid.val() {
                self.after.departs.next = self.departs.val();
                self.after.target.next = self.pc_wdata.val();
            }
        }
        for i in 0..self._follows {
            self.after.anywhere.next = self.before.anywhere.val();
            self.after.interrupted.next = self.before.interrupted.val();
            self.after.handler.next = self.before.handler.val();
            if self.valid.val() {
                self.after.anywhere.next =
                    self.trap.val() | (self.transfers.val() & !self.direct[i].known.val());
                self.after.target.next = self.fall_through.val();
                if self.transfers.val() & self.direct[i].known.val() {
                    self.after.target.next = self.direct[i].target.val();
                }
                if self.interrupts.val() & !self.before.trapped.val() {
                    self.after.interrupted.next = true;
                    self.after.handler.next = self.pc_rdata.val();
                }
            }
        }
    }

    /// Records: the previous instruction's, and a trap's.
    fn records(&mut self) {
        self.own.valid.next = self.valid.val()
            & self.before.held.val()
            & !(self.enters.val() & self.hidden.val() & self.before.conditional.val());
        self.own.after_loss.next = false;
        self.own.kind.next = self.before.kind.val();
        self.own.taken.next = !self.before.conditional.val();
        for _i in 0..self._shows_next {
            self.own.taken.next = !self.before.conditional.val() | self.before.departs.val();
        }
        for _i in 0..self._follows {
            self.own.taken.next = !self.before.conditional.val() | self.departs.val();
        }
        self.place.next = self.pc_rdata.val();
        self.own.target.next = self.before.target.val();
        for _i in 0..self._contexts {
            self.place.next = self.pc_rdata.val()
                | (bit_cast::<64, 8>(self.context.val()) << self.context_lsb.val());
            self.own.target.next = self.before.target.val()
                | (bit_cast::<64, 8>(self.before.context.val()) << self.context_lsb.val());
        }
        for _i in 0..self._shows_next {
            if self.returned.val() & !self.enters.val() {
                self.own.target.next = self.place.val();
            }
        }
        for _i in 0..self._follows {
            if !self.enters.val() {
                self.own.target.next = self.place.val();
            }
        }
        self.own.next_address.next = self.before.next_address.val();
        self.own.events.next = self.before.events.val();
        self.entry.valid.next = self.valid.val() & self.enters.val();
        self.entry.after_loss.next = self.hidden.val();
        self.entry.kind.next = self.trap_kind.val();
        self.entry.taken.next = true;
        self.entry.target.next = self.place.val();
        self.entry.next_address.next = self.before.target.val();
        if !self.before.held.val() {
            self.entry.next_address.next = self.before.next_address.val();
        }
        self.entry.events.next = self.before.count.val();
    }
}
