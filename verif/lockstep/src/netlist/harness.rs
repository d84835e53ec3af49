//! A profiler's netlist on the bench.

use super::synthesis::synthesise;
use crate::Harness;
use crate::geometries::Named;
use crate::ingress::Front;
use anyhow::{Context, Result};
use hpp_fpga::device::Family;
use hpp_gen::Config;

/// Synthesises a geometry behind an ingress for a family of devices and builds the netlist.
///
/// # Errors
///
/// What generator, Yosys, Verilator or compiler say.
pub fn harness(named: &Named, front: Front, family: Family) -> Result<Harness> {
    let config = Config {
        geometry: named.geometry,
        ingress: front.ingress,
        ports: front.options,
        ..Config::default()
    };
    let output = hpp_gen::generate(&config)
        .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
    let netlist = synthesise(family, "hpp", output.verilog())
        .with_context(|| format!("cannot synthesise geometry `{}`", named.label()))?;
    Ok(Harness::of(named, netlist.builder())?.with_front(front))
}
