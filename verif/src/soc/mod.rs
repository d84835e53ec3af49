//! Real programs on a real core: the PicoRV32 system of `fpga/soc`, simulated, with or without the profiler.
//!
//! [`firmware`] builds a program, [`Soc::build`] the system, and [`Soc::run`] runs the one on the other and shows
//! a [`Watcher`] every retired instruction and every write to the profiler's registers. [`printout`] reads what
//! the firmware printed of the table, [`replay`] is the golden model in the profiler's place, and
//! [`report`] says whose paths they are.

mod firmware;
mod image;
mod machine;

pub use firmware::{PROGRAMS, firmware};
pub use machine::{Run, Soc, Watcher};
