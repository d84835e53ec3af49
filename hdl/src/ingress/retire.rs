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

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{EventChoice, InstructionClass, RecordBuffer, RecordEvents};
use crate::IngressOptions;
use crate::bundles::{RecordSource, RetirePort};
use crate::circuit::circuit;
use crate::register::{Delay, Register};

/// Branch records from the last stage of a core: address, instruction and traps.
/// The core has as many address bits as the profiler; more than 32 select RV64.
#[circuit(
    geometry: &Geometry,
    options: &IngressOptions,
    let contexts = usize::from(geometry.context_bits > 0)
)]
pub struct RetireIngress {
    /// Last stage of the core.
    #[bundle(geometry)]
    pub retire: RetirePort,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    #[bits(geometry.event_bits * options.event_inputs)]
    pub event_in: Signal<In, Bits<64>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// Records to the profiler.
    #[bundle(geometry)]
    pub records: RecordSource,

    /// retire_valid, registered.
    valid: Register<Bit>,
    trap: Delay<Bit>,
    expanded: Delay<Bit>,
    insn: Delay<Bits<32>>,
    #[bits(geometry.pc_bits)]
    pc: Delay<Bits<64>>,
    #[each(i in contexts)]
    #[bits(geometry.context_bits)]
    context: Vec<Delay<Bits<8>>>,
    /// Events of the registered cycle.
    #[bits(geometry.event_bits)]
    step: Delay<Bits<32>>,
    instructions: Delay<Bit>,

    #[new(geometry, options)]
    #[connect(event_in, event_select)]
    choice: EventChoice,
    #[new(geometry.pc_bits == 32)]
    #[connect(insn = insn.q)]
    class: InstructionClass,
    #[new(geometry)]
    #[connect(step = step.q)]
    events: RecordEvents,
    #[new(geometry, 1, 2)]
    #[connect(
        write = valid.q, slot[0].valid = held.q, slot[0].kind = held_kind.q,
        slot[0].next_address = held_next.q, slot[0].events = held_events.q, stall = retire.stall,
        records
    )]
    buffer: RecordBuffer,
    /// The last retired instruction makes a branch record.
    held: Register<Bit>,
    /// Branch kind of the held record.
    held_kind: Delay<Bits<3>>,
    /// The held record is a conditional branch.
    held_conditional: Delay<Bit>,
    /// Address after the held record.
    #[bits(geometry.pc_bits)]
    held_next: Delay<Bits<64>>,
    /// Events of the held record.
    #[bits(geometry.event_bits)]
    held_events: Delay<Bits<32>>,

    transfers: Signal<Local, Bit>,
    #[bits(geometry.context_bits)]
    now: Signal<Local, Bits<8>>,
    #[value(contexts)]
    _contexts: usize,
    #[value(usize::from(geometry.takes_next()))]
    _checks: usize,
    #[number(if geometry.context_bits > 0 { geometry.pc_bits } else { 0 })]
    context_lsb: Constant<Bits<7>>,
    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
}

impl Logic for RetireIngress {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid.d.next = self.retire.valid.val();
        self.trap.d.next = self.retire.trap.val();
        self.insn.d.next = self.retire.insn.val();
        self.expanded.d.next = self.retire.expanded.val();
        self.pc.d.next = self.retire.pc.val();
        self.step.d.next = self.choice.step.val();
        self.instructions.d.next = self.choice.instructions.val();
        self.transfers.next = !self.trap.q.val() & self.class.transfer.val();

        // Events since the previous record. A trap gets those before it.
        self.events.counts.next =
            !self.instructions.q.val() | (self.valid.q.val() & !self.trap.q.val());
        self.events.takes_before.next = self.valid.q.val() & self.trap.q.val();
        self.events.takes_total.next = self.valid.q.val() & self.transfers.val();

        // The transfer is held until its target is known.
        if self.valid.q.val() {
            self.held.d.next = self.transfers.val() | self.trap.q.val();
            self.held_kind.d.next = self.class.kind.val();
            self.held_conditional.d.next = self.class.conditional.val();
            self.held_next.d.next = (self.pc.q.val() + 4) & self.pc_mask.val();
            if self.class.compressed.val() | self.expanded.q.val() {
                self.held_next.d.next = (self.pc.q.val() + 2) & self.pc_mask.val();
            }
            self.held_events.d.next = self.events.total.val();
            if self.trap.q.val() {
                self.held_kind.d.next = self.trap_kind.val();
                self.held_conditional.d.next = false;
                self.held_events.d.next = self.events.before.val();
            }
            // A handler returns to the address that the trap reports.
            for _i in 0..self._checks {
                if self.trap.q.val() {
                    self.held_next.d.next = self.pc.q.val();
                }
            }
        }

        self.buffer.slot[0].after_loss.next = false;
        self.buffer.slot[0].taken.next =
            !self.held_conditional.q.val() | (self.pc.q.val() != self.held_next.q.val());
        self.buffer.slot[0].target.next = self.pc.q.val();
        self.now.next = 0.into();
        for i in 0..self._contexts {
            self.context[i].d.next = self.retire.context.val();
            self.now.next = self.context[i].q.val();
            self.buffer.slot[0].target.next =
                self.pc.q.val() | (bit_cast::<64, 8>(self.now.val()) << self.context_lsb.val());
        }
    }
}
