//! Bus adapters: each has the ports of its bus on one side and the register port on the other.

mod apb;
mod axi4_lite;
mod native;
mod wishbone;

pub use apb::{Apb, ApbPort};
pub use axi4_lite::{Axi4Lite, Axi4LitePort};
pub use native::{Native, NativePort};
pub use wishbone::{Wishbone, WishbonePort};
