//! Long runs: their branch records in a file, and how well tables of many geometries and policies hold their profiles.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`accuracy`](mod@accuracy) | a table's profile against the exact one |
//! | [`distribution`] | how a run is spread over its paths |
//! | [`run`] | one profiler over a run, beside the exact profile |
//! | [`configuration`] | what a profiler of a sweep is |
//! | [`member`] | a profiler of a sweep, with its tables |
//! | [`stack`] | a path stack for records by number, fast |
//! | [`states`] | states of a machine that is followed step by step |
//! | [`sweep`] | many profilers over one run, at once |
//! | [`trace`] | branch records of a run in a compact file |

#![forbid(unsafe_code)]

pub mod accuracy;
pub mod configuration;
pub mod distribution;
pub mod member;
pub mod run;
pub mod stack;
pub mod states;
pub mod sweep;
pub mod trace;

pub use accuracy::{Accuracy, accuracy};
pub use configuration::Configuration;
pub use distribution::Distribution;
pub use run::{Held, Run, Table};
pub use stack::{Completed, NumberedStack, Times};
pub use sweep::{Measured, Sweep};
