//! Top circuit: RVFI ingress, Wishbone port.
//!
//! ```text
//!   rvfi_* ---> ingress ---> profiler ---> path_*
//!                               ^
//!   wb_* <----------------------+
//! ```

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::annotate::{comment, documented, sized};
use crate::constant::{mask, number};
use crate::profiler::Profiler;
use crate::rvfi::RvfiIngress;

/// The profiler `hpp`: RVFI ingress, Wishbone port.
#[derive(LogicBlock)]
pub struct RvfiWishbone {
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
    ingress: RvfiIngress,
    profiler: Profiler,
    align: Constant<Bits<8>>,
    pc_mask: Constant<Bits<64>>,
}

impl RvfiWishbone {
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
            ingress: RvfiIngress::new(geometry),
            profiler: Profiler::new(geometry, reset),
            align: number(geometry.align),
            pc_mask: mask(geometry.pc_bits),
        }
    }
}

impl Logic for RvfiWishbone {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("hpp: hardware path profiler, RVFI ingress, Wishbone port.");
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
        self.profiler.clk.next = self.clk.val();
        self.profiler.rst.next = self.rst.val();
        self.profiler.br_valid.next = self.ingress.br_valid.val();
        self.ingress.br_ready.next = self.profiler.br_ready.val();
        self.profiler.br_kind.next = self.ingress.br_kind.val();
        self.profiler.br_taken.next = self.ingress.br_taken.val();
        self.profiler.br_target.next =
            (self.ingress.br_target.val() & self.pc_mask.val()) >> self.align.val();
        self.profiler.br_events.next = self.ingress.br_events.val();
        self.ingress.event_select.next = self.profiler.event_select.val();

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
