//! Real programs on a real core: the PicoRV32 system of `fpga/soc`, simulated, with or without the profiler.
//!
//! [`firmware`] builds a program, [`Soc::build`] the system, and [`Soc::run`] runs the one on the other and shows
//! a [`Watcher`] every retired instruction and every write to the profiler's registers. [`Replay`] is the golden
//! model in the profiler's place. [`Profiled::run`] is all of it at once, with the profile that the firmware
//! [printed](hpp_golden::dump).

mod firmware;
mod image;
mod input;
mod machine;
mod profiled;
mod replay;
mod sources;

pub use firmware::{FAULTY, PROGRAMS, firmware, firmware_with, make_firmware};
pub use image::hex;
pub use input::with_data;
pub use machine::{Run, Soc, Watcher};
pub use profiled::Profiled;
pub use replay::Replay;
pub use sources::ProfilerSources;
