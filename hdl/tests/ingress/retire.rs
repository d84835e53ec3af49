//! A core's last stage.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::RetireIngress;
use hpp_hdl::sim::Simulator;
use hpp_ingress::{LastStage, Offer, Retire, Row};
use proptest::prelude::*;

use crate::bench::{Bench, Cycle, Ingress, Manner, check, xlen};
use crate::strategies::{
    FORWARD, JUMP, MRET, NOP, cycles, events, geometry, insn, manner, near_zero,
};

impl Ingress for Retire {
    type Circuit = RetireIngress;
    type Shown = LastStage;
    const RESERVE: usize = 2;
    const STAGES: usize = 1;
    const STALL: &'static str = "retire_stall";

    fn new(geometry: &Geometry, options: &IngressOptions) -> (RetireIngress, Self) {
        let model = Self::new(xlen(geometry), geometry.event_bits).with_geometry(geometry);
        (RetireIngress::new(geometry, options), model)
    }

    fn drive(simulator: &mut Simulator<RetireIngress>, shown: Option<&LastStage>) {
        let stage = shown.copied().unwrap_or_default();
        simulator.set("retire_valid", shown.is_some().into());
        simulator.set("retire_trap", stage.trap.into());
        simulator.set("retire_expanded", stage.expanded.into());
        simulator.set("retire_insn", stage.insn.into());
        simulator.set("retire_pc", stage.pc);
        simulator.set("retire_context", stage.context.into());
    }

    fn cut(shown: LastStage, mask: u64) -> LastStage {
        LastStage {
            pc: shown.pc & mask,
            ..shown
        }
    }

    fn instructions(shown: &LastStage) -> u32 {
        u32::from(!shown.trap)
    }

    fn step(&mut self, shown: Option<&LastStage>, events: u32) -> Row {
        let Some(stage) = shown else {
            self.idle(events);
            return Row::default();
        };
        let record = Self::step(self, stage, events);
        Row {
            offers: record.into_iter().map(Offer::new).collect(),
            lost: false,
        }
    }
}

fn stage() -> impl Strategy<Value = LastStage> {
    (insn(), near_zero(), 0u8..8, any::<bool>()).prop_map(|(insn, pc, trap, expanded)| LastStage {
        pc,
        insn,
        expanded,
        trap: trap == 0,
        context: insn as u8,
    })
}

fn shown(pc: u64, insn: u32, trap: bool) -> Cycle<LastStage> {
    Cycle::of(LastStage {
        pc,
        insn,
        trap,
        ..LastStage::default()
    })
}

/// The order that a handler's entry has to have, with a vector's jump.
#[test]
fn a_trap_between_a_branch_and_its_target_hides_nothing() {
    let mut bench = Bench::<Retire>::new(&Geometry::default(), 1, 1);
    let cycles = [
        shown(8, FORWARD, false),
        shown(16, 0, true),
        shown(0x2000, JUMP, false),
        shown(0x2010, MRET, false),
        shown(16, NOP, false),
    ];
    bench.run(&cycles, Manner::Deaf);
    let expected = [
        (BranchKind::Forward, 16),
        (BranchKind::Trap, 0x2000),
        (BranchKind::Forward, 0x2010),
        (BranchKind::TrapReturn, 16),
    ];
    assert_eq!((bench.targets().as_slice(), bench.lost), (&expected[..], 0));
}

/// A record leaves in every cycle, so a core that cannot wait need not.
#[test]
fn nothing_is_lost_while_the_queue_is_ready() {
    let all = vec![shown(0x2000, JUMP, false); 50];
    assert_eq!(
        check::<Retire>(&Geometry::default(), (1, 1), &all, Manner::Deaf),
        0
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_are_those_of_the_model(
        geometry in geometry(),
        events in events(),
        manner in manner(),
        cycles in cycles(stage()),
    ) {
        let lost = check::<Retire>(&geometry, events, &cycles, manner);
        prop_assert!(manner == Manner::Deaf || lost == 0);
    }
}
