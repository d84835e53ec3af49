//! The masters of the buses: how an access is made on each.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::{Ports, Simulator};
use hpp_hdl::top::native;

/// A bus, and how a master makes an access on it.
pub trait Bus: Sized {
    /// The profiler on it.
    type Top: Ports;
    /// Cycles from the first of an access to the one with the answer, of a register that waits for nothing.
    const SHORTEST: u64;
    /// The same at most, with a table as small as that of two sets of three ways.
    const LONGEST: u64;

    /// That profiler, with the native ingress.
    fn top(geometry: &Geometry, reset: &ResetValues) -> Self::Top;
    /// An access begins.
    fn ask(simulator: &mut Simulator<Self::Top>, offset: u32, write: Option<u32>);
    /// What is read, in the cycle of the answer.
    fn answer(simulator: &Simulator<Self::Top>) -> Option<u32>;
    /// What the master changes behind a cycle of an access, which `tick` clocks.
    fn follow(simulator: &mut Simulator<Self::Top>, tick: impl FnMut(&mut Simulator<Self::Top>));
    /// The answer was seen.
    fn release(simulator: &mut Simulator<Self::Top>);
}

/// A classic master on Wishbone.
pub struct Wishbone;

impl Bus for Wishbone {
    type Top = native::OnWishbone;
    const SHORTEST: u64 = 2;
    const LONGEST: u64 = 17;

    fn top(geometry: &Geometry, reset: &ResetValues) -> Self::Top {
        native::OnWishbone::new(geometry, reset, &IngressOptions::default())
    }

    fn ask(simulator: &mut Simulator<Self::Top>, offset: u32, write: Option<u32>) {
        simulator.set("wb_cyc_i", 1);
        simulator.set("wb_stb_i", 1);
        simulator.set("wb_adr_i", (offset / 4).into());
        simulator.set("wb_we_i", write.is_some().into());
        simulator.set("wb_sel_i", 0xf);
        simulator.set("wb_dat_i", write.unwrap_or(0).into());
    }

    fn answer(simulator: &Simulator<Self::Top>) -> Option<u32> {
        (simulator.get("wb_ack_o") == 1).then(|| simulator.get("wb_dat_o") as u32)
    }

    fn follow(
        simulator: &mut Simulator<Self::Top>,
        mut tick: impl FnMut(&mut Simulator<Self::Top>),
    ) {
        tick(simulator);
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        simulator.set("wb_cyc_i", 0);
        simulator.set("wb_stb_i", 0);
    }
}

/// A master on AXI4-Lite that takes every answer at once.
pub struct Axi4Lite;

impl Bus for Axi4Lite {
    type Top = native::OnAxi4Lite;
    const SHORTEST: u64 = 3;
    const LONGEST: u64 = 18;

    fn top(geometry: &Geometry, reset: &ResetValues) -> Self::Top {
        native::OnAxi4Lite::new(geometry, reset, &IngressOptions::default())
    }

    fn ask(simulator: &mut Simulator<Self::Top>, offset: u32, write: Option<u32>) {
        for (name, value) in [
            ("awvalid", write.is_some().into()),
            ("wvalid", write.is_some().into()),
            ("arvalid", write.is_none().into()),
            ("awaddr", offset.into()),
            ("araddr", offset.into()),
            ("wdata", write.unwrap_or(0).into()),
            ("wstrb", 0xf),
            ("bready", 1),
            ("rready", 1),
        ] {
            simulator.set(&format!("s_axi_{name}"), value);
        }
    }

    fn answer(simulator: &Simulator<Self::Top>) -> Option<u32> {
        let answered = simulator.get("s_axi_bvalid") + simulator.get("s_axi_rvalid");
        (answered == 1).then(|| simulator.get("s_axi_rdata") as u32)
    }

    fn follow(
        simulator: &mut Simulator<Self::Top>,
        mut tick: impl FnMut(&mut Simulator<Self::Top>),
    ) {
        let channels = [
            ("awready", "awvalid"),
            ("wready", "wvalid"),
            ("arready", "arvalid"),
        ];
        let taken = channels.map(|(ready, _)| simulator.get(&format!("s_axi_{ready}")));
        tick(simulator);
        for ((_, valid), taken) in channels.into_iter().zip(taken) {
            if taken == 1 {
                simulator.set(&format!("s_axi_{valid}"), 0);
            }
        }
        simulator.settle();
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        for valid in ["awvalid", "wvalid", "arvalid"] {
            simulator.set(&format!("s_axi_{valid}"), 0);
        }
    }
}

/// A master on APB.
pub struct Apb;

impl Bus for Apb {
    type Top = native::OnApb;
    const SHORTEST: u64 = 1;
    const LONGEST: u64 = 16;

    fn top(geometry: &Geometry, reset: &ResetValues) -> Self::Top {
        native::OnApb::new(geometry, reset, &IngressOptions::default())
    }

    fn ask(simulator: &mut Simulator<Self::Top>, offset: u32, write: Option<u32>) {
        simulator.set("s_apb_psel", 1);
        simulator.set("s_apb_penable", 0);
        simulator.set("s_apb_paddr", offset.into());
        simulator.set("s_apb_pwrite", write.is_some().into());
        simulator.set("s_apb_pstrb", 0xf);
        simulator.set("s_apb_pwdata", write.unwrap_or(0).into());
    }

    fn answer(simulator: &Simulator<Self::Top>) -> Option<u32> {
        (simulator.get("s_apb_pready") == 1).then(|| simulator.get("s_apb_prdata") as u32)
    }

    fn follow(
        simulator: &mut Simulator<Self::Top>,
        mut tick: impl FnMut(&mut Simulator<Self::Top>),
    ) {
        tick(simulator);
        simulator.set("s_apb_penable", 1);
        simulator.settle();
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        simulator.set("s_apb_psel", 0);
        simulator.set("s_apb_penable", 0);
    }
}

/// An access, each of whose cycles `tick` clocks: cycles until the answer, and the word read.
pub fn access<B: Bus>(
    simulator: &mut Simulator<B::Top>,
    (offset, write): (u32, Option<u32>),
    mut tick: impl FnMut(&mut Simulator<B::Top>),
) -> (u64, u32) {
    B::ask(simulator, offset, write);
    simulator.settle();
    let mut cycles = 0;
    loop {
        if let Some(word) = B::answer(simulator) {
            tick(simulator);
            B::release(simulator);
            tick(simulator);
            return (cycles, word);
        }
        assert!(cycles < 1000, "no answer for offset {offset:#x}");
        B::follow(simulator, &mut tick);
        cycles += 1;
    }
}
