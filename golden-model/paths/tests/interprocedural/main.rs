//! Paths across calls, and residual paths, on random programs and runs.
mod errors;
mod exact;
mod programs;
mod residual;
mod suites;
mod truncation;
