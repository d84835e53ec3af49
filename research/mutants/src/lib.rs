//! Mutants of a Rust workspace: deliberate mistakes, and whether the tests notice them.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`list`](mod@list) | the mutants of a package, as cargo-mutants lists them |
//! | [`schema`](mod@schema) | all mutants of a file in one text; a number chosen at run time selects one |
//! | [`scratch`], [`cargo`] | a copy of the workspace, and its builds |
//! | [`packing`] | as many mutants in one build as the compiler accepts |
//! | [`unit`](mod@unit) | single tests: which mutants they reach, how long they take |
//! | [`run`], [`single`] | mutants against the tests that reach them; those that cannot share a build, one by one |
//! | [`child_process`] | programs that end with this one |
//! | [`fate`] | the fate of each mutant, cached for the same sources |
//! | [`campaign`], [`excuse`] | all mutants of a package; those that may live |
//!
//! Each test runs in a process of its own with the same random cases, so its result does not depend on other tests.

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
