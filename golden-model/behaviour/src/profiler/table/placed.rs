//! The skewed tables for simulations that give each different path a number: where each path is, is known by its number.
//!
//! A hit looks at one entry, and a miss that nothing comes of at none. What is in the table is the same.

use super::skewed::Folded;
use super::{Admission, Lookup, NumberedPath, RripTable, ShadowTable, TableEntry, TableTally};
use crate::config::{Geometry, Replacement};
use crate::path::CompletedPath;

/// A [`ShadowTable`] or a [`RripTable`] of numbered paths.
///
/// ```
/// use hpp_golden::config::{Geometry, Replacement};
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::{HotPathTable, NumberedPath, PlacedTable};
///
/// let geometry = Geometry { sets: 2, ways: 1, replacement: Replacement::Rrip, ..Geometry::default() };
/// let paths = [0, 1, 2, 2].map(|number| CompletedPath {
///     descriptor: PathDescriptor::new(4 * number),
///     count: 1,
/// });
/// let numbers = [0, 1, 2, 2].map(|number| NumberedPath { number, count: 1 });
/// let (mut table, mut placed) = (HotPathTable::new(&geometry), PlacedTable::new(&geometry, 1).unwrap());
/// assert_eq!(placed.record_all(&paths, &numbers), table.record_all(&paths));
/// assert!(placed.entries().eq(table.entries().map(|(_, entry)| entry)));
/// ```
#[derive(Clone, Debug)]
pub enum PlacedTable {
    /// One that keeps what is hot.
    Shadow(Placed<ShadowTable>),
    /// One from which few entries leave.
    Rrip(Placed<RripTable>),
}

impl PlacedTable {
    /// An empty table of this geometry, which must be valid, and the seed of its chances, if it draws; `None` if its policy is not
    /// [skewed](Replacement::is_skewed).
    #[must_use]
    pub fn new(geometry: &Geometry, seed: u32) -> Option<Self> {
        match geometry.replacement {
            Replacement::Lfu => None,
            Replacement::Shadow => {
                let table = ShadowTable::new(geometry, seed);
                Some(Self::Shadow(Placed::new(table, geometry)))
            }
            Replacement::Rrip => {
                let table = RripTable::new(geometry);
                Some(Self::Rrip(Placed::new(table, geometry)))
            }
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        match self {
            Self::Shadow(placed) => placed.clear(ShadowTable::clear),
            Self::Rrip(placed) => placed.clear(RripTable::clear),
        }
    }

    /// Looks paths up and counts them, in their order; `numbers` are theirs. Constant time for a path that is found or not sampled, else as many
    /// steps as the table has ways. The memory grows with the largest number.
    pub fn record_all(&mut self, paths: &[CompletedPath], numbers: &[NumberedPath]) -> TableTally {
        match self {
            Self::Shadow(placed) => placed.record_all(paths, numbers),
            Self::Rrip(placed) => placed.record_all(paths, numbers),
        }
    }

    /// The entries in use, in ascending order of their numbers.
    pub fn entries(&self) -> impl Iterator<Item = TableEntry> {
        let (shadow, rrip) = match self {
            Self::Shadow(placed) => (Some(placed.table.entries()), None),
            Self::Rrip(placed) => (None, Some(placed.table.entries())),
        };
        let entries = shadow.into_iter().flatten();
        let entries = entries.chain(rrip.into_iter().flatten());
        entries.map(|(_, entry)| entry)
    }
}

/// What a path that was not in a table changed in it.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// No entry.
    None,
    /// The path took an entry, empty or not.
    Taken(usize),
    /// The path took entry `at`, whose occupant took entry `to`, empty or not.
    Moved {
        /// The path's.
        at: usize,
        /// The former occupant's.
        to: usize,
    },
}

/// A skewed table as its simulation by number sees it.
pub trait Skewed {
    /// Goes on to the next path: whether a miss with no row empty can change anything.
    fn draw(&mut self) -> bool;
    /// Counts a path that is in the entry with this number: whether the accumulator saturates.
    fn hit(&mut self, number: usize, count: u32) -> bool;
    /// Folds a path to where it may be.
    fn fold(&self, path: &CompletedPath) -> Folded;
    /// Looks up a path that is not in the table, behind a [draw](Self::draw).
    fn miss(&mut self, path: &CompletedPath, folded: Folded, drawn: bool) -> (Lookup, Change);
}

impl Skewed for ShadowTable {
    #[inline(always)]
    fn draw(&mut self) -> bool {
        Self::draw(self)
    }

    #[inline(always)]
    fn hit(&mut self, number: usize, count: u32) -> bool {
        Self::hit(self, number, count)
    }

    fn fold(&self, path: &CompletedPath) -> Folded {
        Self::fold(self, path)
    }

    fn miss(&mut self, path: &CompletedPath, folded: Folded, drawn: bool) -> (Lookup, Change) {
        let (lookup, admission) = self.look_up(path, folded, drawn);
        let change = match admission {
            Admission::Inserted(at) | Admission::Promoted { at, moved: None } => Change::Taken(at),
            Admission::Promoted {
                at,
                moved: Some(to),
            } => Change::Moved { at, to },
            Admission::None | Admission::Strange | Admission::Grew => Change::None,
        };
        (lookup, change)
    }
}

impl Skewed for RripTable {
    #[inline(always)]
    fn draw(&mut self) -> bool {
        true
    }

    #[inline(always)]
    fn hit(&mut self, number: usize, count: u32) -> bool {
        Self::hit(self, number, count)
    }

    fn fold(&self, path: &CompletedPath) -> Folded {
        Self::fold(self, path)
    }

    #[inline(always)]
    fn miss(&mut self, path: &CompletedPath, folded: Folded, _: bool) -> (Lookup, Change) {
        let (lookup, taken) = Self::miss(self, path, folded);
        (lookup, taken.map_or(Change::None, Change::Taken))
    }
}

/// An entry's number, of which there are 2^16 at most, or one of the two below.
type Place = u32;

/// Nothing is known of the path; of an entry, that it is empty.
const UNKNOWN: Place = u32::MAX;

/// The path is not in the table, and no row is empty that it could take.
const OUTSIDE: Place = u32::MAX - 1;

/// A table, and where in it each path is.
#[derive(Clone, Debug)]
pub struct Placed<Table> {
    table: Table,
    /// By a path's number.
    places: Vec<Place>,
    /// By a path's number, if it ever was outside.
    folded: Vec<Option<Folded>>,
    /// The paths' numbers, by that of the entry.
    paths: Box<[u32]>,
}

impl<Table: Skewed> Placed<Table> {
    fn new(table: Table, geometry: &Geometry) -> Self {
        Self {
            table,
            places: Vec::new(),
            folded: Vec::new(),
            paths: vec![UNKNOWN; geometry.entries() as usize].into(),
        }
    }

    fn clear(&mut self, table: fn(&mut Table)) {
        table(&mut self.table);
        self.places.fill(UNKNOWN);
        self.paths.fill(UNKNOWN);
    }

    fn record_all(&mut self, paths: &[CompletedPath], numbers: &[NumberedPath]) -> TableTally {
        let mut tally = TableTally::default();
        for (path, numbered) in paths.iter().zip(numbers) {
            tally.add(self.record(path, numbered.number));
        }
        tally
    }

    #[inline(always)]
    fn record(&mut self, path: &CompletedPath, number: u32) -> Lookup {
        let drawn = self.table.draw();
        match self.places.get(number as usize) {
            Some(&OUTSIDE) if !drawn => Lookup::Nothing,
            Some(&place) if place < OUTSIDE => {
                let saturated = self.table.hit(place as usize, path.count);
                Lookup::Hit { saturated }
            }
            _ => self.missed(path, number, drawn),
        }
    }

    #[inline(never)]
    fn missed(&mut self, path: &CompletedPath, number: u32, drawn: bool) -> Lookup {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, UNKNOWN);
            self.folded.resize(number as usize + 1, None);
        }
        let known = &mut self.folded[number as usize];
        let folded = match *known {
            Some(folded) => folded,
            None => *known.insert(self.table.fold(path)),
        };
        let (lookup, change) = self.table.miss(path, folded, drawn);
        match change {
            // A path that counts nothing takes no empty row.
            Change::None if path.count == 0 => {}
            Change::None => self.places[number as usize] = OUTSIDE,
            Change::Taken(at) => self.take(at, number),
            Change::Moved { at, to } => {
                self.take(to, self.paths[at]);
                self.paths[at] = UNKNOWN;
                self.take(at, number);
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
}
