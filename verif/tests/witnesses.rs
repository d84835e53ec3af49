//! Three witnesses: the emitted Verilog, the rust-hdl simulation and the golden model under the same stimulus.

use hpp_golden::config::Geometry;
use hpp_verif::lockstep::geometries::{self, Named};
use hpp_verif::lockstep::{Protocol, Rig, epoch};

/// Records of a geometry; the simulation of the circuits is some hundred times slower than Verilator.
const RECORDS: u64 = 2_000;

fn named(name: &str) -> Named {
    let all = geometries::all();
    *all.iter()
        .find(|named| named.name == name)
        .expect("a test geometry")
}

fn agree(named: &Named) {
    let name = named.name;
    let rig = Rig::build(named, |builder| builder).unwrap_or_else(|error| panic!("{error:#}"));
    for seed in [11, 12] {
        let mut bench = rig
            .bench_of_pair(Protocol::of_seed(seed))
            .expect("it resets");
        epoch::run(&mut bench, seed, RECORDS)
            .unwrap_or_else(|error| panic!("geometry `{name}`, seed {seed}: {error}"));
        let (records, paths) = bench.reference().compared();
        assert!(
            records > RECORDS / 2 && paths > 100,
            "{records} records, {paths} paths"
        );
    }
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
fn a_serial_profiler_of_odd_sizes() {
    agree(&named("serial-odd"));
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
