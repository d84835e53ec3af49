//! Three witnesses: the emitted Verilog, the rust-hdl simulation and the golden model under the same stimulus.

use hpp_golden::config::Geometry;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::{Harness, Protocol, epoch, first_seed};
use std::num::NonZeroU32;

/// Records of a geometry; the simulation of the circuits is some hundred times slower than Verilator.
const RECORDS: u64 = 2_000;

/// Paths that two runs compare at least. A lossy profiler of random sizes completes fewest.
const FEWEST_PATHS: u64 = 20;

fn named(name: &str) -> Named {
    Named::find(name).expect("a test geometry")
}

fn agree(named: &Named) {
    let name = named.name;
    let harness = Harness::build(named).unwrap_or_else(|error| panic!("{error:#}"));
    let first = first_seed("witnesses");
    let mut compared = (0, 0);
    for seed in first..first + 2 {
        let power_up = NonZeroU32::MIN.saturating_add(seed as u32);
        let mut bench = harness
            .clone()
            .powered_up(power_up)
            .bench_of_pair(Protocol::of_seed(seed))
            .expect("it resets");
        epoch::run(&mut bench, seed, RECORDS)
            .unwrap_or_else(|error| panic!("geometry `{name}`, HPP_SEED={seed}: {error}"));
        let (records, paths) = bench.reference().compared();
        compared = (compared.0 + records, compared.1 + paths);
    }
    let (records, paths) = compared;
    assert!(
        records > RECORDS && paths > FEWEST_PATHS,
        "geometry `{name}`, HPP_SEED={first}: {records} records, {paths} paths"
    );
}

#[test]
fn the_smallest_profiler() {
    agree(&named("smallest"));
}

#[test]
fn a_profiler_of_odd_sizes() {
    agree(&named("odd"));
}

#[test]
fn a_profiler_that_saturates() {
    agree(&named("saturating"));
}

#[test]
fn a_sequential_profiler_of_odd_sizes() {
    agree(&named("sequential-odd"));
}

#[test]
fn a_profiler_with_a_checked_stack_and_contexts() {
    agree(&named("guarded"));
}

#[test]
fn a_profiler_with_triggers() {
    agree(&named("triggered"));
}

#[test]
fn a_profiler_of_any_sizes() {
    // Small, for the same reason as the widest.
    let any = Named::random(first_seed("witnesses"));
    let geometry = Geometry {
        sets: any.geometry.sets.min(8),
        ways: any.geometry.ways.min(4),
        stack_depth: any.geometry.stack_depth.min(16),
        queue_depth: any.geometry.queue_depth.min(16),
        drain_depth: any.geometry.drain_depth.min(64),
        ..any.geometry
    };
    agree(&Named { geometry, ..any });
}

#[test]
fn the_widest_profiler() {
    // A small table, because reading a large one back takes most of the time.
    let widest = named("widest");
    agree(&Named {
        geometry: Geometry {
            sets: 2,
            ways: 3,
            ..widest.geometry
        },
        ..widest
    });
}
