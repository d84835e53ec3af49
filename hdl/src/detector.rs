//! The path detector: from branch records to completed paths.
//!
//! ```text
//!   br_* ---> branch queue ---> record decoder ---> path stack ---> path_*
//!                                     ^
//!                                   PPCR
//! ```
//!
//! Timing: a record accepted in cycle *t* leaves the queue in *t* + 1, meets the decoder in *t* + 2 and the stack in
//! *t* + 3, and the path it completes stands on `path_*` in *t* + 4. One record a cycle; the queue fills only while `hold` is 1.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::path_stack::PathStack;
use crate::queue::BranchQueue;
use crate::record_decoder::RecordDecoder;

/// Queue, decoder and stack. Addresses come and go without their constant low bits.
#[derive(LogicBlock)]
pub struct Detector {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Records are profiled.
    pub enable: Signal<In, Bit>,
    /// Lossy mode.
    pub lossy: Signal<In, Bit>,
    /// Empty the stack before the next record that gets in.
    pub purge: Signal<In, Bit>,
    /// Take no record out of the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// PPCR: the eight rows.
    pub rows: Signal<In, Bits<32>>,
    /// PPCR: paths count events.
    pub metric_events: Signal<In, Bit>,
    /// PPCR: a backward branch that is not taken uses its own row.
    pub not_taken_as_backward: Signal<In, Bit>,
    /// PPCR: what paths extend across.
    pub extension: Signal<In, Bits<2>>,
    /// PPCR: how often.
    pub max_extension: Signal<In, Bits<8>>,
    /// A branch record is offered.
    pub br_valid: Signal<In, Bit>,
    /// The record is taken in this cycle; 0 asks the core to hold retirement.
    pub br_ready: Signal<Out, Bit>,
    /// 0 forward, 1 backward, 2 indirect, 3 call, 4 return, 5 indirect call, 6 trap, 7 trap return.
    pub br_kind: Signal<In, Bits<3>>,
    /// Outcome of a conditional branch; 1 for every other kind.
    pub br_taken: Signal<In, Bit>,
    /// Address of the next instruction that retires.
    pub br_target: Signal<In, Bits<64>>,
    /// Events of the selected type since the previous record.
    pub br_events: Signal<In, Bits<32>>,
    /// A path is complete.
    pub path_valid: Signal<Out, Bit>,
    /// Its start, without the constant low bits.
    pub path_start: Signal<Out, Bits<64>>,
    /// Branches recorded along it.
    pub path_length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    pub path_outcomes: Signal<Out, Bits<64>>,
    /// What it adds to its accumulator.
    pub path_count: Signal<Out, Bits<32>>,
    /// A record got in (statistics).
    pub accepted: Signal<Out, Bit>,
    /// A record was lost (statistics).
    pub lost: Signal<Out, Bit>,
    /// A path was split (statistics).
    pub split: Signal<Out, Bit>,
    /// A pop left the stack empty (statistics).
    pub underflow: Signal<Out, Bit>,
    /// A push dropped the oldest entry (statistics).
    pub overflow: Signal<Out, Bit>,
    /// Events did not fit into an event counter (sticky error).
    pub saturated: Signal<Out, Bit>,
    queue: BranchQueue,
    decoder: RecordDecoder,
    stack: PathStack,
}

impl Detector {
    /// A detector of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            enable: Signal::default(),
            lossy: Signal::default(),
            purge: Signal::default(),
            hold: Signal::default(),
            rows: Signal::default(),
            metric_events: Signal::default(),
            not_taken_as_backward: Signal::default(),
            extension: Signal::default(),
            max_extension: sized(geometry.extension_bits),
            br_valid: Signal::default(),
            br_ready: Signal::default(),
            br_kind: Signal::default(),
            br_taken: Signal::default(),
            br_target: sized(geometry.pc_bits - geometry.align),
            br_events: sized(geometry.event_bits),
            path_valid: Signal::default(),
            path_start: sized(geometry.pc_bits - geometry.align),
            path_length: sized(geometry.length_bits()),
            path_outcomes: sized(geometry.max_branches),
            path_count: sized(geometry.event_counter_bits),
            accepted: Signal::default(),
            lost: Signal::default(),
            split: Signal::default(),
            underflow: Signal::default(),
            overflow: Signal::default(),
            saturated: Signal::default(),
            queue: BranchQueue::new(geometry),
            decoder: RecordDecoder::new(geometry),
            stack: PathStack::new(geometry),
        }
    }
}

impl Logic for Detector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("detector: from branch records to completed paths.");
        self.queue.clk.next = self.clk.val();
        self.queue.rst.next = self.rst.val();
        self.queue.enable.next = self.enable.val();
        self.queue.lossy.next = self.lossy.val();
        self.queue.purge.next = self.purge.val();
        self.queue.br_valid.next = self.br_valid.val();
        self.br_ready.next = self.queue.br_ready.val();
        self.queue.br_kind.next = self.br_kind.val();
        self.queue.br_taken.next = self.br_taken.val();
        self.queue.br_target.next = self.br_target.val();
        self.queue.br_events.next = self.br_events.val();
        self.queue.hold.next = self.hold.val();

        self.decoder.clk.next = self.clk.val();
        self.decoder.rst.next = self.rst.val();
        self.decoder.rows.next = self.rows.val();
        self.decoder.metric_events.next = self.metric_events.val();
        self.decoder.not_taken_as_backward.next = self.not_taken_as_backward.val();
        self.decoder.extension.next = self.extension.val();
        self.decoder.max_extension.next = self.max_extension.val();
        self.decoder.valid.next = self.queue.valid.val();
        self.decoder.kind.next = self.queue.kind.val();
        self.decoder.taken.next = self.queue.taken.val();
        self.decoder.target.next = self.queue.target.val();
        self.decoder.events.next = self.queue.events.val();
        self.decoder.purge_first.next = self.queue.purge_first.val();

        self.stack.clk.next = self.clk.val();
        self.stack.rst.next = self.rst.val();
        self.stack.row.next = self.decoder.row.val();
        self.stack.extends.next = self.decoder.extends.val();
        self.stack.retracts.next = self.decoder.retracts.val();
        self.stack.keeps.next = self.decoder.keeps.val();
        self.stack.counts_events.next = self.decoder.counts_events.val();
        self.stack.limit.next = self.decoder.limit.val();
        self.stack.taken.next = self.decoder.step_taken.val();
        self.stack.target.next = self.decoder.step_target.val();
        self.stack.events.next = self.decoder.step_events.val();
        self.stack.purge.next = self.decoder.step_purge.val();

        self.path_valid.next = self.stack.path_valid.val();
        self.path_start.next = self.stack.path_start.val();
        self.path_length.next = self.stack.path_length.val();
        self.path_outcomes.next = self.stack.path_outcomes.val();
        self.path_count.next = self.stack.path_count.val();
        self.accepted.next = self.queue.accepted.val();
        self.lost.next = self.queue.lost.val();
        self.split.next = self.stack.split.val();
        self.underflow.next = self.stack.underflow.val();
        self.overflow.next = self.stack.overflow.val();
        self.saturated.next = self.stack.saturated.val();
    }
}
