//! The profiler's behaviour: branch queue, path stack, hot path table, registers, and the whole.
//!
//! The circuits do the same; `docs/behaviour.md` says in words what both do. The model has no clock: every call takes
//! effect before the next.
//!
//! Source: Vaswani's thesis, chapter 5.

pub mod context;
pub mod counters;
pub mod drain;
pub mod exact;
mod frames;
mod numbered;
pub mod ppcr;
pub mod queue;
pub mod register_file;
pub mod reset;
pub mod rows;
pub mod stack;
pub mod table;
mod timing;
mod top;
pub mod triggers;

pub use context::ContextFilter;
pub use counters::Counters;
pub use drain::{Drain, DrainSight};
pub use exact::ExactProfile;
pub use frames::{Frames, Leaving};
pub use numbered::{NumberedPath, NumberedTable};
pub use ppcr::{BackwardNotTaken, Extension, Metric, Ppcr};
pub use queue::{BranchQueue, Offer, QueuedRecord};
pub use register_file::RegisterFile;
pub use reset::{ResetError, ResetValues};
pub use rows::{IllegalRow, Operation, Row, Rows};
pub use stack::{Effect, PathStack, StackEntry, StackTally, Then};
pub use table::{
    Admission, HotPathTable, Lookup, Shadows, TableEntry, TableTally, entry_words, set_index,
};
pub use timing::LookupCycles;
pub use top::{Profiler, ProfilerError};
pub use triggers::Triggers;
