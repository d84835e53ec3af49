//! Checks of the emitted Verilog beyond its simulation: netlists, proofs, coverage and mutants.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`synthesise`], [`harness`] | the netlist that synthesis makes, in the cells of a device, on the bench of the emitted Verilog |
//! | [`equivalence`] | proves a netlist to be the circuit that was written |
//! | [`proofs`] | proves properties of the emitted Verilog, without a bound |
//! | [`coverage`] | measures what the bench reaches, and proves the rest unreachable |
//! | [`mutants`] | makes mistakes in it, which the bench must notice |
//!
//! [`synthesise`] runs the very command whose result is placed and routed; [`Cells`] are the models of the cells. Logic,
//! flip-flops and distributed memory are Yosys's own models; block RAMs are models of this project
//! (`verif/netlist/cells`), because a block RAM promises nothing about a word that is read while it is written. A netlist
//! that uses such a word is wrong, even if a more lenient model would hide it.

mod cells;
pub mod coverage;
pub mod equivalence;
mod harness;
pub mod mutants;
pub mod proofs;
mod synthesis;
mod verilog;

pub use cells::Cells;
pub use harness::harness;
pub use synthesis::{Netlist, synthesise};
