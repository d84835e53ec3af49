//! The Verilog writer: its text, and what tools say to it. That it means what rust-hdl simulates is the subject of `random_expressions` and `random_circuits`.

#[path = "../random_expressions/icarus.rs"]
mod icarus;
mod kernels;
mod profilers;
mod tools;
