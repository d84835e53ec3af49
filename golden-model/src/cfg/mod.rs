//! Control-flow graphs: what a path profiler numbers.
//!
//! A [`Cfg`] has one entry, one exit, and edges that may run in parallel, in loops of any shape,
//! or through blocks nothing reaches. [`Acyclic`] is the same graph with its loops cut, the form
//! every path numbering works on; it knows the way back from a path to the blocks it stands for.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`graph`] | the graph and its checks |
//! | [`acyclic`] | where paths break, the acyclic form, segments of an execution |
//! | [`path`] | a path of the acyclic form and the walk it stands for |
//! | [`text`], [`json`], [`dot`] | reading and writing, drawing |
//! | [`weights`] | how often edges run, measured or guessed |
//! | [`riscv`] | functions and blocks of RISC-V programs |
mod depth_first;

pub mod acyclic;
pub mod dot;
pub mod graph;
pub mod json;
pub mod path;
pub mod riscv;
pub mod text;
pub mod weights;

pub use acyclic::{Acyclic, AcyclicError, Breaks, Crossing, DagEdge, DagEdgeId, Leftover};
pub use graph::{Block, BlockId, Cfg, CfgBuilder, CfgError, Edge, EdgeClass, EdgeId};
pub use path::{DagPath, PathEnd, PathError, Segments, Walk};
pub use weights::Weights;
