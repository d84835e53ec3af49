//! The hot path table: a set-associative memory of paths and their counts, one path a cycle.

mod comparator;
mod fold;
mod hot_path;
mod index;
mod layout;
mod order;
mod stages;
mod tag_match;
mod way;

pub use comparator::Comparator;
pub use fold::Fold;
pub use hot_path::HotPathTable;
pub use index::SetIndex;
pub use layout::{TAG_BITS, TagLayout};
pub use order::{ORDER_BITS, OrderRow};
pub use stages::Stages;
pub use tag_match::TagMatch;
pub use way::TableWay;
