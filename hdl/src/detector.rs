//! The path detector: from branch records to completed paths.
//!
//! ```text
//!   br_* ---> branch queue ---> record decoder ---> path stack ---> path_*
//!                                     ^
//!                                   PPCR
//! ```
//!
//! Timing with parallel lookup, for a record accepted in cycle *t*: it leaves the queue in *t* + 1. It is at the
//! decoder in *t* + 2 and at the stack in *t* + 3. The path that it completes is on `path_*` in *t* + 4. The rate is
//! one record a cycle. The queue fills only while `hold` is 1, and after returns of a checked stack.
//!
//! With sequential lookup the path is on `path_*` one cycle later. Further cycles pass while the previous path is
//! looked up (`waits`).

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{ControlSink, PathSource, RecordSink, StackEvents};
use crate::circuit::{circuit, kernel};
use crate::path_stack::{PathStack, StepwiseStack};
use crate::queue::BranchQueue;
use crate::record_decoder::RecordDecoder;

/// Path detector: branch queue, record decoder and path stack.
#[circuit(geometry: &Geometry, several: bool)]
pub struct Detector {
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode, records are lost when the queue is full; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// Empty the stack before the next accepted record.
    pub purge: Signal<In, Bit>,
    /// Back-pressure: no record leaves the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// Back-pressure: hold the path ports; no path may become valid in the next cycle.
    pub waits: Signal<In, Bit, { geometry.buffers_paths() }>,
    /// A path becomes valid in the next cycle unless waits holds it back.
    pub next_valid: Signal<Out, Bit, { geometry.repeats_paths() || several }>,
    /// The path ports become 0: a path of another hart becomes valid in the next cycle.
    pub yields: Signal<In, Bit, several>,
    /// PPCR: operations by kind of record, and modes.
    pub ppcr: ControlSink<geometry>,
    /// Records from the ingress.
    pub br: RecordSink<geometry>,
    /// Completed paths.
    pub path: PathSource<geometry>,
    /// Pulse: a record was accepted (statistics).
    pub accepted: Signal<Out, Bit>,
    /// Pulse: a record was lost (statistics).
    pub lost: Signal<Out, Bit>,
    /// A record waits, or needs further cycles.
    pub busy: Signal<Out, Bit>,
    /// What happens to the stack.
    #[flat]
    pub events: StackEvents<geometry>,

    #[connect(enable, lossy, purge, br, accepted, lost)]
    queue: BranchQueue<geometry>,
    #[connect(ppcr, record = queue.record)]
    decoder: RecordDecoder<geometry>,
    #[connect(step = decoder.step, path, events)]
    stack: Option<PathStack<geometry>, { !geometry.buffers_paths() }>,
    #[connect(step = decoder.step, path, events, waits, next_valid, yields)]
    stepwise_stack: Option<StepwiseStack<geometry, several>, { geometry.buffers_paths() }>,
}

#[kernel]
impl Detector {
    /// What holds records back.
    fn back_pressure(&mut self) {
        let checks = self.decoder.holds | self.stack?.busy | self.stepwise_stack?.busy;
        self.queue.hold.next = self.hold | checks;
        self.busy.next =
            self.queue.waiting | self.queue.record.valid | self.stepwise_stack?.stall | checks;
        self.queue.stall.next = self.stepwise_stack?.stall;
        self.decoder.stall.next = self.stepwise_stack?.stall;
    }
}
