//! Mutants of the emitted Verilog: mistakes made on purpose, which the bench must notice.

mod caught;
mod corners;
mod device;
mod equivalent;
mod known;
pub mod list;
mod operators;
mod run;
mod scenario;
mod schema;
mod subject;
mod tiny_corners;
mod tiny_scenarios;

pub use device::MutantDevice;
pub use equivalent::Pair;
pub use operators::Operator;
pub use run::{Outcome, run};
pub use scenario::Scenario;
pub use schema::{INPUT, Mutant, Schema};
pub use subject::{Built, SUBJECTS, Subject};
