//! The hot path table: a set-associative memory of paths and their counts. [`HotPathTable`] looks all ways of a set up at
//! once, one path a cycle; [`SerialTable`] one way after another.

mod accumulator;
mod comparator;
mod decision;
mod fold;
mod full;
mod hot_path;
mod index;
mod layout;
mod order;
mod serial;
mod serial_buffer;
mod stages;
mod tag_match;
mod way;

pub use accumulator::Accumulator;
pub use comparator::Comparator;
pub use decision::Decision;
pub use fold::Fold;
pub use full::SetFull;
pub use hot_path::HotPathTable;
pub use index::SetIndex;
pub use layout::{TAG_BITS, TagLayout};
pub use order::{ORDER_BITS, OrderRow};
pub use serial::SerialTable;
pub use serial_buffer::{HOLD_AT, PLACES, PathBuffer};
pub use stages::Stages;
pub use tag_match::TagMatch;
pub use way::TableWay;
