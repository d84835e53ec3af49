//! RTL against model.

pub mod lockstep;
pub mod soc;
pub mod tools;
