//! The tiny profiler against the golden model.
//!
//! It does one thing after another, so it needs no model with a clock: [`Bench`] sees at its pins in which order records and accesses act, and compares whatever is read.

mod access;
mod bench;
mod program;
mod stories;
mod verilated;
mod words;

pub use access::Access;
pub use bench::{Bench, Pins};
pub use program::Run;
pub use stories::{
    Manner, all, any_geometry, clears, crowds, each, few, fills, resets, run, switches, words,
};
pub use verilated::{Verilated, config};
