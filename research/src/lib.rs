//! Software profiling on the real core: probes put into the assembly that GCC writes, and what they cost.
//!
//! GCC compiles a program to assembly and leaves five registers alone. The assembly is cut into functions and blocks, whose
//! graphs the crate `hpp-paths` numbers; the code of the probes goes onto the edges; the result is assembled, linked and run
//! like any other program, and prints its counters at the end. Each block has a symbol, so that a watcher of the same run knows which
//! path it took, whatever the probes say.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`assembly`] | functions and blocks of an assembly file |
//! | [`graph`](mod@graph) | the control-flow graph of a function |
//! | [`method`] | what is counted, and how |
//! | [`plan`] | the code for each edge of a function |
//! | [`counter_memory`] | where counters lie, and what they say |
//! | [`code`] | probes as instructions |
//! | [`listing`] | the files of a program |
//! | [`rewrite`](mod@rewrite) | a file with the code in it |
//! | [`build`] | from sources to a program with probes |
//! | [`exact`] | the paths of a run by the symbols it passes |
//! | [`measure`](mod@measure) | one run: cycles, bytes, and counters against the exact profile |
//!
//! # Registers
//!
//! | register | holds |
//! | --- | --- |
//! | `s11` | the path sum, preferential or the only one |
//! | `s10` | the Ball-Larus sum beside it; in hashing the table |
//! | `s9` | where the sums of callers are kept |
//! | `t5`, `t6` | what a probe works with |
//!
//! A function that uses sums puts those of its caller by when it is entered, and takes them back before it returns. The C library keeps
//! `s` registers, as its calling convention says, and is not profiled.

pub mod assembly;
pub mod build;
pub mod code;
pub mod counter_memory;
pub mod exact;
pub mod graph;
pub mod listing;
pub mod measure;
pub mod method;
pub mod plan;
pub mod rewrite;

pub use build::{Assembled, Sources};
pub use measure::{Measured, measure};
pub use method::Method;

/// Options of GCC that keep the registers free.
pub const FREE: &str = "-ffixed-s9 -ffixed-s10 -ffixed-s11 -ffixed-t5 -ffixed-t6";
