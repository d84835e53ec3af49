//! The hot path table for simulations that give each different path a number.
//!
//! Where a path may be is computed once, and paths are compared by number. What is in the table is the same.

mod lfu;
mod skewed;

use lfu::NumberedLfu;
use skewed::Placed;

use super::policy::{Any, with_policy};
use super::{RripTable, ShadowTable, TableTally};
use crate::config::Geometry;
use crate::path::CompletedPath;

/// A path that completed, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedPath {
    /// Which path; less than 2^32 - 2.
    pub number: u32,
    /// What it counts.
    pub count: u32,
}

/// A [`HotPathTable`](super::HotPathTable) without a drain, of numbered paths.
///
/// ```
/// use hpp_golden::config::{Geometry, Replacement};
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::{HotPathTable, NumberedPath, NumberedTable};
///
/// for replacement in Replacement::ALL {
///     let geometry = Geometry { sets: 2, ways: 1, replacement, ..Geometry::default() };
///     let paths = [0, 1, 2, 2].map(|number| CompletedPath {
///         descriptor: PathDescriptor::new(4 * number),
///         count: 1,
///     });
///     let numbers = [0, 1, 2, 2].map(|number| NumberedPath { number, count: 1 });
///     let (mut table, mut numbered) = (HotPathTable::new(&geometry), NumberedTable::new(&geometry, 1));
///     assert_eq!(numbered.record_all(&paths, &numbers), table.record_all(&paths));
///     let counts = table.entries().map(|(_, entry)| entry.count);
///     assert!(numbered.entries().map(|entry| entry.count).eq(counts));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct NumberedTable(Any<NumberedLfu, Placed<ShadowTable>, Placed<RripTable>>);

impl NumberedTable {
    /// An empty table of this geometry, which must be valid, and the seed of its chances, if it draws.
    #[must_use]
    pub fn new(geometry: &Geometry, seed: u32) -> Self {
        let geometry = &Geometry {
            drain_depth: 0,
            ..*geometry
        };
        Self(Any::new(
            geometry.replacement,
            || NumberedLfu::new(geometry),
            || Placed::new(ShadowTable::new(geometry, seed), geometry),
            || Placed::new(RripTable::new(geometry), geometry),
        ))
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        with_policy!(&mut self.0, table => table.clear());
    }

    /// Looks paths up and counts them, in their order; `numbers` are theirs. In sets as many steps a path as there are ways; in a skewed table constant time
    /// for a path that is found or not sampled, else as many steps as there are ways. The memory grows with the largest number.
    pub fn record_all(&mut self, paths: &[CompletedPath], numbers: &[NumberedPath]) -> TableTally {
        with_policy!(&mut self.0, table => table.record_all(paths, numbers))
    }

    /// The entries in use, in ascending order of where they are.
    pub fn entries(&self) -> Box<dyn Iterator<Item = NumberedPath> + '_> {
        with_policy!(&self.0, table => Box::new(table.entries()))
    }
}
