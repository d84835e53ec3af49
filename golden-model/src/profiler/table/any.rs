//! The policies by which a table decides what to keep.

use core::fmt;

use serde::{Deserialize, Serialize};

use super::{HotPathTable, ShadowTable, TableEntry, TableTally};
use crate::config::Geometry;
use crate::path::CompletedPath;

/// What a table does with a path that is not in it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// It replaces the least frequently used entry of its set: the thesis's policy, and the circuits'.
    #[default]
    Lfu,
    /// It must show that it is hot before it replaces another; see [`ShadowTable`].
    Shadow,
}

impl Replacement {
    /// Every policy.
    pub const ALL: [Self; 2] = [Self::Lfu, Self::Shadow];
}

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lfu => "lfu",
            Self::Shadow => "shadow",
        })
    }
}

/// A table with either policy.
#[derive(Clone, Debug)]
pub enum AnyTable {
    /// [`Replacement::Lfu`].
    Lfu(HotPathTable),
    /// [`Replacement::Shadow`].
    Shadow(ShadowTable),
}

impl AnyTable {
    /// An empty table of this geometry, which must be valid; `seed` is for policies that draw.
    #[must_use]
    pub fn new(geometry: &Geometry, replacement: Replacement, seed: u32) -> Self {
        match replacement {
            Replacement::Lfu => Self::Lfu(HotPathTable::new(geometry)),
            Replacement::Shadow => Self::Shadow(ShadowTable::new(geometry, seed)),
        }
    }

    /// Looks paths up and counts them, in their order.
    pub fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        match self {
            Self::Lfu(table) => table.record_all(paths),
            Self::Shadow(table) => table.record_all(paths),
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        match self {
            Self::Lfu(table) => table.clear(),
            Self::Shadow(table) => table.clear(),
        }
    }

    /// The entries in use with their numbers, in ascending order.
    #[must_use]
    pub fn entries(&self) -> Vec<(usize, TableEntry)> {
        match self {
            Self::Lfu(table) => table.entries().collect(),
            Self::Shadow(table) => table.entries().collect(),
        }
    }
}
