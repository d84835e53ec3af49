//! The netlist that synthesis makes of a profiler, in the cells of a device, on the bench of the emitted Verilog.
//!
//! [`synthesise`] runs the very command whose result is placed and routed; [`Cells`] are the models of the cells. Logic,
//! flip-flops and distributed memory are Yosys's own models; block RAMs are models of this project
//! (`verif/lockstep/cells`), because a block RAM promises nothing about a word that is read while it is written. A netlist
//! that uses such a word is wrong, even if a more lenient model would hide it.

mod cells;
mod synthesis;

pub use cells::{Cells, model_of};
pub use synthesis::{Netlist, synthesise};

use crate::Harness;
use crate::geometries::Named;
use crate::ingress::Front;
use anyhow::{Context, Result};
use hpp_fpga::device::Family;
use hpp_gen::Config;

/// Synthesises a geometry behind an ingress for a family of devices and builds the netlist.
pub fn harness(named: &Named, front: Front, family: Family) -> Result<Harness> {
    let config = Config {
        geometry: named.geometry,
        ..front.config()
    };
    let output = hpp_gen::generate(&config)
        .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
    let netlist = synthesise(family, "hpp", output.verilog())
        .with_context(|| format!("cannot synthesise geometry `{}`", named.label()))?;
    Ok(Harness::of(named, netlist.builder())?.with_front(front))
}
