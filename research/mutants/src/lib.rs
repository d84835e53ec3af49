//! Mutants of a Rust workspace: mistakes made on purpose, and whether the tests notice them.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`list`](mod@list) | the mutants of a package, as cargo-mutants lists them |
//! | [`schema`](mod@schema) | all of a file in one text, of which a number chosen at run time says which is there |
//! | [`scratch`], [`cargo`] | a copy of the workspace, and what is built in it |
//! | [`packing`] | as many mutants in one build as the compiler lets in |
//! | [`unit`](mod@unit) | single tests: which mutants they reach, how long they take |
//! | [`run`], [`single`] | mutants against the tests that reach them; those that cannot share a build, one by one |
//! | [`child_process`] | programs that end with this one |
//! | [`fate`] | what became of them, kept for the same sources |
//! | [`campaign`], [`excuse`] | all of it for a package; those that may live |
//!
//! A test is run in a process of its own, with the same random cases each time, so what a mutant does to it does not depend on other tests.

pub mod campaign;
pub mod cargo;
pub mod child_process;
pub mod excuse;
pub mod fate;
pub mod list;
pub mod packing;
pub mod run;
pub mod schema;
pub mod scratch;
pub mod single;
pub mod sources;
pub mod unit;
