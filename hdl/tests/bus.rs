//! What the bus promises, whatever retires: every access is acknowledged within a bound, and one that its master gave up
//! is forgotten.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers;
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::Simulator;
use hpp_hdl::top::native;

/// A profiler whose paths all lie in one of two sets, with a core that offers a record every so many cycles.
struct System {
    simulator: Simulator<native::OnWishbone>,
    period: u64,
}

impl System {
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
        let mut simulator = Simulator::new(native::OnWishbone::new(
            &geometry,
            &reset,
            &IngressOptions::default(),
        ));
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

    fn strobe(&mut self, offset: u32, write: Option<u32>) {
        self.simulator.set("wb_cyc_i", 1);
        self.simulator.set("wb_stb_i", 1);
        self.simulator.set("wb_adr_i", (offset / 4).into());
        self.simulator.set("wb_we_i", write.is_some().into());
        self.simulator.set("wb_sel_i", 0xf);
        self.simulator.set("wb_dat_i", write.unwrap_or(0).into());
    }

    fn release(&mut self) {
        self.simulator.set("wb_cyc_i", 0);
        self.simulator.set("wb_stb_i", 0);
    }

    /// An access of a classic master: cycles from the strobe to the acknowledgement, and the word read.
    fn access(&mut self, offset: u32, write: Option<u32>) -> (u64, u32) {
        self.strobe(offset, write);
        self.simulator.settle();
        let mut cycles = 0;
        while self.simulator.get("wb_ack_o") == 0 {
            assert!(cycles < 1000, "no acknowledge for offset {offset:#x}");
            self.tick();
            cycles += 1;
        }
        let data = self.simulator.get("wb_dat_o") as u32;
        self.tick();
        self.release();
        self.tick();
        (cycles, data)
    }
}

const LOOKUPS: [LookupScheme; 2] = [LookupScheme::Parallel, LookupScheme::Serial];

/// A read of `TABLE_DATA` began again whenever a path ahead changed its set, and never ended beside a tight loop.
#[test]
fn a_tight_loop_does_not_keep_the_table_from_being_read() {
    for lookup in LOOKUPS {
        for period in 1..=6 {
            let mut system = System::new(lookup, period);
            for entry in 0..6 {
                let (cycles, _) = system.access(registers::TABLE_INDEX.offset, Some(entry));
                assert!(cycles <= 17, "{cycles} cycles");
                for _ in 0..4 {
                    let (cycles, _) = system.access(registers::TABLE_DATA.offset, None);
                    assert!(
                        cycles <= 17,
                        "{cycles} cycles, {lookup:?}, a path every {period}"
                    );
                }
            }
        }
    }
}

/// An access went on after its master had given up, and the port was busy meanwhile.
#[test]
fn an_abandoned_access_leaves_the_port_free() {
    for lookup in LOOKUPS {
        let mut system = System::new(lookup, 1);
        for patience in 1..20 {
            system.access(registers::TABLE_INDEX.offset, Some(0));
            system.strobe(registers::TABLE_DATA.offset, None);
            for _ in 0..patience {
                system.tick();
            }
            system.release();
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
