//! Profilers whose core outputs retirements, last stages or blocks instead of branch records.
//!
//! An [`Interface`] connects a core and an ingress. It defines the core's output ([`Shown`]), its ports, and the golden
//! model of the ingress. The [`Core`] of a bench executes the records of a stream on it.
//!
//! The golden ingress and its buffer ([`IngressModel`]) turn that into what the native port would carry. The reference
//! then compares everything as with the native ingress. [`Executed`] is an independent witness: it shares no part with
//! the model.

mod core;
mod executed;
mod front;
mod instructions;
mod interface;
mod model;
mod ports;
mod retire;
mod retirements;
mod rvfi;
mod shown;
mod trace;

use hpp_golden::config::Geometry;
use hpp_riscv::Xlen;

pub use self::core::{Core, ExecutingCore};
pub use executed::Executed;
pub use front::Front;
pub use interface::Interface;
pub use model::{IngressModel, Model, Presented};
pub use ports::IngressPorts;
pub use retire::RetireInterface;
pub use retirements::{Mix, Retirements};
pub use rvfi::RvfiInterface;
pub use shown::{CHANNELS, Shown};
pub use trace::TraceInterface;

/// The register width of a core, from the address width of the geometry.
pub fn xlen(geometry: &Geometry) -> Xlen {
    if geometry.pc_bits > 32 {
        Xlen::Rv64
    } else {
        Xlen::Rv32
    }
}

fn context(geometry: &Geometry, rng: &mut crate::stream::StreamRng) -> u8 {
    use rand::RngExt;
    rng.random::<u8>() & Geometry::mask(geometry.context_bits) as u8
}
