//! The hot path table: a set-associative memory of paths and their counts, one path a cycle.

mod comparator;
mod fold;
mod index;
mod layout;
mod order;
mod stages;
mod table;
mod way;

pub use comparator::Comparator;
pub use fold::Fold;
pub use index::SetIndex;
pub use layout::{TAG_BITS, TagLayout};
pub use order::{ORDER_BITS, OrderRow};
pub use stages::Stages;
pub use table::HotPathTable;
pub use way::TableWay;
