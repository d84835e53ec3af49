//! The HPP hardware path profiler as rust-hdl circuits.

pub mod annotate;
pub mod constant;
pub mod interface;
pub mod path_stack;
pub mod queue;
pub mod ram;
pub mod record_decoder;
pub mod register;
pub mod table;

pub use interface::{Bus, Ingress};
