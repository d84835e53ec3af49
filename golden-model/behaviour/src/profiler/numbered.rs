//! The hot path table for simulations that give each different path a number.
//!
//! The candidate entries of a path are computed once, and its entry is remembered. So a hit reads one entry, and a miss of a path that is known to be
//! outside and may not replace another reads none. The contents are those of [`HotPathTable`].

use super::table::skewed::Folded;
use super::table::{Admission, HotPathTable, TableTally};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};

/// A path that completed, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedPath {
    /// Which path; less than 2^32 - 2.
    pub number: u32,
    /// What it counts.
    pub count: u32,
}

/// An entry's number, of which there are 2^17 at most, or one of the two below.
type Place = u32;

/// Nothing is known of the path; of an entry, that it is empty.
const UNKNOWN: Place = u32::MAX;

/// The path is not in the table, and no row is empty that it could take.
const OUTSIDE: Place = u32::MAX - 1;

/// A [`HotPathTable`] without a drain, of numbered paths.
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
///     numbered.record_all(&numbers, |number| paths[number as usize].descriptor);
///     paths.iter().for_each(|path| _ = table.record(path));
///     let counts = table.entries().map(|(_, entry)| entry.count);
///     assert!(numbered.entries().map(|entry| entry.count).eq(counts));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct NumberedTable {
    table: HotPathTable,
    places: Vec<Place>,
    /// By a path's number, if it ever missed.
    folded: Vec<Option<Folded>>,
    /// The paths' numbers, by that of the entry.
    paths: Box<[u32]>,
}

impl NumberedTable {
    /// An empty table of this geometry, which must be valid, and the seed of its chances, if it draws.
    #[must_use]
    pub fn new(geometry: &Geometry, seed: u32) -> Self {
        let geometry = Geometry {
            drain_depth: 0,
            ..*geometry
        };
        Self {
            table: HotPathTable::seeded(&geometry, seed),
            places: Vec::new(),
            folded: Vec::new(),
            paths: vec![UNKNOWN; geometry.entries() as usize].into(),
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.table.clear();
        self.places.fill(UNKNOWN);
        self.paths.fill(UNKNOWN);
    }

    /// Looks paths up by number and counts them, in their order; `path` says which a number is. Constant time for a path that is found or not sampled, else as many
    /// steps as there are ways. The memory grows with the largest number.
    pub fn record_all(
        &mut self,
        numbers: &[NumberedPath],
        path: impl Fn(u32) -> PathDescriptor,
    ) -> TableTally {
        let mut tally = TableTally::default();
        for &NumberedPath { number, count } in numbers {
            let drawn = self.table.draw();
            match self.places.get(number as usize) {
                Some(&OUTSIDE) if !drawn => {}
                Some(&place) if place < OUTSIDE => {
                    tally.add(self.table.hit(place as usize, count));
                }
                _ => {
                    let descriptor = path(number);
                    let path = CompletedPath { descriptor, count };
                    self.missed(&path, number, drawn, &mut tally);
                }
            }
        }
        tally
    }

    #[inline(never)]
    fn missed(&mut self, path: &CompletedPath, number: u32, drawn: bool, tally: &mut TableTally) {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, UNKNOWN);
            self.folded.resize(number as usize + 1, None);
        }
        let known = &mut self.folded[number as usize];
        let folded = *known.get_or_insert_with(|| self.table.fold(&path.descriptor));
        let (replaces, admission) = self.table.missed(folded, path, drawn);
        tally.replacements += u64::from(replaces);
        match admission {
            Admission::Taken(at) => self.take(at, number),
            // A path that counts nothing takes no empty row.
            _ if path.count == 0 => {}
            Admission::None | Admission::Grew => {
                self.places[number as usize] = OUTSIDE;
            }
        }
    }

    /// A path takes an entry. The path that leaves it becomes [`UNKNOWN`], not [`OUTSIDE`], as another of its rows may be empty.
    fn take(&mut self, at: usize, number: u32) {
        if let Some(left) = self.places.get_mut(self.paths[at] as usize) {
            *left = UNKNOWN;
        }
        self.paths[at] = number;
        self.places[number as usize] = at as Place;
    }

    /// The entries in use, in ascending order of where they are.
    pub fn entries(&self) -> impl Iterator<Item = NumberedPath> {
        self.table.entries().map(|(at, entry)| NumberedPath {
            number: self.paths[at],
            count: entry.count,
        })
    }
}
