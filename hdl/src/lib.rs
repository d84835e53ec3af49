//! The HPP hardware path profiler as rust-hdl circuits.
