//! RTL against model.

pub mod crosscheck;
pub mod energy;
pub mod instrument;
pub mod lockstep;
pub mod netlist;
pub mod rate;
pub mod recordings;
pub mod soc;
pub mod tools;
pub mod waveform;
