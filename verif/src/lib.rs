//! RTL against model.

pub mod crosscheck;
pub mod energy;
pub mod instrument;
pub mod kept;
pub mod lockstep;
pub mod mutants;
pub mod netlist;
pub mod overview;
pub mod proofs;
pub mod rate;
pub mod recordings;
pub mod soc;
pub mod tools;
pub mod waveform;

/// The examples of the contributor's guide.
#[cfg(doctest)]
#[doc = include_str!("../../CONTRIBUTING.md")]
struct Guide;
