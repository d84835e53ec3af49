//! Netlists: the profiler as synthesis leaves it, in the cells of a device, on the bench of the emitted Verilog.
//!
//! [`synthesise`] runs the very command whose result is placed and routed; [`Cells`] are the models of the cells. Logic,
//! flip-flops and distributed memory are Yosys's own models; block RAMs are models of this project
//! (`verif/netlist`), because a block RAM promises nothing about a word that is read while it is written, and a netlist
//! that looks at such a word is wrong even where a kinder model would hide it.

mod cells;
pub mod equivalence;
mod synthesis;

pub use cells::Cells;
pub use synthesis::{Netlist, synthesise};
