//! The buses: each a circuit with its own ports towards the master, and the seam of the registers behind it.

mod apb;
mod axi4_lite;
mod wishbone;

pub use apb::{Apb, ApbPort};
pub use axi4_lite::{Axi4Lite, Axi4LitePort};
pub use wishbone::{Wishbone, WishbonePort};
