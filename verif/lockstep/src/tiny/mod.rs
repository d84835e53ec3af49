//! The tiny profiler against the golden model.
//!
//! It does one thing at a time, so it needs no model with a clock. The [`Bench`] derives the order of records and
//! accesses from its pins, and compares every read.

mod bench;
mod emptying;
mod program;
mod software;
mod stories;
mod verilated;
mod words;

pub use bench::{Bench, Pins};
pub use emptying::{clears, crowds, ends, held, resets};
pub use program::Run;
pub use software::fills;
pub use stories::{Manner, all, any_geometry, each, few, run, switches, words};
pub use verilated::{Verilated, config};
