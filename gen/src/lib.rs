//! Verilog generator of the HPP hardware path profiler.

pub mod verilog;
