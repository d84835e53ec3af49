//! Placement: which edges get a probe, and what it does.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`spanning`] | values moved to few edges |
//! | [`probes`] | the code on edges |
//! | [`site`] | where the code of an edge goes |
pub mod probes;
pub mod site;
pub mod spanning;

pub use probes::{Probe, Probes};
pub use site::Site;
pub use spanning::SpanningTree;
