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
pub mod rate;
mod record_pins;
mod reference;
pub mod scenario;
mod seed;
pub mod stream;
pub mod stress;
mod subject;
mod surroundings;
pub mod tiny;

pub use activity::{Activity, mode, rows, stream_with_activity};
pub use bench::{Bench, Disagreement, Pace};
pub use device_verilated::{VerilatedDevice, powered_up};
pub use harness::Harness;
pub use master::{Master, Protocol};
pub use pins::{Device, Drive, Request, Seen};
pub use port::{Access, Port};
pub use record_pins::Nonsense;
pub use reference::{LAG, Reference, Timing};
pub use seed::first_seed;
pub use subject::{Built, Subject};
