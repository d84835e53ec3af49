//! The synthesised netlist in lockstep with the golden model.

use hpp_fpga::device::Family;
use hpp_gen::Ingress;
use hpp_verif::lockstep::geometries::Named;
use hpp_verif::lockstep::{Protocol, Rig, epoch};
use std::num::NonZeroU32;

/// Records of one epoch; two epochs and every hazard for each geometry.
const RECORDS: u64 = 20_000;

fn drive(label: &str, family: Family) {
    let named = Named::find(label).expect("a test geometry");
    let rig = Rig::build_netlist(&named, Ingress::Native, family)
        .unwrap_or_else(|error| panic!("{error:#}"));
    for seed in 0..2 {
        let power_up = NonZeroU32::MIN.saturating_add(seed);
        let rig = rig.clone().powered_up(power_up);
        let mut bench = rig
            .bench(Protocol::of_seed(seed.into()))
            .expect("it resets");
        epoch::run(&mut bench, seed.into(), RECORDS)
            .unwrap_or_else(|error| panic!("geometry `{label}`, {family:?}, seed {seed}: {error}"));
    }
    let mut bench = rig.bench(Protocol::Pipelined).expect("it resets");
    epoch::hazards(&mut bench, 0, 500).unwrap_or_else(|(hazard, error)| {
        panic!("geometry `{label}`, {family:?}, {hazard:?}: {error}")
    });
}

#[test]
fn the_default_profiler_on_ecp5_agrees_with_the_model() {
    drive("default", Family::Ecp5);
}

#[test]
fn the_default_profiler_on_ice40_agrees_with_the_model() {
    drive("default", Family::Ice40);
}
