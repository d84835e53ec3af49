//! The netlist that synthesis makes of a profiler, in the cells of a device, on the bench of the emitted Verilog.
//!
//! [`synthesise`] runs the very command whose result is placed and routed; [`Cells`] are the models of the cells. Logic,
//! flip-flops and distributed memory are Yosys's own models; block RAMs are models of this project
//! (`verif/lockstep/cells`), because a block RAM promises nothing about a word that is read while it is written. A netlist
//! that uses such a word is wrong, even if a more lenient model would hide it.

mod cells;
mod harness;
mod synthesis;

pub use cells::Cells;
pub use harness::harness;
pub use synthesis::{Netlist, synthesise};
