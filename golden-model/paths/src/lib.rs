//! Software path profiling: control-flow graphs, path numberings, the probes that compute them, measures of profiles.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`graph`] | control-flow graphs, their acyclic form, paths, frequencies |
//! | [`numbering`] | values on edges whose sums tell paths apart |
//! | [`placement`] | which edges get a probe, and what it does |
//! | [`runtime`] | instrumented procedures running, and their counters |
//! | [`subpath`] | hot subpaths of any extent, sampled online |
//! | [`wpp`] | whole program paths: a run as a grammar, and its hot subpaths |
//! | [`metrics`] | how good a numbering or a profile is |
//! | [`mod@format`] | graphs as text, JSON and drawings |
//!
//! Nothing here knows hardware or an instruction set. The crate is pure: no I/O, no threads, no unsafe code.
#![forbid(unsafe_code)]

pub mod format;
pub mod graph;
pub mod metrics;
pub mod numbering;
pub mod placement;
pub mod runtime;
pub mod subpath;
pub mod wpp;
