//! The hot path table for simulations that give each different path a number.
//!
//! The set of a path is computed once, and a look-up compares numbers of 32 bits instead of descriptors. What is in the table is
//! the same.

use super::TableTally;
use super::index::Index;
use super::lfu::in_set;
use crate::config::Geometry;
use crate::path::PathDescriptor;

/// A path that completed, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedPath {
    /// Which path; less than 2^32 - 1.
    pub number: u32,
    /// What it counts.
    pub count: u32,
}

/// The set of each path, by number.
#[derive(Clone, Debug)]
pub struct Sets {
    index: Index,
    sets: Vec<u16>,
}

impl Sets {
    /// Of no path yet, in tables of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            index: Index::new(geometry),
            sets: Vec::new(),
        }
    }

    /// Numbers the paths behind those that have numbers. Constant time a path.
    pub fn extend<'a>(&mut self, paths: impl Iterator<Item = &'a PathDescriptor>) {
        let index = &self.index;
        // A table has 4,096 sets at most.
        self.sets.extend(paths.map(|path| index.of(path) as u16));
    }

    /// How many paths have numbers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether no path has a number.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
}

/// A [`HotPathTable`](super::HotPathTable) of numbered paths.
///
/// ```
/// use hpp_golden::config::Geometry;
/// use hpp_golden::path::PathDescriptor;
/// use hpp_golden::profiler::{NumberedPath, NumberedTable, Sets};
///
/// let geometry = Geometry { sets: 2, ways: 1, ..Geometry::default() };
/// let (mut sets, mut table) = (Sets::new(&geometry), NumberedTable::new(&geometry));
/// sets.extend([PathDescriptor::new(0x10), PathDescriptor::new(0x20)].iter());
/// let paths = [0, 0, 1].map(|number| NumberedPath { number, count: 1 });
/// let tally = table.record_all(&sets, &paths);
/// assert_eq!((tally.hits, tally.replacements), (1, 1));
/// assert!(table.entries().eq([NumberedPath { number: 1, count: 1 }]));
/// ```
#[derive(Clone, Debug)]
pub struct NumberedTable {
    ways: usize,
    maximum: u32,
    /// Numbers plus 1; 0 in an empty way.
    tags: Box<[u32]>,
    counts: Box<[u32]>,
}

impl NumberedTable {
    /// An empty table of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let empty = || vec![0; geometry.entries() as usize].into();
        Self {
            ways: geometry.ways as usize,
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            tags: empty(),
            counts: empty(),
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.tags.fill(0);
        self.counts.fill(0);
    }

    /// Looks paths up and counts them, in their order. Time proportional to the ways.
    ///
    /// # Panics
    ///
    /// If a path has no set.
    pub fn record_all(&mut self, sets: &Sets, paths: &[NumberedPath]) -> TableTally {
        match self.ways {
            1 => self.in_ways::<1>(sets, paths),
            2 => self.in_ways::<2>(sets, paths),
            4 => self.in_ways::<4>(sets, paths),
            8 => self.in_ways::<8>(sets, paths),
            16 => self.in_ways::<16>(sets, paths),
            32 => self.in_ways::<32>(sets, paths),
            ways => {
                let mut tally = TableTally::default();
                for path in paths {
                    let set = usize::from(sets.sets[path.number as usize]) * ways;
                    let tags = &mut self.tags[set..set + ways];
                    let counts = &mut self.counts[set..set + ways];
                    tally.add(in_set(
                        tags,
                        counts,
                        path.number + 1,
                        (path.count, 1),
                        self.maximum,
                    ));
                }
                tally
            }
        }
    }

    /// [`record_all`](Self::record_all) for a number of ways known to the compiler.
    fn in_ways<const WAYS: usize>(&mut self, sets: &Sets, paths: &[NumberedPath]) -> TableTally {
        let mut tally = TableTally::default();
        let (tags, _) = self.tags.as_chunks_mut::<WAYS>();
        let (counts, _) = self.counts.as_chunks_mut::<WAYS>();
        for path in paths {
            let set = usize::from(sets.sets[path.number as usize]);
            let (tags, counts) = (&mut tags[set], &mut counts[set]);
            tally.add(in_set(
                tags,
                counts,
                path.number + 1,
                (path.count, 1),
                self.maximum,
            ));
        }
        tally
    }

    /// The entries in use.
    pub fn entries(&self) -> impl Iterator<Item = NumberedPath> {
        let used = self
            .tags
            .iter()
            .zip(&self.counts)
            .filter(|(_, count)| **count > 0);
        used.map(|(&tag, &count)| NumberedPath {
            number: tag - 1,
            count,
        })
    }
}
