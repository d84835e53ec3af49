//! Residual path profiling: the paths that a deployed program takes and that its tests never took.
//!
//! The paths of the tests are interesting and have preferential numbers. A deployed program counts them in an array; any
//! other path is recognised by its number, which lies outside of the array, or by its Ball-Larus number, which is not the one the array holds
//! in that place. It is then kept in a list of fixed room, and what the list has no room for is counted.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`tested`] | the paths of the tests, ready for a deployed program |
//! | [`profiler`] | what a deployed program collects, in bounded memory |
//! | [`report`] | what the developer reads out of that |
//! | [`Suite`] | which tests add paths, and which are enough |
//! | [`summary`] | paths against edges: how much of what was not tested edges alone would show |
//! | [`Suspects`] | paths that only failing runs take, ranked |
//!
//! Paths are those of [supergraphs](crate::interprocedural::Supergraphs): with no call inlined they are
//! intraprocedural, to a depth interprocedural. From Vaswani's thesis, section 3.5; the comparison with edges is that of
//! table 3.1.
pub mod profiler;
pub mod report;
mod suite;
pub mod summary;
mod suspects;
pub mod tested;

pub use profiler::ResidualProfiler;
pub use report::{ResidualReport, UntestedPath};
pub use suite::{Addition, Suite};
pub use summary::Summary;
pub use suspects::{Suspect, Suspects};
pub use tested::{Limits, Tested, TestedError};
