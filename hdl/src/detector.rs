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

use crate::bundles::{ControlSink, PathSource, RecordSink};
use crate::circuit::circuit;
use crate::path_stack::{PathStack, StepwiseStack};
use crate::queue::BranchQueue;
use crate::record_decoder::RecordDecoder;

/// From branch records to completed paths: queue, decoder and stack.
#[circuit(
    geometry: &Geometry,
    let sequential = usize::from(geometry.buffers_paths())
)]
pub struct Detector {
    /// Records are profiled.
    pub enable: Signal<In, Bit>,
    /// Lossy mode.
    pub lossy: Signal<In, Bit>,
    /// Empty the stack before the next record that gets in.
    pub purge: Signal<In, Bit>,
    /// Take no record out of the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// The path shown has to stay: nothing that completes another goes on.
    #[present(geometry.buffers_paths())]
    pub waits: Signal<In, Bit>,
    /// Unless the path shown has to stay, another is shown in the next cycle.
    #[present(geometry.repeats_paths())]
    pub coming: Signal<Out, Bit>,
    /// Operations by kind of record, and modes.
    #[bundle(geometry)]
    pub ppcr: ControlSink,
    /// Records from the ingress.
    #[bundle(geometry)]
    pub br: RecordSink,
    /// Completed paths.
    #[bundle(geometry)]
    pub path: PathSource,
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
    /// A return went elsewhere than it should (statistics).
    #[present(geometry.stack_check)]
    pub repaired: Signal<Out, Bit>,

    #[new(geometry)]
    #[connect(enable, lossy, purge, br, accepted, lost)]
    queue: BranchQueue,
    #[new(geometry)]
    #[connect(ppcr, record = queue.record)]
    decoder: RecordDecoder,
    #[each(i in 1 - sequential)]
    #[new(geometry)]
    #[connect(step = decoder.step, path, split, underflow, overflow, saturated, repaired)]
    stacks: Vec<PathStack>,
    #[each(i in sequential)]
    #[new(geometry)]
    #[connect(step = decoder.step, path, split, underflow, overflow, saturated, repaired, waits, coming)]
    stepwise_stacks: Vec<StepwiseStack>,
    #[value(1 - sequential)]
    _parallel: usize,
    #[value(sequential)]
    _sequential: usize,
}

impl Logic for Detector {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self._parallel {
            self.queue.hold.next =
                self.hold.val() | self.decoder.holds.val() | self.stacks[i].busy.val();
        }
        for i in 0..self._sequential {
            self.queue.hold.next =
                self.hold.val() | self.decoder.holds.val() | self.stepwise_stacks[i].busy.val();
            self.queue.stay.next = self.stepwise_stacks[i].stays_put.val();
            self.decoder.stay.next = self.stepwise_stacks[i].stays_put.val();
        }
    }
}
