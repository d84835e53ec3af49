//! The profiler with RVFI ingress on a bench of its own: retirements in, paths and registers out.
//!
//! A [`RetirementDevice`] has the pins. What it reports is held to two things: the golden model's ingress and path
//! stack, where the core holds when it is told to; and, whatever the core does, the list of what it [`Executed`], from
//! which no part of the model is made.

mod device;
mod executed;
mod held;
mod retirements;

use hpp_golden::config::Geometry;
use hpp_riscv::Xlen;

pub use device::{Cycle, RetirementDevice};
pub use executed::Executed;
pub use held::run_held;
pub use retirements::{Mix, Retirements};

/// The registers' width of a core with addresses as wide as the geometry's.
pub fn xlen(geometry: &Geometry) -> Xlen {
    if geometry.pc_bits > 32 {
        Xlen::Rv64
    } else {
        Xlen::Rv32
    }
}
