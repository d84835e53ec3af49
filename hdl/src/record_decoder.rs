//! The record decoder: looks up what a record does before it meets the stack.
//!
//! ```text
//!   record of the queue --+--> kind, taken --> [ row of the PPCR ] --> row, extension --> | |
//!                         +------------------------------------------> target, events --> | | --> path stack
//!   PPCR mode ------------------------------------------------------> metric, maximum --> | |
//! ```
//!
//! A cycle without a record passes on a record that does nothing. Nor does the row of a record before which the stack is
//! emptied do anything: what it appends, pops and pushes is no part of the path that begins with it.
//!
//! Timing: one register stage. A record and the control register it is to obey enter the stage together, so a
//! write to the PPCR applies as a whole to the records that come after it.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{ControlSink, QueuedSink, StepSource};
use crate::circuit::circuit;
use crate::register::Delay;

/// Looks up the PPCR row of the record that leaves the queue.
/// One register stage; the control register's state travels with the record.
#[circuit(geometry: &Geometry)]
pub struct RecordDecoder {
    /// What records do.
    #[bundle(geometry)]
    pub ppcr: ControlSink,
    /// The record that left the queue.
    #[bundle(geometry)]
    pub record: QueuedSink,
    /// What it does to the stack.
    #[bundle(geometry)]
    pub step: StepSource,

    row: Delay<Bits<4>>,
    extends: Delay<Bit>,
    retracts: Delay<Bit>,
    keeps: Delay<Bit>,
    counts_events: Delay<Bit>,
    taken: Delay<Bit>,
    #[bits(geometry.pc_bits - geometry.align)]
    target: Delay<Bits<64>>,
    #[bits(geometry.event_bits)]
    events: Delay<Bits<32>>,
    purge: Delay<Bit>,

    idle: Signal<Local, Bit>,
    effective: Signal<Local, Bits<3>>,
    new_row: Signal<Local, Bits<4>>,
    loops: Signal<Local, Bit>,
    procedures: Signal<Local, Bit>,
}

impl Logic for RecordDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        // A backward branch that falls through traverses no back edge.
        self.effective.next = self.record.kind.val();
        if (self.record.kind.val() == 1)
            & !self.record.taken.val()
            & !self.ppcr.not_taken_as_backward.val()
        {
            self.effective.next = 0.into();
        }
        self.new_row.next = self.ppcr.rows.val().get_bits::<4>(0);
        for i in 1..8_usize {
            if self.effective.val() == i.to_bits() {
                self.new_row.next =
                    (self.ppcr.rows.val() >> (i.to_bits::<8>() << 2)).get_bits::<4>(0);
            }
        }

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

        // What is not used is 0.
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

        self.step.row.next = self.row.q.val();
        self.step.extends.next = self.extends.q.val();
        self.step.retracts.next = self.retracts.q.val();
        self.step.keeps.next = self.keeps.q.val();
        self.step.counts_events.next = self.counts_events.q.val();
        self.step.next_limit.next = self.ppcr.max_extension.val();
        self.step.taken.next = self.taken.q.val();
        self.step.target.next = self.target.q.val();
        self.step.events.next = self.events.q.val();
        self.step.purge.next = self.purge.q.val();
    }
}
