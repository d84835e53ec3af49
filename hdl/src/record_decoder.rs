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

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{ControlSink, QueuedSink, StepSource};
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Looks up the PPCR row of the record at the output of the queue.
/// Outputs are registered, except step_next_limit; the PPCR settings of a record stay with it.
#[circuit(
    geometry: &Geometry,
    let filters = usize::from(geometry.context_bits > 0),
    let checks = usize::from(geometry.stack_check)
)]
pub struct RecordDecoder {
    /// PPCR: operations by kind of record, and modes.
    #[bundle(geometry)]
    pub ppcr: ControlSink,
    /// Record at the output of the queue.
    #[bundle(geometry)]
    pub record: QueuedSink,
    /// Operations of the record on the stack.
    #[bundle(geometry)]
    pub step: StepSource,
    /// Back-pressure: no record leaves the queue while a return is checked.
    #[present(geometry.stack_check)]
    pub holds: Signal<Out, Bit>,
    /// Stall: hold the record and the registered outputs.
    #[present(geometry.buffers_paths())]
    pub stay: Signal<In, Bit>,

    row: Delay<Bits<4>>,
    extends: Delay<Bit>,
    retracts: Delay<Bit>,
    #[connect(q = step.keeps)]
    keeps: Delay<Bit>,
    #[connect(q = step.counts_events)]
    counts_events: Delay<Bit>,
    taken: Delay<Bit>,
    #[bits(geometry.start_bits() - geometry.align)]
    #[connect(q = step.target)]
    target: Delay<Bits<64>>,
    #[bits(geometry.event_bits)]
    events: Delay<Bits<32>>,
    purge: Delay<Bit>,
    #[each(i in filters)]
    #[new(geometry)]
    #[connect(mask = ppcr.context_mask, value = ppcr.context_value)]
    filters: Vec<FilterStage>,
    #[each(i in checks)]
    #[new(geometry)]
    #[connect(record.{valid, kind, next_address})]
    checks: Vec<ReturnStage>,

    idle: Signal<Local, Bit>,
    effective: Signal<Local, Bits<3>>,
    pair: Signal<Local, Bits<8>>,
    new_row: Signal<Local, Bits<4>>,
    loops: Signal<Local, Bit>,
    procedures: Signal<Local, Bit>,
    keeps_step: Signal<Local, Bit>,
    #[value(filters)]
    _filters: usize,
    #[value(checks)]
    _checks: usize,
}

/// Record as the stack check needs it, registered; a return takes two cycles.
#[circuit(geometry: &Geometry)]
pub struct ReturnStage {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// The stack is not emptied before the record.
    pub acts: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Address after the record, without constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    pub next_address: Signal<In, Bits<64>>,
    /// Stall: hold the registered record.
    #[present(geometry.buffers_paths())]
    pub stay: Signal<In, Bit>,
    /// Registered record is valid; 0 in the first cycle of a return.
    pub was_valid: Signal<Out, Bit>,
    /// Registered record is a trap.
    pub was_trap: Signal<Out, Bit>,
    /// Registered record is a return.
    pub was_return: Signal<Out, Bit>,
    /// Registered record is a return from a trap.
    pub was_trap_return: Signal<Out, Bit>,
    /// Address after the registered record, without constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    pub was_next: Signal<Out, Bits<64>>,
    /// A return is at the input, or was one cycle ago.
    pub holds: Signal<Out, Bit>,
    /// First cycle of a registered return: compare it, do not apply it.
    pub looks: Signal<Out, Bit>,

    present: Register<Bit>,
    #[connect(q = was_trap)]
    trap: Delay<Bit>,
    #[connect(q = was_return)]
    plain: Delay<Bit>,
    #[connect(q = was_trap_return)]
    from_trap: Delay<Bit>,
    #[bits(geometry.pc_bits - geometry.align)]
    #[connect(q = was_next)]
    next_held: Delay<Bits<64>>,
    #[connect(q = looks)]
    passing: Register<Bit>,

    returns: Signal<Local, Bit>,
    #[number(BranchKind::Return.code())]
    return_kind: Constant<Bits<3>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
    #[number(BranchKind::TrapReturn.code())]
    trap_return_kind: Constant<Bits<3>>,
}

impl Logic for ReturnStage {
    #[hdl_gen]
    fn update(&mut self) {
        self.returns.next = self.valid.val()
            & ((self.kind.val() == self.return_kind.val())
                | (self.kind.val() == self.trap_return_kind.val()));
        self.passing.d.next = self.returns.val() & !self.stay.val();
        self.holds.next = self.returns.val() | self.passing.q.val();
        if !self.passing.q.val() & !self.stay.val() {
            self.present.d.next = self.valid.val();
            self.trap.d.next = self.kind.val() == self.trap_kind.val();
            self.plain.d.next = self.acts.val() & (self.kind.val() == self.return_kind.val());
            self.from_trap.d.next =
                self.acts.val() & (self.kind.val() == self.trap_return_kind.val());
            self.next_held.d.next = self.next_address.val();
        }
        self.was_valid.next = self.present.q.val() & !self.passing.q.val();
    }
}

/// Context filter of a record, registered.
#[circuit(resetless, geometry: &Geometry)]
pub struct FilterStage {
    /// Context filter: mask of the context bits that are compared.
    #[bits(geometry.context_bits)]
    pub mask: Signal<In, Bits<8>>,
    /// Context filter: value of the compared bits; other paths are dropped.
    #[bits(geometry.context_bits)]
    pub value: Signal<In, Bits<8>>,
    /// Context filter: mask, registered.
    #[bits(geometry.context_bits)]
    pub was_mask: Signal<Out, Bits<8>>,
    /// Context filter: value, registered.
    #[bits(geometry.context_bits)]
    pub was_value: Signal<Out, Bits<8>>,
    #[bits(geometry.context_bits)]
    #[connect(d = mask, q = was_mask)]
    mask_held: Delay<Bits<8>>,
    #[bits(geometry.context_bits)]
    #[connect(d = value, q = was_value)]
    value_held: Delay<Bits<8>>,
}

impl Logic for FilterStage {
    #[hdl_gen]
    fn update(&mut self) {}
}

#[kernel]
impl RecordDecoder {
    /// The row of the record.
    fn row(&mut self) {
        // A backward branch that is not taken traverses no back edge.
        self.effective.next = self.record.kind.val();
        if (self.record.kind.val() == 1)
            & !self.record.taken.val()
            & !self.ppcr.not_taken_as_backward.val()
        {
            self.effective.next = 0.into();
        }
        // The low bit of the kind arrives last. The upper two bits therefore select a pair of rows first.
        self.pair.next = (self.ppcr.rows.val()
            >> (bit_cast::<8, 2>(self.record.kind.val().get_bits::<2>(1)) << 3))
            .get_bits::<8>(0);
        self.new_row.next = self.pair.val().get_bits::<4>(0);
        if self.effective.val().get_bit(0) {
            self.new_row.next = self.pair.val().get_bits::<4>(4);
        }
    }

    /// The fields that are registered.
    fn registered(&mut self) {
        self.idle.next = self.rst.val() | !self.record.valid.val() | self.record.purge_first.val();
        self.row.d.next = self.new_row.val();
        if self.idle.val() {
            self.row.d.next = 0.into();
        }

        self.loops.next = self.ppcr.extension.val() == 1;
        self.procedures.next = self.ppcr.extension.val() == 2;
        self.extends.d.next = (self.loops.val() & (self.effective.val() == 1))
            | (self.procedures.val() & (self.effective.val() == 3));
        self.retracts.d.next = self.procedures.val() & (self.effective.val() == 4);
        if self.idle.val() {
            self.extends.d.next = false;
            self.retracts.d.next = false;
        }
        self.keeps.d.next = self.procedures.val();
        self.counts_events.d.next = self.ppcr.metric_events.val();

        // Unused fields are 0.
        self.taken.d.next = self.record.taken.val() & self.new_row.val().get_bit(0);
        if self.idle.val() {
            self.taken.d.next = false;
        }
        self.target.d.next = self.record.target.val();
        self.events.d.next = self.record.events.val();
        if self.idle.val() | !(self.new_row.val().get_bit(0) | self.new_row.val().get_bit(1)) {
            self.events.d.next = 0.into();
        }
        self.purge.d.next =
            self.record.valid.val() & self.record.purge_first.val() & !self.rst.val();
    }

    /// The step of the stack, one cycle later.
    fn step(&mut self) {
        self.step.row.next = self.row.q.val();
        self.step.extends.next = self.extends.q.val();
        self.step.retracts.next = self.retracts.q.val();
        self.step.next_limit.next = self.ppcr.max_extension.val();
        self.step.taken.next = self.taken.q.val();
        self.step.events.next = self.events.q.val();
        self.step.purge.next = self.purge.q.val();
        self.step.context_mask.next = 0.into();
        self.step.context_value.next = 0.into();
        for i in 0..self._filters {
            self.step.context_mask.next = self.filters[i].was_mask.val();
            self.step.context_value.next = self.filters[i].was_value.val();
        }
        self.step.next_address.next = 0.into();
        self.step.valid.next = false;
        self.step.is_trap.next = false;
        self.step.is_return.next = false;
        self.step.is_trap_return.next = false;
        self.holds.next = false;
        self.keeps_step.next = self.stay.val();
        for i in 0..self._checks {
            self.checks[i].acts.next = !self.idle.val();
            self.step.next_address.next = self.checks[i].was_next.val();
            self.step.valid.next = self.checks[i].was_valid.val();
            self.step.is_trap.next = self.checks[i].was_trap.val();
            self.step.is_return.next = self.checks[i].was_return.val();
            self.step.is_trap_return.next = self.checks[i].was_trap_return.val();
            self.holds.next = self.checks[i].holds.val();
            self.checks[i].stay.next = self.stay.val();
            if self.checks[i].looks.val() {
                self.step.row.next = 0.into();
                self.step.extends.next = false;
                self.step.retracts.next = false;
                self.step.taken.next = false;
                self.step.events.next = 0.into();
                self.step.purge.next = false;
                self.keeps_step.next = true;
            }
        }
    }

    /// Registers that keep their value during a stall.
    fn stall(&mut self) {
        // Reset overrides the stall.
        if self.keeps_step.val() & !self.rst.val() {
            self.row.d.next = self.row.q.val();
            self.extends.d.next = self.extends.q.val();
            self.retracts.d.next = self.retracts.q.val();
            self.keeps.d.next = self.keeps.q.val();
            self.counts_events.d.next = self.counts_events.q.val();
            self.taken.d.next = self.taken.q.val();
            self.target.d.next = self.target.q.val();
            self.events.d.next = self.events.q.val();
            self.purge.d.next = self.purge.q.val();
            for j in 0..self._filters {
                self.filters[j].mask.next = self.filters[j].was_mask.val();
                self.filters[j].value.next = self.filters[j].was_value.val();
            }
        }
    }
}
