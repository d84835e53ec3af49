//! The record decoder: it looks up a record's operations in the PPCR, one stage before the stack.
//!
//! ```text
//!   record of the queue --+--> kind, taken --> [ row of the PPCR ] --> row, extension --> | |
//!                         +------------------------------------------> target, events --> | | --> path stack
//!   PPCR mode ------------------------------------------------------> metric, maximum --> | |
//! ```
//!
//! In a cycle without a record the stage outputs a record with an empty row. A record with the purge mark gets an empty
//! row as well. What it would append, pop and push does not belong to the path that it begins.
//!
//! A checked stack may need several cycles for a return, and accepts no record meanwhile. `holds` therefore blocks the
//! queue from a return until the stack has processed it. The decoder presents a return for two cycles: the stack
//! compares it in the first and applies it in the second.
//!
//! Timing: one register stage. A record and its PPCR row enter the stage together. A write of the PPCR therefore
//! applies as a whole to the records that follow.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{ControlSink, QueuedSink, StepSource};
use crate::circuit::{circuit, kernel};
use crate::kinds;
use crate::register::{Delay, Register};

/// Looks up the PPCR row of the record at the output of the queue.
/// Outputs are registered, except step_next_limit; the PPCR settings of a record stay with it.
#[circuit(
    geometry: &Geometry,
    const _checks: bool = geometry.stack_check
)]
pub struct RecordDecoder {
    /// PPCR: operations by kind of record, and modes.
    pub ppcr: ControlSink<geometry>,
    /// Record at the output of the queue.
    pub record: QueuedSink<geometry>,
    /// Operations of the record on the stack.
    pub step: StepSource<geometry>,
    /// Back-pressure: no record leaves the queue while a return is checked.
    pub holds: Signal<Out, Bit, { geometry.stack_check }>,
    /// Stall: hold the record and the registered outputs.
    pub stall: Signal<In, Bit, { geometry.buffers_paths() }>,

    row: Delay<Bits<4>>,
    extends: Delay<Bit>,
    retracts: Delay<Bit>,
    #[connect(q = step.keeps)]
    keeps: Delay<Bit>,
    #[connect(q = step.counts_events)]
    counts_events: Delay<Bit>,
    taken: Delay<Bit>,
    #[connect(q = step.target)]
    target: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    events: Delay<Bits<32, { geometry.event_bits }>>,
    purge: Delay<Bit>,
    #[connect(d = ppcr.context_mask, q = step.context_mask)]
    context_mask: Option<Delay<Bits<8, { geometry.context_bits }>>, { geometry.context_bits > 0 }>,
    #[connect(d = ppcr.context_value, q = step.context_value)]
    context_value: Option<Delay<Bits<8, { geometry.context_bits }>>, { geometry.context_bits > 0 }>,
    /// The record is valid, for the stack check.
    valid: Option<Register<Bit>, { geometry.stack_check }>,
    #[connect(q = step.is_trap)]
    is_trap: Option<Delay<Bit>, { geometry.stack_check }>,
    #[connect(q = step.is_return)]
    is_return: Option<Delay<Bit>, { geometry.stack_check }>,
    #[connect(q = step.is_trap_return)]
    is_trap_return: Option<Delay<Bit>, { geometry.stack_check }>,
    #[connect(q = step.next_address)]
    next_address:
        Option<Delay<Bits<64, { geometry.pc_bits - geometry.align }>>, { geometry.stack_check }>,
    /// First cycle of a return: compare it, do not apply it.
    compares: Option<Register<Bit>, { geometry.stack_check }>,
}

#[kernel]
impl RecordDecoder {
    /// The operations of the record. Unused fields are 0.
    fn operations(&mut self) {
        // A backward branch that is not taken traverses no back edge.
        let kind = self.record.kind;
        let effective: Bits<3> =
            if (kind == kinds::BACKWARD) & !self.record.taken & !self.ppcr.not_taken_as_backward {
                kinds::FORWARD.into()
            } else {
                kind
            };
        // The low bit of the kind arrives last. The upper two bits therefore select a pair of rows first.
        let pair =
            (self.ppcr.rows >> (bit_cast::<8, 2>(kind.get_bits::<2>(1)) << 3)).get_bits::<8>(0);
        let row = if effective.get_bit(0) {
            pair.get_bits::<4>(4)
        } else {
            pair.get_bits::<4>(0)
        };
        let idle = self.rst | !self.record.valid | self.record.purge_first;
        self.row.d.next = row;
        let (loops, procedures) = (self.ppcr.extension == 1, self.ppcr.extension == 2);
        self.extends.d.next =
            (loops & (effective == kinds::BACKWARD)) | (procedures & (effective == kinds::CALL));
        self.retracts.d.next = procedures & (effective == kinds::RETURN);
        self.keeps.d.next = procedures;
        self.counts_events.d.next = self.ppcr.metric_events;
        self.taken.d.next = self.record.taken & row.get_bit(0);
        if idle {
            self.row.d.next = 0.into();
            self.extends.d.next = false;
            self.retracts.d.next = false;
            self.taken.d.next = false;
        }
        self.target.d.next = self.record.target;
        self.events.d.next = self.record.events;
        if idle | !(row.get_bit(0) | row.get_bit(1)) {
            self.events.d.next = 0.into();
        }
        self.purge.d.next = self.record.valid & self.record.purge_first & !self.rst;

        // A return of a checked stack takes two cycles.
        if self._checks {
            let returns =
                self.record.valid & ((kind == kinds::RETURN) | (kind == kinds::TRAP_RETURN));
            self.compares?.d.next = returns & !self.stall;
            self.holds.next = returns | self.compares?;
            if !self.compares? & !self.stall {
                self.valid?.d.next = self.record.valid;
                self.is_trap?.d.next = kind == kinds::TRAP;
                self.is_return?.d.next = !idle & (kind == kinds::RETURN);
                self.is_trap_return?.d.next = !idle & (kind == kinds::TRAP_RETURN);
                self.next_address?.d.next = self.record.next_address;
            }
            self.step.valid.next = self.valid? & !self.compares?;
        }
    }

    /// The step of the stack, one cycle later. Until a return is compared, it is empty.
    fn step(&mut self) {
        self.step.row.next = self.row;
        self.step.extends.next = self.extends;
        self.step.retracts.next = self.retracts;
        self.step.next_limit.next = self.ppcr.max_extension;
        self.step.taken.next = self.taken;
        self.step.events.next = self.events;
        self.step.purge.next = self.purge;
        if self.compares? {
            self.step.row.next = 0.into();
            self.step.extends.next = false;
            self.step.retracts.next = false;
            self.step.taken.next = false;
            self.step.events.next = 0.into();
            self.step.purge.next = false;
        }
    }

    /// Registers that keep their value during a stall.
    fn stall(&mut self) {
        // Reset overrides the stall.
        if (self.stall | self.compares?) & !self.rst {
            self.row.d.next = self.row;
            self.extends.d.next = self.extends;
            self.retracts.d.next = self.retracts;
            self.keeps.d.next = self.keeps;
            self.counts_events.d.next = self.counts_events;
            self.taken.d.next = self.taken;
            self.target.d.next = self.target;
            self.events.d.next = self.events;
            self.purge.d.next = self.purge;
            self.context_mask?.d.next = self.context_mask?;
            self.context_value?.d.next = self.context_value?;
        }
    }
}
