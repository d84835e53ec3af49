//! The profiler's behaviour: branch queue, path stack, hot path table, registers, and the whole.
//!
//! The circuits do the same; `docs/behaviour.md` says in words what both do. The model has no clock: every call takes
//! effect before the next.
//!
//! Source: Vaswani's thesis, chapter 5.

pub mod exact;
pub mod ppcr;
pub mod stack;
pub mod table;

pub use exact::ExactProfile;
pub use ppcr::{BackwardNotTaken, Extension, IllegalRow, Metric, Operation, Ppcr, Row, Rows};
pub use stack::{PathStack, StackEntry, StackTally};
pub use table::{HotPathTable, Lookup, TableEntry, set_index};
