//! What each bus promises, whatever retires: every access is answered within a bound, and on Wishbone one that its master gave
//! up is forgotten.

use super::masters::{Apb, Axi4Lite, Bus, Wishbone, access};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers;
use hpp_hdl::sim::{Ports, Simulator};

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

    fn tick(&mut self) {
        tick(&mut self.simulator, self.period);
    }

    /// An access: cycles until the answer, and the word read.
    fn access(&mut self, offset: u32, write: Option<u32>) -> (u64, u32) {
        let period = self.period;
        access::<B>(&mut self.simulator, (offset, write), |simulator| {
            tick(simulator, period);
        })
    }
}

/// A cycle; every `period` of them completes the same path, which begins and ends where it began.
fn tick<T: Ports>(simulator: &mut Simulator<T>, period: u64) {
    let now = simulator.cycle();
    simulator.set("br_valid", u64::from(now.is_multiple_of(period)));
    simulator.set("br_kind", BranchKind::Backward.code().into());
    simulator.set("br_taken", 1);
    simulator.set("br_target", 0x100);
    simulator.tick();
    simulator.settle();
}

const LOOKUPS: [LookupScheme; 2] = [LookupScheme::Parallel, LookupScheme::Sequential];

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
