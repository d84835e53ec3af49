//! Pictures of what happens at a profiler's ports, cycle by cycle: simulated, recorded as a VCD, read back, drawn.
//!
//! ```text
//!   scene: a profiler and what is done to it --> Verilator --> VCD --> samples at each rising edge --> SVG, PNG
//! ```
//!
//! A [`scenes::Scene`] records, [`verilated::sample`] reads, [`Drawing`] draws. Nothing in a picture is
//! said by hand but the names of its rows.

mod drawing;
pub mod scenes;

pub use drawing::{Drawing, Format, Row};
