//! Golden model of the HPP hardware path profiler.
#![forbid(unsafe_code)]
