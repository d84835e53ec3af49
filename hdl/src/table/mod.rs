//! The hot path table: a set-associative memory of paths and their counts. [`ParallelTable`] looks all ways of a set up at
//! once, one path a cycle; [`SequentialTable`] one way after another. [`SkewedTable`] hashes each way by itself; its policy is shadow or RRIP.

mod accumulator;
mod comparator;
mod decision;
mod entry_port;
mod evictions;
mod full;
mod index;
mod layout;
mod mirror;
mod number;
mod order;
mod parallel;
mod ports;
mod sequential;
pub mod skewed;
mod stage;
mod stages;
mod tag_match;
mod walk;
mod way;

pub use accumulator::Accumulator;
pub use comparator::Comparator;
pub use decision::Decision;
pub use entry_port::{EntryPort, EntryReader, EntryWires};
pub use evictions::{EvictionMemory, Evictions};
pub use full::SetFull;
pub use index::SetIndex;
pub use layout::{PathOfTag, TAG_BITS, TagLayout, TagOfPath};
pub use mirror::{Mirror, MirrorMemory};
pub use number::EntryNumber;
pub use order::{ORDER_BITS, OrderRow};
pub use parallel::ParallelTable;
pub use ports::{IncomingPath, PathWires, TablePorts, TableWires};
pub use sequential::{SequentialTable, TagMemory};
pub use skewed::SkewedTable;
pub use stage::{Encounter, Stage};
pub use stages::Stages;
pub use tag_match::TagMatch;
pub use walk::ClearWalk;
pub use way::TableWay;
