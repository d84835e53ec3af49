//! What software sees: the register file, and the readout of the table behind it.

mod control;
mod file;
mod port;
mod readout;
mod row;

pub use control::{ControlRegisters, Settings};
pub use file::RegisterFile;
pub use port::{RegisterMaster, RegisterSlave};
pub use readout::Readout;
pub use row::PpcrRow;
