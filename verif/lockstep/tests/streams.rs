//! Profilers without a bus, behind any ingress, in lockstep with the model: the paths on `path_*`, and when the core is asked to hold.

use hpp_gen::{Bus, Config};
use hpp_golden::profiler::ResetValues;
use hpp_lockstep::bus::{Accesses, BusPins, Protocol};
use hpp_lockstep::{Harness, Subject, epoch, first_seed, stress};
use std::num::NonZeroU32;
use verilated::Model;

const OF_A_HAZARD: u64 = 2000;
/// Lives of a stress run.
const LIVES: u64 = 200;

/// The master of no bus: every request is dropped.
#[derive(Default)]
struct NoBus;

impl Protocol for NoBus {
    const BUS: Bus = Bus::None;

    const PREFIX: &'static str = "no_bus_";

    const REGISTERED: &'static [&'static str] = &[];

    fn drive(&mut self, accesses: &mut Accesses, _pins: &mut BusPins, _model: &mut Model) {
        accesses.drop_all();
    }

    fn see(
        &mut self,
        _accesses: &mut Accesses,
        _pins: &BusPins,
        _model: &Model,
    ) -> Result<(), String> {
        Ok(())
    }
}

/// The subject of a label without its bus: what is left of its sizes, and its values after reset, with which it is enabled.
fn harness(subject: &Subject) -> Harness {
    let mut named = subject.named;
    named.geometry.drain_depth = 0;
    let config = Config {
        bus: Bus::None,
        reset: ResetValues {
            enable: false,
            counters: 0,
            ..subject.reset_values()
        },
        ..subject.front.config()
    };
    Harness::build(&named, &config).unwrap_or_else(|error| panic!("{subject}: {error:#}"))
}

fn live(label: &str, seed: u64) {
    let subject = Subject::find(label).expect("a label");
    let harness = harness(&subject);
    let bench = |power_up| {
        let power_up = NonZeroU32::MIN.saturating_add(power_up as u32);
        let harness = harness.clone().powered_up(power_up);
        harness.bench_on::<NoBus>().expect("it resets")
    };
    let place = |what: &str| format!("{what} of `{label}`, HPP_SEED={seed}");
    let mut hazards = bench(seed);
    epoch::hazards(&mut hazards, seed, OF_A_HAZARD)
        .unwrap_or_else(|(hazard, error)| panic!("{hazard:?}, {}: {error}", place("alone")));
    let (records, paths) = hazards.reference().compared();
    assert!(records > OF_A_HAZARD, "{label}: {records} records");
    assert!(paths > 100, "{label}: {paths} paths");
    let mut stressed = bench(seed + 1);
    stress::run(&mut stressed, seed, LIVES)
        .unwrap_or_else(|error| panic!("{}: {error}", place("stress")));
}

#[test]
fn a_profiler_without_a_bus_agrees_with_the_model() {
    let seed = first_seed("streams");
    for label in [
        "smallest",
        "odd~1",
        // Its stack holds the core; contexts are part of every start, and all are shown.
        "guarded",
        "guarded~2",
        "drained-guarded",
        // Nothing is looked up, in whatever order it would have been.
        "sequential-odd",
        "shadow+rvfi~3",
        "guarded+rvfi3",
        "rv64+retire:2~4",
        "guarded+trace~5",
    ] {
        live(label, seed);
    }
}
