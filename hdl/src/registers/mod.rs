//! The software registers, and the readout of the table.

mod context;
mod control;
mod file;
mod port;
mod readout;
mod repairs;
mod row;

pub use context::ContextRegisters;
pub use control::{ControlRegisters, Settings};
pub use file::RegisterFile;
pub use port::{RegisterMaster, RegisterSlave};
pub use readout::Readout;
pub use repairs::RepairCounter;
pub use row::PpcrRow;
