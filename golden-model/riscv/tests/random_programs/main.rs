//! Random programs: walks, graphs of functions, and procedures with their calls.

mod graph;
mod procedures;
#[path = "../random_code/mod.rs"]
mod random_code;
mod walk;
