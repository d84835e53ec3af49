//! The hot path table: a small memory that keeps the paths that count most, `sets` x `ways` entries of a descriptor and an accumulator.
//!
//! What becomes of a path that is not in it is the policy's affair: [`Replacement`].

mod index;
mod lfu;
mod numbered;
mod placed;
pub mod rrip;
pub mod shadow;
pub mod skewed;
mod tag;

pub use numbered::{NumberedPath, NumberedTable, Sets};
pub use placed::PlacedTable;
pub use rrip::RripTable;
pub use shadow::{Admission, ShadowTable};

use lfu::LfuTable;

use crate::config::{Geometry, Replacement};
use crate::path::{CompletedPath, PathDescriptor, Repeated};

/// An entry of the table in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableEntry {
    /// Which path.
    pub descriptor: PathDescriptor,
    /// Its accumulator, never 0.
    pub count: u32,
}

/// What a completed path did to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The path was there and its accumulator grew.
    Hit {
        /// The count did not fit: the accumulator stays at its maximum.
        saturated: bool,
    },
    /// The path took an empty way.
    Inserted,
    /// The path took the way of another one.
    Replaced {
        /// The accumulator that was lost.
        evicted: u32,
    },
    /// The path was not there and has count 0: nothing changed.
    Nothing,
    /// The table is frozen: the path was not looked up.
    Frozen,
}

/// What paths did to the table, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableTally {
    /// Paths that were there.
    pub hits: u64,
    /// Paths that took the way of another one.
    pub replacements: u64,
    /// A count did not fit into its accumulator.
    pub accumulator_saturated: bool,
}

impl TableTally {
    #[inline(always)]
    fn add(&mut self, lookup: Lookup) {
        match lookup {
            Lookup::Hit { saturated } => {
                self.hits += 1;
                self.accumulator_saturated |= saturated;
            }
            Lookup::Replaced { .. } => self.replacements += 1,
            Lookup::Inserted | Lookup::Nothing | Lookup::Frozen => {}
        }
    }
}

impl TableTally {
    /// What a path did that completed several times, `lookup` the first time: it was there the others, unless it counts nothing.
    #[inline(always)]
    fn add_repeated(&mut self, lookup: Lookup, times: u32) {
        self.add(lookup);
        if lookup != Lookup::Nothing {
            self.hits += u64::from(times) - 1;
        }
    }
}

impl From<Lookup> for TableTally {
    fn from(lookup: Lookup) -> Self {
        let mut tally = Self::default();
        tally.add(lookup);
        tally
    }
}

/// The set a path belongs to.
#[must_use]
pub fn set_index(geometry: &Geometry, path: &PathDescriptor) -> usize {
    index::Index::new(geometry).of(path)
}

/// The row in which a way may hold a path: its set, or with a policy that is [skewed](Replacement::is_skewed) by the way's own hash.
#[must_use]
pub fn row_index(geometry: &Geometry, path: &PathDescriptor, way: usize) -> usize {
    match geometry.replacement {
        Replacement::Lfu => set_index(geometry, path),
        Replacement::Shadow | Replacement::Rrip => skewed::row_index(geometry, path, way),
    }
}

/// The hot path table.
#[derive(Clone, Debug)]
pub struct HotPathTable {
    geometry: Geometry,
    policy: Policy,
    frozen: bool,
}

#[derive(Clone, Debug)]
enum Policy {
    Lfu(LfuTable),
    Shadow(ShadowTable),
    Rrip(RripTable),
}

impl HotPathTable {
    /// An empty table of this geometry, which must be valid. If its policy draws, its chances are those of
    /// [`DEFAULT_SEED`](shadow::DEFAULT_SEED).
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self::seeded(geometry, shadow::DEFAULT_SEED)
    }

    /// An empty table of this geometry, which must be valid; `seed` says what a policy that draws begins with.
    #[must_use]
    pub fn seeded(geometry: &Geometry, seed: u32) -> Self {
        Self {
            geometry: *geometry,
            policy: match geometry.replacement {
                Replacement::Lfu => Policy::Lfu(LfuTable::new(geometry)),
                Replacement::Shadow => Policy::Shadow(ShadowTable::new(geometry, seed)),
                Replacement::Rrip => Policy::Rrip(RripTable::new(geometry)),
            },
            frozen: false,
        }
    }

    /// A frozen table takes no paths; it can be read and cleared.
    pub const fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        match &mut self.policy {
            Policy::Lfu(table) => table.clear(),
            Policy::Shadow(table) => table.clear(),
            Policy::Rrip(table) => table.clear(),
        }
    }

    /// Looks a completed path up and counts it.
    ///
    /// The descriptor must be one that the path stack of this geometry makes: start aligned and within the width of an
    /// address, outcomes at and above `length` 0.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        if self.frozen {
            return Lookup::Frozen;
        }
        match &mut self.policy {
            Policy::Lfu(table) => table.record(path),
            Policy::Shadow(table) => table.record(path),
            Policy::Rrip(table) => table.record(path),
        }
    }

    /// [`record`](Self::record), and what a table with shadows did besides.
    #[inline]
    pub fn admit(&mut self, path: &CompletedPath) -> (Lookup, Admission) {
        match &mut self.policy {
            Policy::Shadow(table) if !self.frozen => table.admit(path),
            _ => (self.record(path), Admission::None),
        }
    }

    /// [`record`](Self::record) in a table with a drain: what left the table, if anything did. A count that does not fit into its accumulator makes the
    /// entry leave as it was; its path begins again with that count.
    pub fn record_leaving(&mut self, path: &CompletedPath) -> (Lookup, Option<TableEntry>) {
        let ways = self.geometry.ways as usize;
        let candidates: Vec<_> = (0..ways)
            .map(|way| row_index(&self.geometry, &path.descriptor, way) * ways + way)
            .map(|number| self.entry(number))
            .collect();
        let lookup = self.record(path);
        let leaves = matches!(
            lookup,
            Lookup::Replaced { .. } | Lookup::Hit { saturated: true }
        );
        let Some(number) = self.find(&path.descriptor).filter(|_| leaves) else {
            return (lookup, None);
        };
        let left = candidates[number % ways];
        if lookup != (Lookup::Hit { saturated: true }) {
            return (lookup, left);
        }
        match &mut self.policy {
            Policy::Lfu(table) => table.set_count(number, path.count),
            Policy::Rrip(table) => table.set_count(number, path.count),
            Policy::Shadow(_) => unreachable!("no geometry with shadows has a drain"),
        }
        (Lookup::Hit { saturated: false }, left)
    }

    /// Looks paths up and counts them, in their order, as [`record`](Self::record) would one by one.
    #[inline]
    pub fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        if self.frozen {
            return TableTally::default();
        }
        match &mut self.policy {
            Policy::Lfu(table) => table.record_all(paths),
            Policy::Shadow(table) => table.record_all(paths),
            Policy::Rrip(table) => table.record_all(paths),
        }
    }

    /// Looks paths up and counts them, in their order, each as often as it completed: as [`record`](Self::record) would, again and again.
    /// Constant time for a path, however often it completed; with shadows, which may sample each miss, for each time.
    #[inline]
    pub fn record_repeated(&mut self, paths: &[Repeated]) -> TableTally {
        if self.frozen {
            return TableTally::default();
        }
        match &mut self.policy {
            Policy::Lfu(table) => table.record_repeated(paths),
            Policy::Shadow(table) => table.record_repeated(paths),
            Policy::Rrip(table) => table.record_repeated(paths),
        }
    }

    /// The entry with number `row * ways + way`, `None` if that way is empty or there is none.
    #[must_use]
    pub fn entry(&self, number: usize) -> Option<TableEntry> {
        match &self.policy {
            Policy::Lfu(table) => table.entry(number),
            Policy::Shadow(table) => table.entry(number),
            Policy::Rrip(table) => table.entry(number),
        }
    }

    /// The number of the entry that holds a path. Time proportional to the ways.
    #[must_use]
    pub fn find(&self, path: &PathDescriptor) -> Option<usize> {
        match &self.policy {
            Policy::Lfu(table) => table.find(path),
            Policy::Shadow(table) => table.find(path),
            Policy::Rrip(table) => table.find(path),
        }
    }

    /// The entries in use with their numbers, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        let numbers = 0..self.geometry.entries() as usize;
        numbers.filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// The table with shadows, if the geometry asks for one.
    #[must_use]
    pub const fn shadow(&self) -> Option<&ShadowTable> {
        match &self.policy {
            Policy::Shadow(table) => Some(table),
            Policy::Lfu(_) | Policy::Rrip(_) => None,
        }
    }

    /// The words in which software reads the entry: start, outcomes (low words first), length, accumulator.
    /// All are 0 if the way is empty.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        entry_words(&self.geometry, self.entry(number))
    }
}

/// The words in which software reads an entry; all 0 for none.
pub fn entry_words(
    geometry: &Geometry,
    entry: Option<TableEntry>,
) -> impl Iterator<Item = u32> + use<> {
    let (descriptor, count) =
        entry.map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
    split_words(descriptor.start, geometry.start_words())
        .chain(split_words(descriptor.outcomes, geometry.outcome_words()))
        .chain([descriptor.length, count])
}

/// The low `words` 32-bit words of `value`, low word first.
fn split_words(value: u64, words: u32) -> impl Iterator<Item = u32> {
    (0..words).map(move |word| (value >> (32 * word)) as u32)
}
