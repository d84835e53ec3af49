//! The emitted Verilog with RVFI ingress against the model: random retirements to classified records to paths.

mod rvfi_bench;

use hpp_gen::Ingress;
use hpp_golden::config::Geometry;
use hpp_verif::lockstep::Rig;
use hpp_verif::lockstep::geometries::{self, Named};

const CYCLES: u64 = 200_000;

fn run(named: &Named) {
    let rig = Rig::build_with(named, Ingress::Rvfi, |builder| builder);
    rvfi_bench::run(&rig.unwrap_or_else(|error| panic!("{error:#}")), CYCLES);
}

fn named(name: &str) -> Named {
    geometries::all()
        .into_iter()
        .find(|named| named.name == name)
        .expect("a test geometry")
}

#[test]
fn rv32_retirements_make_the_models_paths() {
    run(&Named {
        geometry: Geometry {
            align: 1,
            ..named("default").geometry
        },
        ..named("default")
    });
}

#[test]
fn rv64_retirements_make_the_models_paths() {
    run(&named("rv64"));
}
