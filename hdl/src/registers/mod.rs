//! The software registers, and the readout of the table.

mod control;
mod file;
mod port;
mod readout;

pub use control::{ControlRegisters, Settings};
pub use file::RegisterFile;
pub use port::{RegisterMaster, RegisterSlave};
pub use readout::Readout;
