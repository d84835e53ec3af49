//! Path numberings on worked examples and on random graphs.
mod acyclic;
mod arithmetic;
mod ball_larus;
mod files;
mod formats;
mod graphs;
mod optimum;
mod preferential;
mod probes;
mod selective;
mod weights;

#[path = "../random_executions/mod.rs"]
mod random_executions;
#[path = "../random_graphs/mod.rs"]
mod random_graphs;
#[path = "../structured/mod.rs"]
mod structured;
