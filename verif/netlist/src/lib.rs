//! What is done to the emitted Verilog besides simulating it.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`synthesise`], [`harness`] | the netlist that synthesis makes, in the cells of a device, on the bench of the emitted Verilog |
//! | [`equivalence`] | proves a netlist to be the circuit that was written |
//! | [`proofs`] | proves properties of the emitted Verilog, without a bound |
//! | [`coverage`] | what of it the bench reaches, and proves what cannot change |
//! | [`mutants`] | makes mistakes in it, which the bench must notice |
//! | [`faults`] | lets its bits flip, which a protected profiler must notice |
//!
//! [`synthesise`] runs the very command whose result is placed and routed; [`Cells`] are the models of the cells. Logic,
//! flip-flops and distributed memory are Yosys's own models; block RAMs are models of this project
//! (`verif/netlist/cells`), because a block RAM promises nothing about a word that is read while it is written, and a netlist
//! that looks at such a word is wrong even where a kinder model would hide it.

mod cells;
pub mod coverage;
pub mod equivalence;
pub mod faults;
mod harness;
pub mod mutants;
pub mod proofs;
mod synthesis;
mod verilog;

pub use cells::Cells;
pub use harness::harness;
pub use synthesis::{Netlist, synthesise};
