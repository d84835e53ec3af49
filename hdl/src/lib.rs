//! The HPP hardware path profiler as rust-hdl circuits.

pub mod interface;

pub use interface::{Bus, Ingress};
