//! The emitted Verilog with RVFI ingress against the model: random retirements to classified records to paths.

mod rvfi_bench;

use hpp_gen::Ingress;
use hpp_golden::config::Geometry;
use hpp_verif::lockstep::Rig;
use hpp_verif::lockstep::geometries::{self, Named};
use std::sync::LazyLock;

const CYCLES: u64 = 200_000;

fn named(name: &str) -> Named {
    let found = geometries::all()
        .into_iter()
        .find(|named| named.name == name);
    found.expect("a test geometry")
}

fn rig(name: &str) -> Rig {
    let named = named(name);
    let compressed = Named {
        geometry: Geometry {
            align: 1,
            ..named.geometry
        },
        ..named
    };
    let rig = Rig::build_with(&compressed, Ingress::Rvfi, |builder| builder);
    rig.unwrap_or_else(|error| panic!("{error:#}"))
}

static RV32: LazyLock<Rig> = LazyLock::new(|| rig("default"));
static RV64: LazyLock<Rig> = LazyLock::new(|| rig("rv64"));
/// Its queue is soon full, and paths wait for their lookups.
static SERIAL: LazyLock<Rig> = LazyLock::new(|| rig("serial"));

#[test]
fn rv32_retirements_make_the_models_paths() {
    rvfi_bench::run(&RV32, CYCLES);
}

#[test]
fn rv64_retirements_make_the_models_paths() {
    rvfi_bench::run(&RV64, CYCLES);
}

#[test]
fn a_table_that_makes_the_core_wait_gets_the_models_paths() {
    rvfi_bench::run(&SERIAL, CYCLES);
}
