//! The retire ingress: it makes branch records from the addresses, instructions and traps of a core's last stage.
//!
//! ```text
//!   retire_* ---> [ one cycle ] ---> instruction class ---> [ held ] ---> record ---> [ buffer ] ---> records_*
//!                      |                                                    ^
//!                      +------------------ address that follows ------------+
//! ```
//!
//! A last stage seldom knows the next address. It is the address of the next retirement, or the return address that a
//! trap reports. A record is therefore made when the next retirement or trap arrives. Each of these makes at most one
//! record, so the buffer drains at the rate at which it fills.
//!
//! The ports are registered, so the ingress adds no logic to a path of the core.
//!
//! Timing: a record is offered two cycles after the retirement or trap that follows it, at the earliest. `retire_stall`
//! depends on registers alone.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{EventChoice, EventSum, InstructionClass, RecordBuffer};
use crate::IngressOptions;
use crate::bundles::{RecordSource, RetirePort};
use crate::circuit::{circuit, kernel};
use crate::kinds;
use crate::register::{Delay, Register};

/// Branch records from the last stage of a core: address, instruction and traps.
/// The core has as many address bits as the profiler; more than 32 select RV64.
#[circuit(
    geometry: &Geometry, options: &IngressOptions,
    const _checks: bool = geometry.takes_next(),
    const context_lsb: Bits<7> = if geometry.context_bits > 0 { geometry.pc_bits } else { 0 },
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits)
)]
pub struct RetireIngress {
    /// Last stage of the core.
    pub retire: RetirePort<geometry, options>,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    pub event_in: Signal<In, Bits<64, { geometry.event_bits * options.event_inputs }>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// 1: records are made; 0: the ingress rests, and the next record is that of an instruction that retires later.
    pub enable: Signal<In, Bit>,
    /// Records to the profiler.
    pub records: RecordSource<geometry>,

    /// retire_valid, registered.
    valid: Register<Bit>,
    trap: Delay<Bit>,
    expanded: Delay<Bit>,
    loop_end: Option<Delay<Bit>, { options.has_loops() }>,
    insn: Delay<Bits<32>>,
    pc: Delay<Bits<64, { geometry.pc_bits }>>,
    insn_context: Option<Delay<Bits<8, { geometry.context_bits }>>, { geometry.context_bits > 0 }>,
    /// Events of the registered cycle.
    step: Delay<Bits<32, { geometry.event_bits }>>,
    instructions: Delay<Bit>,

    #[connect(event_in, event_select)]
    choice: EventChoice<geometry, options>,
    #[connect(insn = insn.q)]
    class: InstructionClass<{ geometry.pc_bits == 32 }, options>,
    #[connect(step = step.q, count = count.q)]
    events: EventSum<geometry>,
    /// Events counted before this cycle.
    count: Register<Bits<32, { geometry.event_bits }>>,
    #[connect(
        enable, write = valid.q, slot[0].valid = held.q,
        slot[0].next_address = held_next.q, slot[0].events = held_events.q, stall = retire.stall,
        records
    )]
    buffer: RecordBuffer<geometry, 1, 2>,
    /// The last retired instruction makes a branch record.
    held: Register<Bit>,
    /// Branch kind of the held record.
    held_kind: Delay<Bits<3>>,
    /// The held record is that of cm.jt or qc.e.j.
    held_undirected: Option<Delay<Bit>, { options.has_undirected() }>,
    /// The held record is a conditional branch.
    held_conditional: Delay<Bit>,
    /// Address after the held record.
    held_next: Delay<Bits<64, { geometry.pc_bits }>>,
    /// Events of the held record.
    held_events: Delay<Bits<32, { geometry.event_bits }>>,
}

#[kernel]
impl RetireIngress {
    /// The record of the last instruction, and what this one leaves for the next.
    fn record(&mut self) {
        self.valid.d.next = self.retire.valid & self.enable;
        if self.enable {
            self.trap.d.next = self.retire.trap;
            self.insn.d.next = self.retire.insn;
            self.expanded.d.next = self.retire.expanded;
            self.loop_end?.d.next = self.retire.loop_end;
            self.pc.d.next = self.retire.pc;
            self.insn_context?.d.next = self.retire.context;
            self.step.d.next = self.choice.step;
            self.instructions.d.next = self.choice.instructions;
        }
        let loops = self.loop_end? & !self.class.transfer;
        let transfers = !self.trap & (self.class.transfer | loops);

        // Events since the previous record. A trap gets those before it.
        self.events.counts.next = !self.instructions | (self.valid & !self.trap);
        self.events.takes_before.next = self.valid & self.trap;
        self.events.takes_total.next = self.valid & transfers;
        self.count.d.next = self.events.rest;

        // The transfer is held until its target is known.
        if self.valid {
            self.held.d.next = transfers | self.trap;
            self.held_kind.d.next = if loops {
                kinds::BACKWARD.into()
            } else {
                self.class.kind
            };
            self.held_undirected?.d.next = self.class.undirected & !self.trap;
            self.held_conditional.d.next = self.class.conditional | loops;
            self.held_next.d.next = (self.pc + 4) & self.pc_mask;
            if self.class.long {
                self.held_next.d.next = (self.pc + 6) & self.pc_mask;
            }
            if self.class.compressed | self.expanded {
                self.held_next.d.next = (self.pc + 2) & self.pc_mask;
            }
            self.held_events.d.next = self.events.total;
            if self.trap {
                self.held_kind.d.next = kinds::TRAP.into();
                self.held_conditional.d.next = false;
                self.held_events.d.next = self.count;
            }
            // A handler returns to the address that the trap reports.
            if self._checks & self.trap {
                self.held_next.d.next = self.pc;
            }
        }

        if !self.enable {
            self.held.d.next = false;
            self.count.d.next = 0.into();
        }

        self.buffer.slot[0].after_loss.next = false;
        self.buffer.slot[0].kind.next = self.held_kind;
        if self.held_undirected? & (self.pc < self.held_next) {
            self.buffer.slot[0].kind.next = kinds::BACKWARD.into();
        }
        self.buffer.slot[0].taken.next = !self.held_conditional | (self.pc != self.held_next);
        self.buffer.slot[0].target.next =
            self.pc | (bit_cast::<64, 8>(self.insn_context?) << self.context_lsb);
    }
}
