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

use crate::annotate::{comment, sized};
use crate::register::Delay;

/// The decoder stage between queue and path stack.
#[derive(LogicBlock)]
pub struct RecordDecoder {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Reset: what is in the stage then is no record.
    pub rst: Signal<In, Bit>,

    /// PPCR: the eight rows, four bits each (update, update_count, pop, push from bit 0), row 0 lowest.
    pub rows: Signal<In, Bits<32>>,
    /// PPCR: a path counts its events rather than 1.
    pub metric_events: Signal<In, Bit>,
    /// PPCR: a backward branch that is not taken uses the row of backward branches.
    pub not_taken_as_backward: Signal<In, Bit>,
    /// PPCR: what paths extend across: 0 nothing, 1 loops, 2 procedures.
    pub extension: Signal<In, Bits<2>>,
    /// PPCR: how often a path may extend.
    pub max_extension: Signal<In, Bits<8>>,

    /// There is a record.
    pub valid: Signal<In, Bit>,
    /// Its kind.
    pub kind: Signal<In, Bits<3>>,
    /// Its outcome.
    pub taken: Signal<In, Bit>,
    /// Its target.
    pub target: Signal<In, Bits<64>>,
    /// Its events.
    pub events: Signal<In, Bits<32>>,
    /// The stack is emptied first.
    pub purge_first: Signal<In, Bit>,

    /// What the stack is to do: update, update_count, pop, push from bit 0.
    pub row: Signal<Out, Bits<4>>,
    /// The path extends if its counter is below the maximum.
    pub extends: Signal<Out, Bit>,
    /// The path takes an extension back if its counter is above 0.
    pub retracts: Signal<Out, Bit>,
    /// A pop together with a push keeps the extension counter.
    pub keeps: Signal<Out, Bit>,
    /// The path counts its events rather than 1.
    pub counts_events: Signal<Out, Bit>,
    /// The greatest extension counter.
    pub limit: Signal<Out, Bits<8>>,
    /// The record appends a taken outcome.
    pub step_taken: Signal<Out, Bit>,
    /// Target.
    pub step_target: Signal<Out, Bits<64>>,
    /// Events the record adds; 0 if its row adds none.
    pub step_events: Signal<Out, Bits<32>>,
    /// The stack is emptied, and a path begins at the target.
    pub step_purge: Signal<Out, Bit>,

    row_stage: Delay<Bits<4>>,
    extends_stage: Delay<Bit>,
    retracts_stage: Delay<Bit>,
    keeps_stage: Delay<Bit>,
    metric_stage: Delay<Bit>,
    limit_stage: Delay<Bits<8>>,
    taken_stage: Delay<Bit>,
    target_stage: Delay<Bits<64>>,
    events_stage: Delay<Bits<32>>,
    purge_stage: Delay<Bit>,

    idle: Signal<Local, Bit>,
    effective: Signal<Local, Bits<3>>,
    new_row: Signal<Local, Bits<4>>,
    loops: Signal<Local, Bit>,
    procedures: Signal<Local, Bit>,
}

impl RecordDecoder {
    /// A decoder for records of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let target_bits = geometry.pc_bits - geometry.align;
        let (event_bits, extension_bits) = (geometry.event_bits, geometry.extension_bits);
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            rows: Signal::default(),
            metric_events: Signal::default(),
            not_taken_as_backward: Signal::default(),
            extension: Signal::default(),
            max_extension: sized(extension_bits),
            valid: Signal::default(),
            kind: Signal::default(),
            taken: Signal::default(),
            target: sized(target_bits),
            events: sized(event_bits),
            purge_first: Signal::default(),
            row: Signal::default(),
            extends: Signal::default(),
            retracts: Signal::default(),
            keeps: Signal::default(),
            counts_events: Signal::default(),
            limit: sized(extension_bits),
            step_taken: Signal::default(),
            step_target: sized(target_bits),
            step_events: sized(event_bits),
            step_purge: Signal::default(),
            row_stage: Delay::new(4),
            extends_stage: Delay::new(1),
            retracts_stage: Delay::new(1),
            keeps_stage: Delay::new(1),
            metric_stage: Delay::new(1),
            limit_stage: Delay::new(extension_bits),
            taken_stage: Delay::new(1),
            target_stage: Delay::new(target_bits),
            events_stage: Delay::new(event_bits),
            purge_stage: Delay::new(1),
            idle: Signal::default(),
            effective: Signal::default(),
            new_row: Signal::default(),
            loops: Signal::default(),
            procedures: Signal::default(),
        }
    }
}

impl Logic for RecordDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("record_decoder: looks up the PPCR row of the record that leaves the queue.");
        comment!("One register stage; the control register's state travels with the record.");
        self.row_stage.clk.next = self.clk.val();
        self.extends_stage.clk.next = self.clk.val();
        self.retracts_stage.clk.next = self.clk.val();
        self.keeps_stage.clk.next = self.clk.val();
        self.metric_stage.clk.next = self.clk.val();
        self.limit_stage.clk.next = self.clk.val();
        self.taken_stage.clk.next = self.clk.val();
        self.target_stage.clk.next = self.clk.val();
        self.events_stage.clk.next = self.clk.val();
        self.purge_stage.clk.next = self.clk.val();

        // A backward branch that falls through traverses no back edge.
        self.effective.next = self.kind.val();
        if (self.kind.val() == 1) & !self.taken.val() & !self.not_taken_as_backward.val() {
            self.effective.next = 0.into();
        }
        match self.effective.val().index() {
            0 => {
                self.new_row.next = self.rows.val().get_bits::<4>(0);
            }
            1 => {
                self.new_row.next = self.rows.val().get_bits::<4>(4);
            }
            2 => {
                self.new_row.next = self.rows.val().get_bits::<4>(8);
            }
            3 => {
                self.new_row.next = self.rows.val().get_bits::<4>(12);
            }
            4 => {
                self.new_row.next = self.rows.val().get_bits::<4>(16);
            }
            5 => {
                self.new_row.next = self.rows.val().get_bits::<4>(20);
            }
            6 => {
                self.new_row.next = self.rows.val().get_bits::<4>(24);
            }
            _ => {
                self.new_row.next = self.rows.val().get_bits::<4>(28);
            }
        }

        self.idle.next = self.rst.val() | !self.valid.val() | self.purge_first.val();
        self.row_stage.d.next = self.new_row.val();
        if self.idle.val() {
            self.row_stage.d.next = 0.into();
        }

        self.loops.next = self.extension.val() == 1;
        self.procedures.next = self.extension.val() == 2;
        self.extends_stage.d.next = (self.loops.val() & (self.effective.val() == 1))
            | (self.procedures.val() & (self.effective.val() == 3));
        self.retracts_stage.d.next = self.procedures.val() & (self.effective.val() == 4);
        if self.idle.val() {
            self.extends_stage.d.next = false;
            self.retracts_stage.d.next = false;
        }
        self.keeps_stage.d.next = self.procedures.val();
        self.metric_stage.d.next = self.metric_events.val();
        self.limit_stage.d.next = self.max_extension.val();

        // What is not used is 0.
        self.taken_stage.d.next = self.taken.val() & self.new_row.val().get_bit(0);
        if self.idle.val() {
            self.taken_stage.d.next = false;
        }
        self.target_stage.d.next = self.target.val();
        self.events_stage.d.next = self.events.val();
        if self.idle.val() | !(self.new_row.val().get_bit(0) | self.new_row.val().get_bit(1)) {
            self.events_stage.d.next = 0.into();
        }
        self.purge_stage.d.next = self.valid.val() & self.purge_first.val() & !self.rst.val();

        self.row.next = self.row_stage.q.val();
        self.extends.next = self.extends_stage.q.val();
        self.retracts.next = self.retracts_stage.q.val();
        self.keeps.next = self.keeps_stage.q.val();
        self.counts_events.next = self.metric_stage.q.val();
        self.limit.next = self.limit_stage.q.val();
        self.step_taken.next = self.taken_stage.q.val();
        self.step_target.next = self.target_stage.q.val();
        self.step_events.next = self.events_stage.q.val();
        self.step_purge.next = self.purge_stage.q.val();
    }
}
