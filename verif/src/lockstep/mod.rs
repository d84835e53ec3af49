//! The emitted Verilog, the rust-hdl simulation and the golden model under the same stimulus.

pub mod stream;
