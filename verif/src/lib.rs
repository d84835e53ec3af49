//! RTL against model.

pub mod soc;
pub mod tools;
