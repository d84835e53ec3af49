//! Flipped bits: whether the profiler notices, and what happens if it does not.
//!
//! A bit of a register or of a memory of the emitted Verilog is inverted once, at a random moment of an epoch, as an ionising particle does. The
//! bench continues to compare. The output `fault` reports the flip; a disagreement on the bench is its damage.

mod campaign;
mod device;
mod state;

pub use campaign::{Campaign, Tally};
pub use device::Outcome;
pub use device::{FlippingDevice, Sight};
pub use state::Place;
pub use state::{Bit, bits};
