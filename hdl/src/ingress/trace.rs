//! The trace ingress: it makes branch records from the interface between a RISC-V hart and a trace encoder.
//!
//! ```text
//!   trace_* ---> [ one cycle ] ---> end of the block ---> [ held ] ---> record ---> [ buffer ] ---> records_*
//!                     |                                                   ^
//!                     +------------- address of the next block -----------+
//! ```
//!
//! A *block* is the instructions that retire in a cycle. They are contiguous; the interface gives their length and the
//! type of the last. The address of the next block is the target of the last instruction, so its record is made when
//! that block arrives. A block makes at most one record. A taken branch or jump is backward if its target is below its
//! fall-through address. A branch that is not taken has no visible direction and is recorded as forward.
//!
//! An interrupt without an instruction (`iretire` 0, `itype` 2) carries no address. A transfer before it is lost,
//! unless it is a branch that was not taken. The next record then carries `after_loss`.
//!
//! With an `itype` of 3 bits, a block of `itype` 0 ends with a jump if the next block is not contiguous.
//!
//! The ports are registered, so the ingress adds no logic to a path of the core.
//!
//! Timing: a record is offered two cycles after the block that follows it, at the earliest. `trace_stall` depends on
//! registers alone.
//!
//! Source: Efficient Trace for RISC-V Specification, chapter "Hart to encoder interface", section "Instruction Trace
//! Interface".

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{EventChoice, RecordBuffer, RecordEvents};
use crate::IngressOptions;
use crate::bundles::{RecordSource, TracePort};
use crate::circuit::circuit;
use crate::register::{Delay, Register};

/// Class of a block's end; decodes itype alone.
#[circuit(combinational, short: bool)]
pub struct BlockEnd {
    /// Type of the block's last instruction, or of a trap after it.
    pub itype: Signal<In, Bits<4>>,
    /// Block end makes a branch record.
    pub transfers: Signal<Out, Bit>,
    /// Block end is a trap.
    pub trap: Signal<Out, Bit>,
    /// Block end is a branch that was not taken.
    pub not_taken: Signal<Out, Bit>,
    /// Branch kind is the direction of the target: forward or backward.
    pub directed: Signal<Out, Bit>,
    /// Block end makes a record only if the next block is not sequential.
    pub perhaps: Signal<Out, Bit>,
    /// Branch kind of the block end, unless it is the direction of the target.
    pub kind: Signal<Out, Bits<3>>,

    #[number(short)]
    short: Constant<Bit>,
    #[number(BranchKind::Forward.code())]
    forward_kind: Constant<Bits<3>>,
    #[number(BranchKind::Indirect.code())]
    indirect_kind: Constant<Bits<3>>,
    #[number(BranchKind::Call.code())]
    call_kind: Constant<Bits<3>>,
    #[number(BranchKind::Return.code())]
    return_kind: Constant<Bits<3>>,
    #[number(BranchKind::IndirectCall.code())]
    indirect_call_kind: Constant<Bits<3>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
    #[number(BranchKind::TrapReturn.code())]
    trap_return_kind: Constant<Bits<3>>,
}

impl Logic for BlockEnd {
    #[hdl_gen]
    fn update(&mut self) {
        self.trap.next = (self.itype.val() == 1) | (self.itype.val() == 2);
        self.not_taken.next = self.itype.val() == 4;
        self.perhaps.next = self.short.val() & (self.itype.val() == 0);
        self.directed.next = (self.itype.val() == 5)
            | (self.itype.val() == 11)
            | (self.itype.val() == 15)
            | self.perhaps.val();
        self.transfers.next = (self.itype.val() != 0)
            & (self.itype.val() != 7)
            & ((self.itype.val() != 6) | self.short.val());
        if self.trap.val() {
            self.kind.next = self.trap_kind.val();
        } else if self.itype.val() == 3 {
            self.kind.next = self.trap_return_kind.val();
        } else if self.itype.val() == 8 {
            self.kind.next = self.indirect_call_kind.val();
        } else if self.itype.val() == 9 {
            self.kind.next = self.call_kind.val();
        } else if self.itype.val() == 13 {
            self.kind.next = self.return_kind.val();
        } else if self.itype.val() == 4 {
            self.kind.next = self.forward_kind.val();
        } else {
            self.kind.next = self.indirect_kind.val();
        }
    }
}

/// Branch records from the interface of a RISC-V hart to a trace encoder.
/// The hart has as many address bits as the profiler.
#[circuit(
    geometry: &Geometry,
    options: &IngressOptions,
    let short = options.itype_bits == 3,
    let contexts = usize::from(geometry.context_bits > 0)
)]
pub struct TraceIngress {
    /// Trace interface of the hart.
    #[bundle(geometry, options)]
    pub trace: TracePort,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    #[bits(geometry.event_bits * options.event_inputs)]
    pub event_in: Signal<In, Bits<64>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// Records to the profiler.
    #[bundle(geometry)]
    pub records: RecordSource,

    /// trace_itype, registered.
    #[reset(0)]
    #[bits(options.itype_bits)]
    #[connect(d = trace.itype)]
    itype: Register<Bits<4>>,
    #[reset(0)]
    #[bits(options.iretire_bits)]
    #[connect(d = trace.iretire)]
    iretire: Register<Bits<8>>,
    #[connect(d = trace.ilastsize)]
    ilastsize: Delay<Bit>,
    #[bits(geometry.pc_bits)]
    #[connect(d = trace.iaddr)]
    iaddr: Delay<Bits<64>>,
    #[each(i in contexts)]
    #[bits(geometry.context_bits)]
    #[connect(d = trace.context)]
    context: Vec<Delay<Bits<8>>>,
    /// Events of the registered cycle.
    #[bits(geometry.event_bits)]
    #[connect(d = choice.step)]
    step: Delay<Bits<32>>,
    #[connect(d = choice.instructions)]
    instructions: Delay<Bit>,

    #[new(geometry, options)]
    #[connect(event_in, event_select)]
    choice: EventChoice,
    #[new(short)]
    #[connect(itype = itype.q)]
    end: BlockEnd,
    #[new(geometry)]
    events: RecordEvents,
    #[new(geometry, 1, 2)]
    #[connect(
        slot[0].after_loss = gap.q, slot[0].next_address = held_next.q, stall = trace.stall, records
    )]
    buffer: RecordBuffer,
    /// The end of the last block makes a branch record.
    held: Register<Bit>,
    /// The end of the last block makes a record if the next block is not sequential.
    held_perhaps: Register<Bit>,
    /// The last block ended with a branch that was not taken.
    held_not_taken: Delay<Bit>,
    /// Branch kind of the held record is the direction of its target.
    held_directed: Delay<Bit>,
    /// Branch kind of the held record; valid if held_directed is 0.
    held_kind: Delay<Bits<3>>,
    /// Address after the held record.
    #[bits(geometry.pc_bits)]
    held_next: Delay<Bits<64>>,
    /// Events of the held record.
    #[bits(geometry.event_bits)]
    held_events: Delay<Bits<32>>,
    /// A record was lost before the next one.
    gap: Register<Bit>,

    retires: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    jumps: Signal<Local, Bit>,
    hidden: Signal<Local, Bit>,
    offers: Signal<Local, Bit>,
    backward: Signal<Local, Bit>,
    #[bits(geometry.pc_bits)]
    target: Signal<Local, Bits<64>>,
    #[bits(geometry.context_bits)]
    now: Signal<Local, Bits<8>>,
    #[value(contexts)]
    _contexts: usize,
    #[value(usize::from(geometry.takes_next()))]
    _checks: usize,
    #[number(if geometry.context_bits > 0 { geometry.pc_bits } else { 0 })]
    context_lsb: Constant<Bits<7>>,
    #[bits(9)]
    half_words: Signal<Local, Bits<16>>,
    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[number(Geometry::mask(geometry.event_bits))]
    event_mask: Constant<Bits<32>>,
    #[number(geometry.event_bits)]
    event_bits: Constant<Bits<8>>,
    #[value(usize::from(options.iretire_bits > geometry.event_bits))]
    _wider: usize,
    #[number(options.iretire_bits == 1)]
    single: Constant<Bit>,
    #[number(BranchKind::Forward.code())]
    forward_kind: Constant<Bits<3>>,
    #[number(BranchKind::Backward.code())]
    backward_kind: Constant<Bits<3>>,
}

impl Logic for TraceIngress {
    #[hdl_gen]
    fn update(&mut self) {
        self.retires.next = self.iretire.q.val().any();
        self.valid.next = self.retires.val() | self.end.trap.val();
        self.known.next = self.retires.val() | (self.itype.q.val() == 1);

        // The end of the last block, now that its target is known.
        self.jumps.next = self.held_perhaps.q.val()
            & self.known.val()
            & (self.iaddr.q.val() != self.held_next.q.val());
        self.backward.next = self.iaddr.q.val() < self.held_next.q.val();
        self.hidden.next = !self.known.val()
            & ((self.held.q.val() & !self.held_not_taken.q.val()) | self.held_perhaps.q.val());
        self.offers.next = (self.held.q.val() & !self.hidden.val()) | self.jumps.val();

        // Events since the previous record.
        self.events.step.next = self.step.q.val();
        if self.instructions.q.val() {
            self.events.step.next = bit_cast::<32, 8>(self.iretire.q.val()) & self.event_mask.val();
            // The instruction count saturates at the width of an event count.
            for _i in 0..self._wider {
                if (self.iretire.q.val() >> self.event_bits.val()).any() {
                    self.events.step.next = self.event_mask.val();
                }
            }
        }
        self.events.counts.next = true;
        self.events.takes_before.next = self.valid.val() & self.jumps.val();
        self.events.takes_total.next = self.valid.val() & self.end.transfers.val();

        // The end of a block is held until the next block arrives.
        self.half_words.next = bit_cast::<16, 8>(self.iretire.q.val());
        if self.single.val() & self.ilastsize.q.val() {
            self.half_words.next = bit_cast::<16, 8>(self.iretire.q.val()) << 1;
        }
        if self.valid.val() {
            self.held.d.next = self.end.transfers.val();
            self.held_perhaps.d.next = self.end.perhaps.val();
            self.held_not_taken.d.next = self.end.not_taken.val();
            self.held_directed.d.next = self.end.directed.val();
            self.held_kind.d.next = self.end.kind.val();
            self.held_next.d.next = (self.iaddr.q.val()
                + (bit_cast::<64, 16>(self.half_words.val()) << 1))
                & self.pc_mask.val();
            // A trap without an address keeps the fall-through address of the last block.
            for _i in 0..self._checks {
                if !self.known.val() {
                    self.held_next.d.next = self.held_next.q.val();
                }
            }
            self.held_events.d.next = self.events.total.val();
            self.gap.d.next = self.hidden.val() | (self.gap.q.val() & !self.offers.val());
        }

        self.buffer.write.next = self.valid.val();
        self.buffer.slot[0].valid.next = self.offers.val();
        self.buffer.slot[0].kind.next = self.held_kind.q.val();
        if self.held_directed.q.val() {
            self.buffer.slot[0].kind.next = self.forward_kind.val();
            if self.backward.val() {
                self.buffer.slot[0].kind.next = self.backward_kind.val();
            }
        }
        self.buffer.slot[0].taken.next = !self.held_not_taken.q.val();
        self.target.next = self.iaddr.q.val();
        if self.held_not_taken.q.val() {
            self.target.next = self.held_next.q.val();
        }
        self.buffer.slot[0].target.next = self.target.val();
        self.now.next = 0.into();
        for i in 0..self._contexts {
            self.now.next = self.context[i].q.val();
            self.buffer.slot[0].target.next =
                self.target.val() | (bit_cast::<64, 8>(self.now.val()) << self.context_lsb.val());
        }
        self.buffer.slot[0].events.next = self.held_events.q.val();
        if self.held_perhaps.q.val() {
            self.buffer.slot[0].events.next = self.events.before.val();
        }
    }
}
