//! Profilers whose core shows retirements, last stages or blocks instead of branch records.
//!
//! An [`Interface`] stands between a core and an ingress. It defines what is [`Shown`] on it, its ports, and the golden model of the ingress.
//! The [`Core`] of a bench executes the records of a stream on it. What the golden ingress and its buffer make of
//! that in each cycle ([`IngressModel`]) is to the reference what the native port would carry, so everything is compared as it is
//! with that one. What a core [`Executed`] is a witness of its own: no part of the model is made from it.

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

/// The registers' width of a core with addresses as wide as the geometry's.
pub fn xlen(geometry: &Geometry) -> Xlen {
    if geometry.pc_bits > 32 {
        Xlen::Rv64
    } else {
        Xlen::Rv32
    }
}

/// Any context that a geometry has.
fn context(geometry: &Geometry, rng: &mut crate::stream::StreamRng) -> u8 {
    use rand::RngExt;
    rng.random::<u8>() & Geometry::mask(geometry.context_bits) as u8
}
