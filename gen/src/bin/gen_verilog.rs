//! Writes the profiler as Verilog.

fn main() {}
