//! Flipped bits: whether the profiler notices, and what happens if it does not.
//!
//! A bit of a register or of a memory of the emitted Verilog is inverted once, at a random moment of an epoch, as an ionising particle does; the
//! bench compares on. What is told is the output `fault`, what is wrong is whatever the bench compares.

mod campaign;
mod device;
mod state;

pub use campaign::{Campaign, Outcome, Place, Tally};
pub use device::{FlippingDevice, Sight};
pub use state::{Bit, bits};
