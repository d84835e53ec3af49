//! A profiler's netlist on the bench.

use super::synthesis::synthesise;
use anyhow::{Context, Result};
use hpp_fpga::device::Family;
use hpp_gen::{Config, Ingress};
use hpp_lockstep::Rig;
use hpp_lockstep::geometries::Named;

/// Synthesises a geometry for a family of devices and builds the netlist.
///
/// # Errors
///
/// What generator, Yosys, Verilator or compiler say.
pub fn rig(named: &Named, ingress: Ingress, family: Family) -> Result<Rig> {
    let config = Config {
        geometry: named.geometry,
        ingress,
        ..Config::default()
    };
    let output = hpp_gen::generate(&config)
        .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
    let netlist = synthesise(family, "hpp", output.verilog())
        .with_context(|| format!("cannot synthesise geometry `{}`", named.label()))?;
    Rig::of(named, netlist.builder())
}
