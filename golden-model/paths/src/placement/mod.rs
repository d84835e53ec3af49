//! Placement: which edges get a probe, and what it does.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`spanning`] | values moved to few edges |
//! | [`probes`] | the code on edges |
pub mod probes;
pub mod spanning;

pub use probes::{Probe, Probes};
pub use spanning::SpanningTree;
