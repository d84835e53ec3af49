//! Properties of the emitted Verilog over short scenarios that proptest can shrink.
//!
//! A failure prints the shrunk scenario; proptest keeps its seed in `proptest-regressions`.

use hpp_golden::branch::BranchKind;
use hpp_golden::registers;
use hpp_lockstep::scenario::{Step, play};
use hpp_lockstep::{Harness, Protocol, Request};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The geometries in which every counter, stack and set is soon at its end.
static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    Harness::of_names(&[
        "smallest",
        "odd",
        "saturating",
        "associative",
        "guarded",
        "sequential",
    ])
});

fn record() -> impl Strategy<Value = Step> {
    let events = prop_oneof![4 => 0..4_u32, 1 => any::<u32>()];
    let target = prop_oneof![6 => 0..6_u64, 1 => any::<u64>()];
    let held = prop_oneof![3 => Just(true), 1 => Just(false)];
    (0..8_u8, any::<bool>(), target, events, held).prop_map(
        |(kind, taken, target, events, held)| Step::Record {
            held,
            kind: BranchKind::from_code(kind),
            taken,
            target,
            events,
        },
    )
}

/// Accesses of every register; half of them of those that steer the profiler.
fn request() -> impl Strategy<Value = Step> {
    let steering = [
        registers::CONTROL,
        registers::COMMAND,
        registers::PPCR_ROWS,
        registers::PPCR_MODE,
        registers::CONTEXT,
        registers::ERRORS,
        registers::TABLE_INDEX,
        registers::TABLE_DATA,
    ]
    .map(|register| register.offset / 4);
    let address = prop_oneof![prop::sample::select(steering.to_vec()), 0..32_u32];
    let value = prop_oneof![0..8_u32, any::<u32>()];
    let select = prop_oneof![3 => Just(0xf_u8), 1 => 0..16_u8];
    (address, prop::option::of(value), select).prop_map(|(address, write, select)| {
        Step::Request(Request {
            address,
            write,
            select,
        })
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        40 => record(),
        6 => request(),
        2 => (0..20_u8).prop_map(Step::Idle),
        2 => Just(Step::FinishBus),
        1 => Just(Step::Reset),
        1 => Just(Step::Check),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_scenario_agrees_with_the_model(
        harness in 0..HARNESSES.len(),
        classic in any::<bool>(),
        steps in vec(step(), 1..200),
    ) {
        let protocol = if classic { Protocol::Classic } else { Protocol::Pipelined };
        let mut bench = HARNESSES[harness].bench(protocol).expect("it resets");
        let outcome = play(&mut bench, &steps);
        prop_assert!(outcome.is_ok(), "{}", outcome.expect_err("just seen"));
    }
}
