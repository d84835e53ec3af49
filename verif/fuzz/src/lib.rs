//! Every parser under coverage-guided fuzzing.
//!
//! A [`Target`] takes any bytes as the input of one parser and uses the result. It panics if a property fails: what is read must be written and read
//! back the same, and two ways to one result must agree. No bytes may cause a panic, an endless loop or a flood of memory.
//!
//! ```text
//!   seeds, kept corpus --> working corpus --> engine (libFuzzer) --> new inputs, crashes
//!            ^                                                            |
//!            └────────────────── the least that reaches as much ──────────┘
//! ```
//!
//! `make fuzz` runs the engine; `tests/replay.rs` runs every target on its seeds and its kept corpus, a file of [`corpus`].

#![forbid(unsafe_code)]

pub mod corpus;
mod targets;

pub use targets::{TARGETS, Target, UnknownTarget};

/// The environment variable that tells the engine its target.
pub const TARGET_VARIABLE: &str = "HPP_FUZZ_TARGET";
