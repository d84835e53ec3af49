//! Path numberings: values on the edges of an acyclic form whose sum along a path tells the path.
//!
//! | module | numbering |
//! | --- | --- |
//! | [`ball_larus`] | all paths, from 0 without gaps |
//! | [`selective`] | some paths, with few probes |
//! | [`preferential`] | some paths, with small numbers |
//! | [`optimum`] | few paths, with the smallest numbers there can be |
//! | [`arithmetic`] | the same numbers once more, as codes of paths |
//! | [`truncation`] | a graph cut further, so that it has no more paths than a profiler can count |
//!
//! # Numbers
//!
//! `new` numbers in machine words and says so when they do not do; `exact` goes on in big integers.
//! A numbering never wraps around in silence.
mod classifier;
mod edge_order;
mod prefixes;

pub mod arithmetic;
pub mod ball_larus;
pub mod interesting;
pub mod optimum;
pub mod preferential;
pub mod selective;
pub mod truncation;
pub mod values;

pub use ball_larus::{BallLarus, NoSuchPath, TooManyPaths};
pub use classifier::{Class, Classifier, Profile};
pub use edge_order::EdgeOrder;
pub use interesting::{Interesting, InterestingError};
pub use preferential::Preferential;
pub use selective::{Pushing, Selective};
pub use truncation::{LimitTooSmall, Truncation, truncate, truncate_keeping};
pub use values::EdgeValues;
