//! What software sees: the register file, and the readout of the table behind it.

mod file;
mod locator;
mod readout;
mod row;

pub use file::RegisterFile;
pub use locator::Locator;
pub use readout::Readout;
pub use row::PpcrRow;
