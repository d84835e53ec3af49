//! Top circuit: native ingress port, no bus; the stream of completed paths is the output.
//!
//! ```text
//!   br_* ---> detector ---> path_*
//! ```

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::annotate::{comment, documented, sized};
use hpp_golden::profiler::{BackwardNotTaken, Metric};
use hpp_golden::registers::ppcr_mode;

use crate::constant::{mask, number};
use crate::detector::Detector;

/// The profiler `hpp`: native ingress, stream of paths only.
#[derive(LogicBlock)]
pub struct NativeStream {
    /// Clock; everything happens at its rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high; hold it for at least one cycle.
    pub rst: Signal<In, Bit>,
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
    /// Address of the instruction after the branch in program order; not used by this profiler.
    pub br_next: Signal<In, Bits<64>>,
    /// Events of the selected type since the previous record.
    pub br_events: Signal<In, Bits<32>>,
    /// A path is complete.
    pub path_valid: Signal<Out, Bit>,
    /// Address of its first instruction.
    pub path_start: Signal<Out, Bits<64>>,
    /// Branches recorded along it.
    pub path_length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    pub path_outcomes: Signal<Out, Bits<64>>,
    /// What it adds to its accumulator.
    pub path_count: Signal<Out, Bits<32>>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    detector: Detector,
    rows: Constant<Bits<32>>,
    metric_events: Constant<Bit>,
    not_taken_as_backward: Constant<Bit>,
    extension: Constant<Bits<2>>,
    max_extension: Constant<Bits<8>>,
    selected_event: Constant<Bits<4>>,
    lossy: Constant<Bit>,
    align: Constant<Bits<8>>,
    pc_mask: Constant<Bits<64>>,
}

impl NativeStream {
    /// A profiler of this geometry; `reset` is what its control fields hold after reset.
    #[must_use]
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        Self {
            clk: documented(
                Signal::default(),
                "Clock; everything happens at its rising edge.",
            ),
            rst: documented(
                Signal::default(),
                "Synchronous reset, active high; hold it for at least one cycle.",
            ),
            br_valid: documented(Signal::default(), "A branch record is offered."),
            br_ready: documented(
                Signal::default(),
                "The record is taken in this cycle; 0 asks the core to hold retirement.",
            ),
            br_kind: documented(
                Signal::default(),
                "0 forward, 1 backward, 2 indirect, 3 call, 4 return, 5 indirect call, 6 trap, 7 trap return.",
            ),
            br_taken: documented(
                Signal::default(),
                "Outcome of a conditional branch; 1 for every other kind.",
            ),
            br_target: documented(
                sized(geometry.pc_bits),
                "Address of the next instruction that retires.",
            ),
            br_next: documented(
                sized(geometry.pc_bits),
                "Address of the instruction after the branch in program order; not used by this profiler.",
            ),
            br_events: documented(
                sized(geometry.event_bits),
                "Events of the selected type since the previous record.",
            ),
            path_valid: documented(Signal::default(), "A path is complete."),
            path_start: documented(sized(geometry.pc_bits), "Address of its first instruction."),
            path_length: documented(sized(geometry.length_bits()), "Branches recorded along it."),
            path_outcomes: documented(
                sized(geometry.max_branches),
                "Their outcomes, the first in bit 0.",
            ),
            path_count: documented(
                sized(geometry.event_counter_bits),
                "What it adds to its accumulator.",
            ),
            event_select: documented(
                Signal::default(),
                "Event type to count: 0 cycles, 1 instructions, 2 and above external.",
            ),
            detector: Detector::new(geometry),
            rows: number(reset.rows.to_word()),
            metric_events: Constant::new(reset.metric == Metric::Events),
            not_taken_as_backward: Constant::new(
                reset.backward_not_taken == BackwardNotTaken::AsBackward,
            ),
            extension: number(ppcr_mode::EXTENSION.get(reset.ppcr().mode_word())),
            max_extension: number(reset.max_extension.into()),
            selected_event: number(reset.event_select.into()),
            lossy: Constant::new(reset.lossy),
            align: number(geometry.align),
            pc_mask: mask(geometry.pc_bits),
        }
    }
}

impl Logic for NativeStream {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("hpp: hardware path profiler, native ingress, stream of paths only.");
        self.detector.clk.next = self.clk.val();
        self.detector.rst.next = self.rst.val();
        self.detector.br_valid.next = self.br_valid.val();
        self.br_ready.next = self.detector.br_ready.val();
        self.detector.br_kind.next = self.br_kind.val();
        self.detector.br_taken.next = self.br_taken.val();
        self.detector.br_target.next =
            (self.br_target.val() & self.pc_mask.val()) >> self.align.val();
        self.detector.br_events.next = self.br_events.val();

        // Nobody can write the control registers: they are constants, and the profiler is enabled.
        self.detector.enable.next = true;
        self.detector.lossy.next = self.lossy.val();
        self.detector.purge.next = false;
        self.detector.hold.next = false;
        self.detector.rows.next = self.rows.val();
        self.detector.metric_events.next = self.metric_events.val();
        self.detector.not_taken_as_backward.next = self.not_taken_as_backward.val();
        self.detector.extension.next = self.extension.val();
        self.detector.max_extension.next = self.max_extension.val();
        self.event_select.next = self.selected_event.val();

        self.path_valid.next = self.detector.path_valid.val();
        self.path_start.next = self.detector.path_start.val() << self.align.val();
        self.path_length.next = self.detector.path_length.val();
        self.path_outcomes.next = self.detector.path_outcomes.val();
        self.path_count.next = self.detector.path_count.val();
    }
}
