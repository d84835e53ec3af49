//! Real programs on a real core: the PicoRV32 system of `fpga/soc`, simulated, with or without the profiler.
//!
//! [`firmware`] builds a program, [`Soc::build`] the system, and [`Soc::run`] runs the one on the other and shows
//! a [`Watcher`] every retired instruction and every write to the profiler's registers. [`Printout`] is what the
//! firmware printed of the table, [`Replay`] the golden model in the profiler's place, and [`hot_paths`] says whose paths
//! they are. [`Profiled::run`] is all of it at once.

mod firmware;
mod image;
mod machine;
mod printout;
mod profiled;
mod replay;
mod report;
mod sources;

pub use firmware::{PROGRAMS, firmware};
pub use machine::{Run, Soc, Watcher};
pub use printout::{Printout, PrintoutError};
pub use profiled::Profiled;
pub use replay::Replay;
pub use report::{HotPath, hot_paths};
pub use sources::ProfilerSources;
