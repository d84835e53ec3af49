//! Top circuit: RVFI ingress, no bus; the stream of completed paths is the output.
//!
//! ```text
//!   rvfi_* ---> ingress ---> detector ---> path_*
//! ```

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::annotate::{comment, documented, sized};
use hpp_golden::profiler::{BackwardNotTaken, Metric};
use hpp_golden::registers::ppcr_mode;

use crate::constant::{mask, number};
use crate::detector::Detector;
use crate::rvfi::RvfiIngress;

/// The profiler `hpp`: RVFI ingress, stream of paths only.
#[derive(LogicBlock)]
pub struct RvfiStream {
    /// Clock; everything happens at its rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high; hold it for at least one cycle.
    pub rst: Signal<In, Bit>,
    /// An instruction retires.
    pub rvfi_valid: Signal<In, Bit>,
    /// Its encoding; a compressed instruction in the low half.
    pub rvfi_insn: Signal<In, Bits<32>>,
    /// It traps and does not complete.
    pub rvfi_trap: Signal<In, Bit>,
    /// It is the first of a trap handler.
    pub rvfi_intr: Signal<In, Bit>,
    /// Its address.
    pub rvfi_pc_rdata: Signal<In, Bits<64>>,
    /// Address of the next instruction that retires.
    pub rvfi_pc_wdata: Signal<In, Bits<64>>,
    /// External events of this cycle, counted when event_select is 2 or above.
    pub event_in: Signal<In, Bits<32>>,
    /// The core must not retire an instruction in this cycle.
    pub rvfi_stall: Signal<Out, Bit>,
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
    ingress: RvfiIngress,
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

impl RvfiStream {
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
            rvfi_valid: documented(Signal::default(), "An instruction retires."),
            rvfi_insn: documented(
                Signal::default(),
                "Its encoding; a compressed instruction in the low half.",
            ),
            rvfi_trap: documented(Signal::default(), "It traps and does not complete."),
            rvfi_intr: documented(Signal::default(), "It is the first of a trap handler."),
            rvfi_pc_rdata: documented(sized(geometry.pc_bits), "Its address."),
            rvfi_pc_wdata: documented(
                sized(geometry.pc_bits),
                "Address of the next instruction that retires.",
            ),
            event_in: documented(
                sized(geometry.event_bits),
                "External events of this cycle, counted when event_select is 2 or above.",
            ),
            rvfi_stall: documented(
                Signal::default(),
                "The core must not retire an instruction in this cycle.",
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
            ingress: RvfiIngress::new(geometry),
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

impl Logic for RvfiStream {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("hpp: hardware path profiler, RVFI ingress, stream of paths only.");
        self.ingress.clk.next = self.clk.val();
        self.ingress.rst.next = self.rst.val();
        self.ingress.rvfi_valid.next = self.rvfi_valid.val();
        self.ingress.rvfi_insn.next = self.rvfi_insn.val();
        self.ingress.rvfi_trap.next = self.rvfi_trap.val();
        self.ingress.rvfi_intr.next = self.rvfi_intr.val();
        self.ingress.rvfi_pc_rdata.next = self.rvfi_pc_rdata.val();
        self.ingress.rvfi_pc_wdata.next = self.rvfi_pc_wdata.val();
        self.ingress.event_in.next = self.event_in.val();
        self.rvfi_stall.next = self.ingress.rvfi_stall.val();
        self.detector.clk.next = self.clk.val();
        self.detector.rst.next = self.rst.val();
        self.detector.br_valid.next = self.ingress.br_valid.val();
        self.ingress.br_ready.next = self.detector.br_ready.val();
        self.detector.br_kind.next = self.ingress.br_kind.val();
        self.detector.br_taken.next = self.ingress.br_taken.val();
        self.detector.br_target.next =
            (self.ingress.br_target.val() & self.pc_mask.val()) >> self.align.val();
        self.detector.br_events.next = self.ingress.br_events.val();
        self.ingress.event_select.next = self.selected_event.val();

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
