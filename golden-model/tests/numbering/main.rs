//! Path numberings on worked examples and on random graphs.
mod acyclic;
mod ball_larus;
mod files;
mod formats;
mod graphs;
mod preferential;
mod probes;
mod selective;
mod weights;
