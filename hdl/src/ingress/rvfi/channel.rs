//! One channel of an RVFI: the records that a retirement makes.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::direct::DirectTarget;
use super::state::{StateSink, StateSource, follows};
use crate::IngressOptions;
use crate::bundles::SlotSource;
use crate::circuit::{circuit, kernel};
use crate::ingress::{EventSum, InstructionClass};
use crate::kinds;

/// One RVFI retirement: completes the record of the previous instruction, and makes that of a trap.
#[circuit(
    combinational,
    geometry: &Geometry,
    options: &IngressOptions,
    let follows = follows(options),
    const _follows: bool = follows,
    const context_lsb: Bits<7> = if geometry.context_bits > 0 { geometry.pc_bits } else { 0 },
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits)
)]
pub struct RvfiChannel {
    /// Instruction retires.
    pub valid: Signal<In, Bit>,
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Instruction traps and does not complete.
    pub trap: Signal<In, Bit>,
    /// Instruction is the first of a trap handler.
    pub intr: Signal<In, Bit, { !follows }>,
    /// Address of the instruction.
    pub pc_rdata: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Address of the next instruction of the program, not of an interrupt handler that comes first.
    pub pc_wdata: Signal<In, Bits<64, { geometry.pc_bits }>, { !follows }>,
    /// Instruction is the last of a hardware loop's body.
    pub loop_end: Signal<In, Bit, { options.has_loops() }>,
    /// Context of the instruction: hart, privilege, address space.
    pub context: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Events of this cycle, added if counts is 1.
    pub step: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Add step to the event count in this cycle.
    pub counts: Signal<In, Bit>,
    /// State before this retirement.
    pub before: StateSink<geometry, options>,
    /// State after this retirement.
    pub after: StateSource<geometry, options>,
    /// Record of the previous instruction.
    pub own: SlotSource<geometry>,
    /// Record of a trap.
    pub entry: SlotSource<geometry>,

    #[connect(insn)]
    class: InstructionClass<{ geometry.pc_bits == 32 }, options>,
    #[connect(count = before.count, step, counts, rest = after.count)]
    sum: EventSum<geometry>,
    #[connect(insn, pc = pc_rdata, conditional = class.conditional)]
    direct: Option<DirectTarget<geometry, options>, follows>,
}

#[kernel]
impl RvfiChannel {
    /// The record of the previous instruction, that of a trap, and the state for the next retirement.
    fn retirement(&mut self) {
        let loops = self.loop_end & !self.class.transfer;
        let transfers = !self.trap & (self.class.transfer | loops);
        let fall_through = if self.class.compressed {
            (self.pc_rdata + 2) & self.pc_mask
        } else if self.class.long {
            (self.pc_rdata + 6) & self.pc_mask
        } else {
            (self.pc_rdata + 4) & self.pc_mask
        };

        // Whether it is the first of a handler, and whether that hides the target of the previous instruction.
        let returned = self.before.kind == kinds::TRAP_RETURN;
        let departs = if self._follows {
            self.pc_rdata != self.before.next_address
        } else {
            self.pc_wdata != fall_through
        };
        let interrupts = if !self._follows {
            self.intr
        } else if self.before.anywhere {
            self.before.interrupted & (self.pc_rdata == self.before.handler)
        } else {
            (self.pc_rdata != self.before.target) & !(self.before.conditional & !departs)
        };
        let enters = interrupts | self.before.trapped;
        let hides = if self._follows {
            self.before.conditional | self.before.anywhere
        } else {
            (returned & !self.before.departs) | (self.before.target == self.pc_rdata)
        };
        let hidden = self.before.held & hides;

        // Events since the previous record. A trap gets those before the first instruction of its handler.
        self.sum.takes_before.next = self.valid & enters;
        self.sum.takes_total.next = self.valid & transfers;

        // The state for the next retirement.
        self.after.trapped.next = self.before.trapped;
        self.after.held.next = self.before.held;
        self.after.kind.next = self.before.kind;
        self.after.undirected.next = self.before.undirected;
        self.after.conditional.next = self.before.conditional;
        self.after.departs.next = self.before.departs;
        self.after.anywhere.next = self.before.anywhere;
        self.after.interrupted.next = self.before.interrupted;
        self.after.handler.next = self.before.handler;
        self.after.target.next = self.before.target;
        self.after.context.next = self.before.context;
        self.after.next_address.next = self.before.next_address;
        self.after.events.next = self.before.events;
        if self.valid {
            self.after.trapped.next = self.trap;
            self.after.held.next = transfers;
            self.after.kind.next = if loops {
                kinds::BACKWARD.into()
            } else {
                self.class.kind
            };
            self.after.undirected.next = self.class.undirected;
            self.after.conditional.next = self.class.conditional | loops;
            self.after.departs.next = departs;
            self.after.context.next = self.context;
            self.after.next_address.next = if self.trap {
                self.pc_rdata
            } else {
                fall_through
            };
            self.after.events.next = self.sum.total;
            if let Some(direct) = &mut self.direct {
                let known = direct.known & !loops;
                self.after.anywhere.next = self.trap | (transfers & !known);
                self.after.target.next = if transfers & known {
                    direct.target
                } else {
                    fall_through
                };
                if interrupts & !self.before.trapped {
                    self.after.interrupted.next = true;
                    self.after.handler.next = self.pc_rdata;
                }
            } else {
                self.after.target.next = self.pc_wdata;
            }
        }

        // The record of the previous instruction.
        self.own.valid.next =
            self.valid & self.before.held & !(enters & hidden & self.before.conditional);
        self.own.after_loss.next = false;
        self.own.kind.next = self.before.kind;
        let departed = if self._follows {
            departs
        } else {
            self.before.departs
        };
        self.own.taken.next = !self.before.conditional | departed;
        let place = self.pc_rdata | (bit_cast::<64, 8>(self.context) << self.context_lsb);
        let reveals = if self._follows {
            !enters
        } else {
            returned & !enters
        };
        let led_to = if reveals {
            self.pc_rdata
        } else {
            self.before.target
        };
        if self.before.undirected & (led_to < self.before.next_address) {
            self.own.kind.next = kinds::BACKWARD.into();
        }
        self.own.target.next = if reveals {
            place
        } else {
            self.before.target | (bit_cast::<64, 8>(self.before.context) << self.context_lsb)
        };
        self.own.next_address.next = self.before.next_address;
        self.own.events.next = self.before.events;

        // The record of a trap.
        self.entry.valid.next = self.valid & enters;
        self.entry.after_loss.next = hidden;
        self.entry.kind.next = kinds::TRAP.into();
        self.entry.taken.next = true;
        self.entry.target.next = place;
        self.entry.next_address.next = if self.before.held {
            self.before.target
        } else {
            self.before.next_address
        };
        self.entry.events.next = self.before.count;
    }
}
