//! Builds an emitted Verilog module with Verilator and drives it from Rust.
