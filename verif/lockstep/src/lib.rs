//! The emitted Verilog and the golden model under the same stimulus.
//!
//! A [`Bench`] clocks a [`Device`] and passes every cycle of its pins to the [`Reference`]. The reference steps the
//! parts of the golden model in the cycles of the circuits. In every cycle it compares `br_ready`, the completed paths
//! with their counts and cycles, and every word that software reads.

mod activity;
mod bench;
pub mod bus;
mod check;
pub mod corners;
mod device_verilated;
pub mod epoch;
pub mod geometries;
mod harness;
pub mod harts;
pub mod ingress;
mod master;
pub mod mistakes;
pub mod netlist;
mod pins;
mod port;
pub mod proofs;
mod random;
mod record_pins;
mod reference;
pub mod scenario;
pub mod stream;
pub mod stress;
mod subject;
mod surroundings;
pub mod tiny;

pub use bench::{Bench, Disagreement, Pace};
pub use device_verilated::{VerilatedDevice, powered_up};
pub use harness::Harness;
pub use master::{Master, Protocol};
pub use pins::{Access, BusMaster, Device, Drive, Request, Seen};
pub use port::Port;
pub use random::{Nonsense, first_seed};
pub use reference::{LAG, Reference, Timing};
pub use subject::Subject;
