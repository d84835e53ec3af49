//! Top circuit: native ingress port, Wishbone port.
//!
//! ```text
//!   br_* ---> profiler ---> path_*
//!                ^
//!   wb_* <-------+
//! ```

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::annotate::{comment, documented, sized};
use crate::constant::{mask, number};
use crate::profiler::Profiler;

/// The profiler `hpp`: native ingress, Wishbone port.
#[derive(LogicBlock)]
pub struct NativeWishbone {
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
    /// Wishbone: a bus cycle is in progress.
    pub wb_cyc_i: Signal<In, Bit>,
    /// Wishbone: an access is asked for.
    pub wb_stb_i: Signal<In, Bit>,
    /// Wishbone: the access is a write.
    pub wb_we_i: Signal<In, Bit>,
    /// Wishbone: word address.
    pub wb_adr_i: Signal<In, Bits<5>>,
    /// Wishbone: byte lanes to write.
    pub wb_sel_i: Signal<In, Bits<4>>,
    /// Wishbone: word to write.
    pub wb_dat_i: Signal<In, Bits<32>>,
    /// Wishbone: word read, while wb_ack_o is 1.
    pub wb_dat_o: Signal<Out, Bits<32>>,
    /// Wishbone: the access is over.
    pub wb_ack_o: Signal<Out, Bit>,
    /// Wishbone: no access is accepted in this cycle.
    pub wb_stall_o: Signal<Out, Bit>,
    /// Wishbone: always 0.
    pub wb_err_o: Signal<Out, Bit>,
    profiler: Profiler,
    align: Constant<Bits<8>>,
    pc_mask: Constant<Bits<64>>,
}

impl NativeWishbone {
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
            wb_cyc_i: documented(Signal::default(), "Wishbone: a bus cycle is in progress."),
            wb_stb_i: documented(Signal::default(), "Wishbone: an access is asked for."),
            wb_we_i: documented(Signal::default(), "Wishbone: the access is a write."),
            wb_adr_i: documented(Signal::default(), "Wishbone: word address."),
            wb_sel_i: documented(Signal::default(), "Wishbone: byte lanes to write."),
            wb_dat_i: documented(Signal::default(), "Wishbone: word to write."),
            wb_dat_o: documented(
                Signal::default(),
                "Wishbone: word read, while wb_ack_o is 1.",
            ),
            wb_ack_o: documented(Signal::default(), "Wishbone: the access is over."),
            wb_stall_o: documented(
                Signal::default(),
                "Wishbone: no access is accepted in this cycle.",
            ),
            wb_err_o: documented(Signal::default(), "Wishbone: always 0."),
            profiler: Profiler::new(geometry, reset),
            align: number(geometry.align),
            pc_mask: mask(geometry.pc_bits),
        }
    }
}

impl Logic for NativeWishbone {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("hpp: hardware path profiler, native ingress, Wishbone port.");
        self.profiler.clk.next = self.clk.val();
        self.profiler.rst.next = self.rst.val();
        self.profiler.br_valid.next = self.br_valid.val();
        self.br_ready.next = self.profiler.br_ready.val();
        self.profiler.br_kind.next = self.br_kind.val();
        self.profiler.br_taken.next = self.br_taken.val();
        self.profiler.br_target.next =
            (self.br_target.val() & self.pc_mask.val()) >> self.align.val();
        self.profiler.br_events.next = self.br_events.val();

        self.path_valid.next = self.profiler.path_valid.val();
        self.path_start.next = self.profiler.path_start.val() << self.align.val();
        self.path_length.next = self.profiler.path_length.val();
        self.path_outcomes.next = self.profiler.path_outcomes.val();
        self.path_count.next = self.profiler.path_count.val();
        self.event_select.next = self.profiler.event_select.val();

        self.profiler.wb_cyc_i.next = self.wb_cyc_i.val();
        self.profiler.wb_stb_i.next = self.wb_stb_i.val();
        self.profiler.wb_we_i.next = self.wb_we_i.val();
        self.profiler.wb_adr_i.next = self.wb_adr_i.val();
        self.profiler.wb_sel_i.next = self.wb_sel_i.val();
        self.profiler.wb_dat_i.next = self.wb_dat_i.val();
        self.wb_dat_o.next = self.profiler.wb_dat_o.val();
        self.wb_ack_o.next = self.profiler.wb_ack_o.val();
        self.wb_stall_o.next = self.profiler.wb_stall_o.val();
        self.wb_err_o.next = false;
    }
}
