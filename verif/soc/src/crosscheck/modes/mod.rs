//! A second software path profiler, for every mode that the hardware makes paths in.
//!
//! The [first](super::software) has a graph for each function, and knows Ball-Larus paths. This one has one graph for the
//! whole program, over [places](Place): where control is, how far the path has extended, and into which callees. So it also
//! profiles paths that end at calls, and paths that go on across back edges or through callees.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`rules`] | what a branch does to the path it is on, mode by mode |
//! | [`follow`] | a run followed from record to record: its paths, edge by edge |
//! | [`graph`] | the places of a program, the edges between them, and the Ball-Larus values of these |
//! | [`compare`] | the sums that were counted, beside the paths of the hardware |

pub mod compare;
pub mod follow;
pub mod graph;
pub mod rules;

pub use compare::{ModeAgreement, ModeDisagreement, check_mode};
pub use follow::{Follower, LostError, Observer, Outcome};
pub use graph::{Counting, ModeGraph, ModeGraphError, Observed};
pub use rules::{Effect, Mode, Paths, Place};
