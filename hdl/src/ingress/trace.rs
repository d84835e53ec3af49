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

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{EventChoice, EventSum, RecordBuffer};
use crate::IngressOptions;
use crate::bundles::{RecordSource, TracePort};
use crate::circuit::{circuit, kernel};
use crate::kinds;
use crate::register::{Delay, Register};

/// Branch records from the interface of a RISC-V hart to a trace encoder.
/// The hart has as many address bits as the profiler.
#[circuit(
    geometry: &Geometry, options: &IngressOptions,
    const _checks: bool = geometry.takes_next(),
    const context_lsb: Bits<7> = if geometry.context_bits > 0 { geometry.pc_bits } else { 0 },
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits),
    const event_mask: Bits<32> = Geometry::mask(geometry.event_bits),
    const event_bits: Bits<8> = geometry.event_bits,
    const _wider: bool = options.iretire_bits > geometry.event_bits,
    const _single: bool = options.iretire_bits == 1,
    const _short: bool = options.itype_bits == 3
)]
pub struct TraceIngress {
    /// Trace interface of the hart.
    pub trace: TracePort<geometry, options>,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    pub event_in: Signal<In, Bits<64, { geometry.event_bits * options.event_inputs }>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// 1: records are made; 0: the ingress rests, and the next record is that of an instruction that retires later.
    pub enable: Signal<In, Bit>,
    /// Records to the profiler.
    pub records: RecordSource<geometry>,

    /// trace_itype, registered.
    itype: Register<Bits<4, { options.itype_bits }>>,
    iretire: Register<Bits<8, { options.iretire_bits }>>,
    ilastsize: Delay<Bit>,
    iaddr: Delay<Bits<64, { geometry.pc_bits }>>,
    block_context: Option<Delay<Bits<8, { geometry.context_bits }>>, { geometry.context_bits > 0 }>,
    /// Events of the registered cycle.
    step: Delay<Bits<32, { geometry.event_bits }>>,
    instructions: Delay<Bit>,

    #[connect(event_in, event_select)]
    choice: EventChoice<geometry, options>,
    #[connect(count = count.q)]
    events: EventSum<geometry>,
    /// Events counted before this cycle.
    count: Register<Bits<32, { geometry.event_bits }>>,
    #[connect(
        enable, slot[0].after_loss = gap.q, slot[0].next_address = held_next.q, stall = trace.stall, records
    )]
    buffer: RecordBuffer<geometry, 1, 2>,
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
    held_next: Delay<Bits<64, { geometry.pc_bits }>>,
    /// Events of the held record.
    held_events: Delay<Bits<32, { geometry.event_bits }>>,
    /// A record was lost before the next one.
    gap: Register<Bit>,
}

#[kernel]
impl TraceIngress {
    /// The record of the last block's end, and the end of this one.
    fn record(&mut self) {
        if self.enable {
            self.itype.d.next = self.trace.itype;
            self.iretire.d.next = self.trace.iretire;
            self.ilastsize.d.next = self.trace.ilastsize;
            self.iaddr.d.next = self.trace.iaddr;
            self.block_context?.d.next = self.trace.context;
            self.step.d.next = self.choice.step;
            self.instructions.d.next = self.choice.instructions;
        }
        let (itype, retires) = (self.itype, self.iretire.any());
        let trap = (itype == 1) | (itype == 2);
        let valid = retires | trap;
        let known = retires | (itype == 1);

        // The end of the last block, now that its target is known.
        let jumps = self.held_perhaps & known & (self.iaddr != self.held_next);
        let backward = self.iaddr < self.held_next;
        let hidden = !known & ((self.held & !self.held_not_taken) | self.held_perhaps);
        let offers = (self.held & !hidden) | jumps;

        // Events since the previous record.
        self.events.step.next = self.step;
        if self.instructions {
            self.events.step.next = bit_cast::<32, 8>(self.iretire) & self.event_mask;
            // The instruction count saturates at the width of an event count.
            if self._wider & (self.iretire >> self.event_bits).any() {
                self.events.step.next = self.event_mask;
            }
        }
        self.events.counts.next = true;
        self.events.takes_before.next = valid & jumps;
        let transfers = (itype != 0) & (itype != 7) & ((itype != 6) | self._short);
        self.events.takes_total.next = valid & transfers;
        self.count.d.next = self.events.rest;

        // The end of a block is held until the next block arrives.
        let half_words = if self._single & self.ilastsize {
            bit_cast::<16, 8>(self.iretire) << 1
        } else {
            bit_cast::<16, 8>(self.iretire)
        };
        if valid {
            self.held.d.next = transfers;
            let perhaps = self._short & (itype == 0);
            self.held_perhaps.d.next = perhaps;
            self.held_not_taken.d.next = itype == 4;
            self.held_directed.d.next = (itype == 5) | (itype == 11) | (itype == 15) | perhaps;
            self.held_kind.d.next = match itype {
                1 | 2 => kinds::TRAP.into(),
                3 => kinds::TRAP_RETURN.into(),
                4 => kinds::FORWARD.into(),
                8 => kinds::INDIRECT_CALL.into(),
                9 => kinds::CALL.into(),
                13 => kinds::RETURN.into(),
                _ => kinds::INDIRECT.into(),
            };
            self.held_next.d.next =
                (self.iaddr + (bit_cast::<64, 16>(half_words) << 1)) & self.pc_mask;
            // A trap without an address keeps the fall-through address of the last block.
            if self._checks & !known {
                self.held_next.d.next = self.held_next;
            }
            self.held_events.d.next = self.events.total;
            self.gap.d.next = hidden | (self.gap & !offers);
        }

        if !self.enable {
            self.itype.d.next = 0.into();
            self.iretire.d.next = 0.into();
            self.held.d.next = false;
            self.held_perhaps.d.next = false;
            self.gap.d.next = false;
            self.count.d.next = 0.into();
        }

        self.buffer.write.next = valid;
        self.buffer.slot[0].valid.next = offers;
        let direction: Bits<3> = if backward {
            kinds::BACKWARD.into()
        } else {
            kinds::FORWARD.into()
        };
        self.buffer.slot[0].kind.next = if self.held_directed {
            direction
        } else {
            self.held_kind
        };
        self.buffer.slot[0].taken.next = !self.held_not_taken;
        let target = if self.held_not_taken {
            self.held_next
        } else {
            self.iaddr
        };
        self.buffer.slot[0].target.next =
            target | (bit_cast::<64, 8>(self.block_context?) << self.context_lsb);
        self.buffer.slot[0].events.next = self.held_events;
        if self.held_perhaps {
            self.buffer.slot[0].events.next = self.count;
        }
    }
}
