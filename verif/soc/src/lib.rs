//! Real programs on real cores: the systems of `fpga/soc`, simulated, with or without the profiler.
//!
//! A [`ProgramSource`] is one of ours, which [`firmware`] builds, or the user's. [`Soc::build`] builds the system. [`Soc::run`] runs a program on it and shows
//! a [`Watcher`] every retired instruction and every write to the profiler's registers. [`Replay`] is the golden model in the profiler's place.
//! [`Profiled::run`] does all of this at once, with the profile that the firmware [printed](hpp_golden::dump).
//!
//! | module | what it makes of such runs |
//! | --- | --- |
//! | [`crosscheck`] | compares the paths of hardware and software profilers of one run |
//! | [`linux`] | boots Linux, and profiles a program there |
//! | [`recordings`] | branch records of runs, cached or not |

pub mod crosscheck;
mod firmware;
mod image;
mod last_stage;
pub mod linux;
mod machine;
mod profiled;
mod program;
pub mod recordings;
mod replay;
mod simulation;
mod sources;
mod watcher;

pub use firmware::{EXECUTIONS, PROGRAMS, firmware, firmware_for, firmware_of, make_firmware};
pub use image::{Code, hex, with_data};
pub use last_stage::LastStage;
pub use machine::Soc;
pub use profiled::Profiled;
pub use program::ProgramSource;
pub use replay::{Replay, While};
pub use simulation::Run;
pub use sources::ProfilerSources;
pub use watcher::{INPUTS, Meanwhile, Watcher};

/// The examples of the contributor's guide.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Guide;
