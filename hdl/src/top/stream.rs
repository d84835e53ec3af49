//! The profiler without table and registers: its output is the stream of completed paths.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::{BackwardNotTaken, Metric, ResetValues};
use hpp_golden::registers::ppcr_mode;
use rust_hdl::prelude::*;

use crate::bundles::{PathSource, RecordSink};
use crate::circuit::{circuit, kernel};
use crate::detector::Detector;

/// Path detector with constants instead of control registers.
#[circuit(
    geometry: &Geometry, reset: &ResetValues,
    const lossy: Bit = reset.lossy,
    const rows: Bits<32> = reset.rows.to_word(),
    const metric_events: Bit = reset.metric == Metric::Events,
    const not_taken_as_backward: Bit = reset.backward_not_taken == BackwardNotTaken::AsBackward,
    const extension: Bits<2> = ppcr_mode::EXTENSION.get(reset.ppcr().mode_word()),
    const max_extension: Bits<8> = reset.max_extension,
    const selected_event: Bits<4> = reset.event_select
)]
pub struct StreamProfiler {
    /// Records from the ingress.
    pub br: RecordSink<geometry>,
    /// Several harts share a table, and here is none.
    pub hart: Vec<RecordSink<geometry>, 0>,
    /// Completed paths.
    pub path: PathSource<geometry>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<Out, Bits<4>>,
    /// Records are profiled; 0: they are discarded, and no ingress makes any.
    pub enabled: Signal<Out, Bit>,

    #[connect(br, path)]
    detector: Detector<geometry, false>,
}

#[kernel]
impl StreamProfiler {
    /// The control registers are constants, and the profiler is always enabled.
    fn constants(&mut self) {
        self.detector.enable.next = true;
        self.enabled.next = true;
        self.detector.lossy.next = self.lossy;
        self.detector.purge.next = false;
        self.detector.hold.next = false;
        self.detector.ppcr.rows.next = self.rows;
        self.detector.ppcr.metric_events.next = self.metric_events;
        self.detector.ppcr.not_taken_as_backward.next = self.not_taken_as_backward;
        self.detector.ppcr.extension.next = self.extension;
        self.detector.ppcr.max_extension.next = self.max_extension;
        self.detector.ppcr.context_mask.next = 0.into();
        self.detector.ppcr.context_value.next = 0.into();
        self.event_select.next = self.selected_event;
    }
}
