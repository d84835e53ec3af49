//! Software path profiling: control-flow graphs, path numberings, the probes that compute them, measures of profiles.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`graph`] | control-flow graphs, their acyclic form, paths, frequencies |
//! | [`numbering`] | values on edges whose sums distinguish paths |
//! | [`placement`] | which edges get a probe, and what it does |
//! | [`counters`] | edge and block profiles from few counters |
//! | [`trace`] | executions regenerated from few witnesses |
//! | [`runtime`] | instrumented procedures running, and their counters |
//! | [`interprocedural`] | paths that go on through calls |
//! | [`residual`] | paths that ran in the field and in no test; paths that failing runs alone take; tests that add paths |
//! | [`subpath`] | hot subpaths of any extent, sampled online |
//! | [`wpp`] | whole program paths: a run as a grammar, and its hot subpaths |
//! | [`metrics`] | how good a numbering or a profile is; phases of a run |
//! | [`mod@format`] | graphs as text, JSON and drawings |
//!
//! Nothing here knows hardware or an instruction set. The crate is pure: no I/O, no threads, no unsafe code. The features `trace`, `subpath` and
//! `format` are on unless they are turned off; without them the crate has neither those modules nor what only they depend on.
//!
//! # In short
//!
//! ```
//! use hpp_paths::graph::{Acyclic, Cfg, Segments, Weights};
//! use hpp_paths::numbering::BallLarus;
//! use hpp_paths::placement::Probes;
//! use hpp_paths::runtime::Instrumented;
//! // A loop around a branch.
//! let cfg = Cfg::from_edges([
//!     ("entry", "test"), ("test", "then"), ("test", "join"), ("then", "join"), ("join", "test"), ("join", "exit"),
//! ])?;
//! let dag = Acyclic::depth_first(&cfg);
//! let numbering = BallLarus::new(&dag)?;
//! let probes = Probes::optimised(&numbering.values(), &Weights::heuristic(&cfg));
//! // entry test join, then around by test then join, and out.
//! let execution: Vec<_> = [0, 2, 4, 1, 3, 5].map(hpp_paths::graph::EdgeId::new).into();
//! let mut counted = Vec::new();
//! Instrumented::new(&probes).call(&execution, |number| counted.push(number.clone()))?;
//! let paths: Vec<_> = Segments::of(&dag, &execution)?.paths;
//! let numbers: Vec<_> = paths.iter().map(|path| numbering.number(path)).collect();
//! assert_eq!(counted, numbers);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod counters;
#[cfg(feature = "format")]
pub mod format;
pub mod graph;
pub mod interprocedural;
pub mod metrics;
mod number;
pub mod numbering;
pub mod placement;
pub mod residual;
pub mod runtime;
#[cfg(feature = "subpath")]
pub mod subpath;
#[cfg(feature = "trace")]
pub mod trace;
pub mod wpp;

pub use petgraph;

pub use number::Number;
