//! Control-flow graphs: what a path profiler numbers.
//!
//! A [`Cfg`] has one entry, one exit, and edges that may run in parallel, in loops of any shape,
//! or through blocks nothing reaches. [`Acyclic`] is the same graph with its loops cut, the form
//! every path numbering works on; it knows the way back from a path to the blocks it stands for.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`cfg`] | the graph and its checks |
//! | [`acyclic`] | where paths break, the acyclic form, segments of an execution |
//! | [`path`] | a path of the acyclic form and the walk it stands for |
//! | [`weights`] | how often edges run, measured or guessed |
mod depth_first;

pub mod acyclic;
pub mod cfg;
pub mod path;
pub mod weights;

pub use acyclic::{Acyclic, AcyclicError, Breaks, Crossing, DagEdge, DagEdgeId, Leftover};
pub use cfg::{Block, BlockId, Cfg, CfgBuilder, CfgError, Edge, EdgeClass, EdgeId};
pub use path::{DagPath, PathEnd, PathError, Segments, Walk};
pub use weights::Weights;
