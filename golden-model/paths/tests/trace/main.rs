//! Traces: the execution is what is regenerated.
mod bytes;
mod placement;
mod programs;
mod regeneration;

#[path = "../random_calls/mod.rs"]
mod random_calls;
#[path = "../random_graphs/mod.rs"]
mod random_graphs;
#[path = "../structured/mod.rs"]
mod structured;
