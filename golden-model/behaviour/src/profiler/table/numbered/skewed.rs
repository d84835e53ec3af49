//! Skewed tables: where each path is, is known by its number.
//!
//! A hit looks at one entry, and a miss that nothing comes of at none.

use super::NumberedPath;
use crate::config::Geometry;
use crate::path::CompletedPath;
use crate::profiler::table::skewed::{Folded, Skewed};
use crate::profiler::table::{Admission, Lookup, TableTally};

/// An entry's number, of which there are 2^16 at most, or one of the two below.
type Place = u32;

/// Nothing is known of the path; of an entry, that it is empty.
const UNKNOWN: Place = u32::MAX;

/// The path is not in the table, and no row is empty that it could take.
const OUTSIDE: Place = u32::MAX - 1;

/// A table, and where in it each path is.
#[derive(Clone, Debug)]
pub(super) struct Placed<Table> {
    table: Table,
    /// By a path's number.
    places: Vec<Place>,
    /// By a path's number, if it ever was outside.
    folded: Vec<Option<Folded>>,
    /// The paths' numbers, by that of the entry.
    paths: Box<[u32]>,
}

impl<Table: Skewed> Placed<Table> {
    pub(super) fn new(table: Table, geometry: &Geometry) -> Self {
        Self {
            table,
            places: Vec::new(),
            folded: Vec::new(),
            paths: vec![UNKNOWN; geometry.entries() as usize].into(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.places.fill(UNKNOWN);
        self.paths.fill(UNKNOWN);
    }

    pub(super) fn record_all(
        &mut self,
        paths: &[CompletedPath],
        numbers: &[NumberedPath],
    ) -> TableTally {
        let mut tally = TableTally::default();
        for (path, numbered) in paths.iter().zip(numbers) {
            let (number, drawn) = (numbered.number, self.table.draw());
            match self.places.get(number as usize) {
                Some(&OUTSIDE) if !drawn => {}
                Some(&place) if place < OUTSIDE => {
                    tally.add(self.table.hit::<(), false>(place as usize, path.count));
                }
                _ => tally.add(self.missed(path, number, drawn)),
            }
        }
        tally
    }

    #[inline(never)]
    fn missed(&mut self, path: &CompletedPath, number: u32, drawn: bool) -> Lookup<()> {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, UNKNOWN);
            self.folded.resize(number as usize + 1, None);
        }
        let known = &mut self.folded[number as usize];
        let folded = match *known {
            Some(folded) => folded,
            None => *known.insert(self.table.fold(path)),
        };
        let (lookup, admission) = self.table.miss(path, folded, drawn);
        match admission {
            Admission::Inserted(at) | Admission::Promoted { at, moved: None } => {
                self.take(at, number);
            }
            Admission::Promoted {
                at,
                moved: Some(to),
            } => {
                self.take(to, self.paths[at]);
                self.paths[at] = UNKNOWN;
                self.take(at, number);
            }
            // A path that counts nothing takes no empty row.
            _ if path.count == 0 => {}
            Admission::None | Admission::Strange | Admission::Grew => {
                self.places[number as usize] = OUTSIDE;
            }
        }
        lookup
    }

    /// A path takes an entry. Of one that leaves it nothing is known: another of its rows may be empty.
    fn take(&mut self, at: usize, number: u32) {
        if let Some(left) = self.places.get_mut(self.paths[at] as usize) {
            *left = UNKNOWN;
        }
        self.paths[at] = number;
        self.places[number as usize] = at as Place;
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = NumberedPath> {
        self.table.entries().map(|(at, entry)| NumberedPath {
            number: self.paths[at],
            count: entry.count,
        })
    }
}
