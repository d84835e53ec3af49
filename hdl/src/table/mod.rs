//! The hot path table: a set-associative memory of paths and their accumulators.
//!
//! [`ParallelTable`] compares all ways of a set at once and accepts a path in every cycle. [`SequentialTable`] compares
//! one way in each cycle. Under LFU its ways form a set; under `shadow` and `rrip` each way has its own hash.

mod accumulator;
mod decision;
mod encounter;
mod entry_port;
mod evictions;
mod index;
mod layout;
mod mirror;
mod number;
mod order;
mod parallel;
mod ports;
pub mod sequential;
mod stages;
mod tag_match;
mod walk;
mod way;

pub use accumulator::Accumulator;
pub use decision::Decision;
pub use encounter::Encounter;
pub use entry_port::{EntryPort, EntryReader, EntryWires};
pub use evictions::{EvictionMemory, Evictions};
pub use index::SetIndex;
pub use layout::{PathOfTag, TAG_BITS, TagLayout, TagOfPath};
pub use mirror::{Mirror, MirrorMemory};
pub use number::EntryNumber;
pub use order::{ORDER_BITS, OrderRow};
pub use parallel::ParallelTable;
pub use ports::{IncomingPath, PathWires, TablePorts, TableWires};
pub use sequential::{SequentialTable, TagMemory};
pub use stages::Stages;
pub use tag_match::TagMatch;
pub use walk::ClearWalk;
pub use way::TableWay;
