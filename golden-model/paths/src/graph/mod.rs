//! Control-flow graphs: what a path profiler numbers.
//!
//! A [`Cfg`] has one entry, one exit, and edges that may run in parallel, in loops of any shape,
//! or through blocks nothing reaches. [`Acyclic`] is the same graph with its loops cut, the form
//! every path numbering works on; it knows the graph it comes from, and so the way back from a path to the blocks it
//! stands for.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`cfg`](mod@cfg) | the graph, with any data, and its checks |
//! | [`flow`] | its shape: blocks, edges, entry, exit, names |
//! | [`builder`], [`edge`] | graphs built by name, with the data of the text formats |
//! | [`acyclic`] | where paths break, the acyclic form |
//! | [`route`] | a path of the acyclic form and the blocks it stands for |
//! | [`execution`] | an execution cut into paths |
//! | [`weights`] | how often edges run, measured or guessed |
mod assembly;
pub(crate) mod depth_first;
mod form;

pub mod acyclic;
pub mod builder;
pub mod cfg;
pub mod edge;
pub mod execution;
pub mod flow;
pub mod route;
pub mod weights;

pub use acyclic::{Acyclic, AcyclicError, Leftover};
pub use builder::CfgBuilder;
pub use cfg::{Cfg, CfgError};
pub use edge::{Edge, EdgeClass};
pub use execution::{Control, Segments};
pub use flow::{BlockId, EdgeId, Flow};
pub use form::{Crossing, DagEdge, DagEdgeId};
pub use route::{DagPath, PathEnd, PathError, Route};
pub use weights::Weights;
