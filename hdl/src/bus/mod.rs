//! The buses: each is a circuit with its own ports towards the master, and the register port behind it.

mod apb;
mod axi4_lite;
mod wishbone;

pub use apb::{Apb, ApbPort};
pub use axi4_lite::{Axi4Lite, Axi4LitePort};
pub use wishbone::{Wishbone, WishbonePort};
