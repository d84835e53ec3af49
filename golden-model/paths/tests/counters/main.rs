//! Counters: what they recover, and that no cheaper ones do.
mod given;
mod linear;
mod optimality;
mod recovery;

#[path = "../random_executions/mod.rs"]
mod random_executions;
#[path = "../random_graphs/mod.rs"]
mod random_graphs;
