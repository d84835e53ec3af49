//! Paths across calls, and residual paths, on random programs and runs.
mod errors;
mod exact;
mod programs;
mod residual;
mod suites;
mod truncation;

#[path = "../random_calls/mod.rs"]
mod random_calls;
#[path = "../random_graphs/mod.rs"]
mod random_graphs;
