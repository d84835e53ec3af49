//! The synthesised netlist in lockstep with the golden model; a damaged one is found.

use hpp_fpga::device::Family;
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_lockstep::geometries::{self, Named};
use hpp_lockstep::netlist::{self, synthesise};
use hpp_lockstep::{Harness, Protocol, Subject, epoch, tiny};
use std::num::NonZeroU32;
use verilated::Builder;
use verilated::tools::cache;

/// Records of one epoch; two epochs and every hazard for each geometry.
const RECORDS: u64 = 20_000;

fn drive(label: &str, family: Family) {
    let Subject { named, front, .. } = Subject::find(label).expect("a label");
    let harness =
        netlist::harness(&named, front, family).unwrap_or_else(|error| panic!("{error:#}"));
    for seed in 0..2 {
        let power_up = NonZeroU32::MIN.saturating_add(seed);
        let harness = harness.clone().powered_up(power_up);
        let mut bench = harness
            .bench(Protocol::of_seed(seed.into()))
            .expect("it resets");
        epoch::run(&mut bench, seed.into(), RECORDS)
            .unwrap_or_else(|error| panic!("geometry `{label}`, {family:?}, seed {seed}: {error}"));
    }
    let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
    epoch::hazards(&mut bench, 0, 500).unwrap_or_else(|(hazard, error)| {
        panic!("geometry `{label}`, {family:?}, {hazard:?}: {error}")
    });
    cache::tell(&format!("synthesis of `{label}` for {family:?}"));
}

verilated::tests! {
    the_default_profiler_on_ecp5_agrees_with_the_model: drive("default", Family::Ecp5);
    the_default_profiler_on_ice40_agrees_with_the_model: drive("default", Family::Ice40);
    the_default_profiler_on_gowin_agrees_with_the_model: drive("default", Family::Gowin);
    a_profiler_with_parallel_lookup_on_gowin_agrees_with_the_model: drive("parallel", Family::Gowin);
    a_table_with_shadows_on_ecp5_agrees_with_the_model: drive("shadow", Family::Ecp5);
    a_table_by_predicted_re_reference_on_ecp5_agrees_with_the_model: drive("rrip", Family::Ecp5);
    a_profiler_with_a_drain_on_ice40_agrees_with_the_model: drive("drained", Family::Ice40);
    a_profiler_with_rvfi_on_ecp5_agrees_with_the_model: drive("rv64+rvfi", Family::Ecp5);
}

/// Minutes a netlist, for `make netlist`. A netlist of 65,536 entries tells no more than the others.
#[test]
#[ignore = "hours; `make netlist` runs it"]
fn every_geometry_on_every_family_agrees_with_the_model() {
    for named in geometries::all() {
        for family in [Family::Ice40, Family::Ecp5, Family::Gowin] {
            if named.name != "largest" {
                drive(named.name, family);
            }
        }
    }
    drive_tiny(Family::Ecp5);
}

/// A tiny profiler, whose microprogram and constants are contents of block RAMs at power-up.
fn drive_tiny(family: Family) {
    let geometry = Geometry::tiny();
    let output = hpp_gen::generate(&tiny::config(&geometry)).expect("a legal configuration");
    let netlist =
        synthesise(family, "hpp", output.verilog()).unwrap_or_else(|error| panic!("{error:#}"));
    let design = netlist.builder().build().expect("it can be built");
    for (seed, holds) in [(0, true), (1, false)] {
        let power_up = NonZeroU32::MIN.saturating_add(seed);
        let device = tiny::Verilated::powered_up(&design, power_up).expect("it starts");
        let manner = tiny::Manner {
            holds,
            pace: 255,
            accesses: 20,
        };
        tiny::each(device, geometry, seed.into(), manner, RECORDS as u32);
    }
    cache::tell(&format!("synthesis of a tiny profiler for {family:?}"));
}

#[test]
fn a_tiny_profiler_on_ice40_agrees_with_the_model() {
    drive_tiny(Family::Ice40);
}

/// The netlist with the function of one look-up table inverted: the first after a place, given as a fraction of the text.
fn inverted(netlist: &str, (part, whole): (usize, usize)) -> String {
    const TABLE: &str = ".LUT_INIT(16'h";
    let from = netlist.len() / whole * part;
    let digits = from + netlist[from..].find(TABLE).expect("a look-up table") + TABLE.len();
    let table = u16::from_str_radix(&netlist[digits..digits + 4], 16).expect("four digits");
    let (before, after) = (&netlist[..digits], &netlist[digits + 4..]);
    format!("{before}{:04x}{after}", !table)
}

#[test]
fn an_inverted_look_up_table_is_found() {
    let named = Named::find("smallest").expect("a test geometry");
    let config = Config {
        geometry: named.geometry,
        ..Config::default()
    };
    let output = hpp_gen::generate(&config).expect("a legal geometry");
    let netlist = synthesise(Family::Ice40, "hpp", output.verilog())
        .unwrap_or_else(|error| panic!("{error:#}"));
    let is_found = |place| {
        let damaged = inverted(netlist.text(), place);
        let builder = Builder::new("hpp").source_text("netlist.v", damaged);
        let harness = Harness::of(&named, netlist.cells().add_to(builder).optimisation(0))
            .unwrap_or_else(|error| panic!("{error:#}"));
        match harness.bench(Protocol::Pipelined) {
            Ok(mut bench) => epoch::run(&mut bench, 0, RECORDS).is_err(),
            Err(_) => true,
        }
    };
    // A table that compares two numbers shows only when they meet, which is for other tests.
    let places = [(1, 5), (2, 5), (3, 5), (4, 5)];
    let found = places.map(is_found);
    assert!(
        found.iter().filter(|&&found| found).count() >= 3,
        "look-up tables inverted at {places:?}: {found:?}"
    );
    cache::tell("synthesis of `smallest`");
}
