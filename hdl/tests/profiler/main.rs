//! The whole profiler in rust-hdl simulation: what it counts, and how it is read.

mod accesses;
mod masters;
mod paths;
