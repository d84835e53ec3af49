//! The tiny profiler against the golden model.
//!
//! It does one thing after another, so it needs no model with a clock: [`Bench`] sees at its pins in which order records and accesses act, and compares whatever is read.

mod bench;
mod program;
mod stories;
mod verilated;

pub use bench::{Access, Bench, Pins};
pub use program::Run;
pub use stories::{Manner, all, any_geometry, crowds, each, few, fills, resets, run};
pub use verilated::{Verilated, config};
