//! The ingresses in rust-hdl simulation against their models, cycle by cycle.

mod bench;
mod retire;
mod rvfi;
mod strategies;
mod trace;
