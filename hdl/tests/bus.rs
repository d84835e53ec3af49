//! What each bus promises, whatever retires: every access is answered within a bound, and on Wishbone one that its master gave
//! up is forgotten.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers;
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::{Ports, Simulator};
use hpp_hdl::top::native;

/// A bus, and how a master makes an access on it.
trait Bus: Sized {
    type Top: Ports;
    /// Cycles from the first of an access to the one with the answer, of a register that waits for nothing.
    const SHORTEST: u64;
    /// The same at most, with a table as small as that of [`System`].
    const LONGEST: u64;

    fn top(geometry: &Geometry, reset: &ResetValues) -> Self::Top;
    fn ask(simulator: &mut Simulator<Self::Top>, offset: u32, write: Option<u32>);
    /// What is read, in the cycle of the answer.
    fn answer(simulator: &Simulator<Self::Top>) -> Option<u32>;
    /// A cycle of an access, and what the master changes behind it.
    fn follow(system: &mut System<Self>);
    fn release(simulator: &mut Simulator<Self::Top>);
}

/// A classic master on Wishbone.
struct Wishbone;

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

    fn follow(system: &mut System<Self>) {
        system.tick();
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        simulator.set("wb_cyc_i", 0);
        simulator.set("wb_stb_i", 0);
    }
}

/// A master on AXI4-Lite that takes every answer at once.
struct Axi4Lite;

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

    fn follow(system: &mut System<Self>) {
        let channels = [
            ("awready", "awvalid"),
            ("wready", "wvalid"),
            ("arready", "arvalid"),
        ];
        let taken = channels.map(|(ready, _)| system.simulator.get(&format!("s_axi_{ready}")));
        system.tick();
        for ((_, valid), taken) in channels.into_iter().zip(taken) {
            if taken == 1 {
                system.simulator.set(&format!("s_axi_{valid}"), 0);
            }
        }
        system.simulator.settle();
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        for valid in ["awvalid", "wvalid", "arvalid"] {
            simulator.set(&format!("s_axi_{valid}"), 0);
        }
    }
}

/// A master on APB.
struct Apb;

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

    fn follow(system: &mut System<Self>) {
        system.tick();
        system.simulator.set("s_apb_penable", 1);
        system.simulator.settle();
    }

    fn release(simulator: &mut Simulator<Self::Top>) {
        simulator.set("s_apb_psel", 0);
        simulator.set("s_apb_penable", 0);
    }
}

/// A profiler whose paths all lie in one of two sets, with a core that offers a record every so many cycles.
struct System<B: Bus> {
    simulator: Simulator<B::Top>,
    period: u64,
}

impl<B: Bus> System<B> {
    /// Enabled since reset; the walk that empties the table is over.
    fn new(lookup: LookupScheme, period: u64) -> Self {
        let geometry = Geometry {
            sets: 2,
            ways: 3,
            max_branches: 8,
            queue_depth: 4,
            lookup,
            ..Geometry::default()
        };
        let reset = ResetValues {
            enable: true,
            ..ResetValues::default()
        };
        let mut simulator = Simulator::new(B::top(&geometry, &reset));
        simulator.reset();
        let mut system = Self { simulator, period };
        (0..40).for_each(|_| system.tick());
        system
    }

    /// A cycle; every `period` of them completes the same path, which begins and ends where it began.
    fn tick(&mut self) {
        let now = self.simulator.cycle();
        let kind = BranchKind::Backward.code();
        self.simulator
            .set("br_valid", u64::from(now.is_multiple_of(self.period)));
        self.simulator.set("br_kind", kind.into());
        self.simulator.set("br_taken", 1);
        self.simulator.set("br_target", 0x100);
        self.simulator.tick();
        self.simulator.settle();
    }

    /// An access: cycles until the answer, and the word read.
    fn access(&mut self, offset: u32, write: Option<u32>) -> (u64, u32) {
        B::ask(&mut self.simulator, offset, write);
        self.simulator.settle();
        let mut cycles = 0;
        loop {
            if let Some(word) = B::answer(&self.simulator) {
                self.tick();
                B::release(&mut self.simulator);
                self.tick();
                return (cycles, word);
            }
            assert!(cycles < 1000, "no answer for offset {offset:#x}");
            B::follow(self);
            cycles += 1;
        }
    }
}

const LOOKUPS: [LookupScheme; 2] = [LookupScheme::Parallel, LookupScheme::Serial];

fn reads_beside_a_tight_loop<B: Bus>() {
    for lookup in LOOKUPS {
        for period in 1..=6 {
            let mut system = System::<B>::new(lookup, period);
            let place = || format!("{lookup:?}, a path every {period}");
            for entry in 0..6 {
                let (cycles, _) = system.access(registers::TABLE_INDEX.offset, Some(entry));
                assert!(cycles <= B::LONGEST, "{cycles} cycles, {}", place());
                for _ in 0..4 {
                    let (cycles, _) = system.access(registers::TABLE_DATA.offset, None);
                    assert!(cycles <= B::LONGEST, "{cycles} cycles, {}", place());
                }
            }
        }
    }
}

/// A read of `TABLE_DATA` began again whenever a path ahead changed its set, and never ended beside a tight loop.
#[test]
fn a_tight_loop_does_not_keep_the_table_from_being_read() {
    reads_beside_a_tight_loop::<Wishbone>();
    reads_beside_a_tight_loop::<Axi4Lite>();
    reads_beside_a_tight_loop::<Apb>();
}

fn registers_hold_what_was_written<B: Bus>() {
    let mut system = System::<B>::new(LookupScheme::Parallel, 3);
    let rows = registers::PPCR_ROWS.offset;
    for word in [0x0246_8ace, 0xca86_4202, 0] {
        assert_eq!(system.access(rows, Some(word)).0, B::SHORTEST);
        assert_eq!(system.access(rows, None), (B::SHORTEST, word));
        let id = system.access(registers::ID_REGISTER.offset, None);
        assert_eq!(id, (B::SHORTEST, registers::ID));
    }
}

#[test]
fn a_register_is_written_and_read_in_the_fewest_cycles() {
    registers_hold_what_was_written::<Wishbone>();
    registers_hold_what_was_written::<Axi4Lite>();
    registers_hold_what_was_written::<Apb>();
}

/// An access went on after its master had given up, and the port was busy meanwhile.
#[test]
fn an_abandoned_access_leaves_the_port_free() {
    for lookup in LOOKUPS {
        let mut system = System::<Wishbone>::new(lookup, 1);
        for patience in 1..20 {
            system.access(registers::TABLE_INDEX.offset, Some(0));
            Wishbone::ask(&mut system.simulator, registers::TABLE_DATA.offset, None);
            for _ in 0..patience {
                system.tick();
            }
            Wishbone::release(&mut system.simulator);
            system.tick();
            assert_eq!(
                system.simulator.get("wb_stall_o"),
                0,
                "after {patience} cycles"
            );
            assert_eq!(system.simulator.get("wb_ack_o"), 0);
            let (_, word) = system.access(registers::ID_REGISTER.offset, None);
            assert_eq!(word, registers::ID);
        }
    }
}
