//! The hot path table: a small memory that keeps the paths that count most, `sets` x `ways` entries of a descriptor and an accumulator.
//!
//! What becomes of a path that is not in it is the policy's affair: [`Replacement`](crate::config::Replacement). Each is a file here that implements [`Policy`].

mod accumulator;
mod index;
mod lfu;
mod lookup;
mod numbered;
mod policy;
pub mod rrip;
pub mod shadow;
pub mod skewed;
mod tag;

pub use lookup::{Lookup, TableTally};
pub use numbered::{NumberedPath, NumberedTable};
pub use policy::Policy;
pub use rrip::RripTable;
pub use shadow::ShadowTable;
pub use skewed::Admission;

use lfu::LfuTable;
use policy::{Any, with_policy};

use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor, Repeated};

/// An entry of the table in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableEntry {
    /// Which path.
    pub descriptor: PathDescriptor,
    /// Its accumulator, never 0.
    pub count: u32,
}

/// The set a path belongs to.
#[must_use]
pub fn set_index(geometry: &Geometry, path: &PathDescriptor) -> usize {
    index::Index::new(geometry).of(path)
}

/// The row in which a way may hold a path: its set, or with a policy that is [skewed](crate::config::Replacement::is_skewed) by the way's own hash.
#[must_use]
pub fn row_index(geometry: &Geometry, path: &PathDescriptor, way: usize) -> usize {
    if geometry.replacement.is_skewed() {
        skewed::row_index(geometry, path, way)
    } else {
        set_index(geometry, path)
    }
}

/// The hot path table.
#[derive(Clone, Debug)]
pub struct HotPathTable {
    geometry: Geometry,
    table: Any<LfuTable, ShadowTable, RripTable>,
    frozen: bool,
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
            table: Any::new(
                geometry.replacement,
                || LfuTable::new(geometry),
                || ShadowTable::new(geometry, seed),
                || RripTable::new(geometry),
            ),
            frozen: false,
        }
    }

    /// A frozen table takes no paths; it can be read and cleared.
    pub const fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        with_policy!(&mut self.table, table => table.clear());
    }

    /// Looks a completed path up and counts it. In a table with a drain, a count that does not fit into its accumulator [restarts](Lookup::Restarted) the entry.
    ///
    /// The descriptor must be one that the path stack of this geometry makes: start aligned and within the width of an
    /// address, outcomes at and above `length` 0.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        if self.frozen {
            return Lookup::Frozen;
        }
        with_policy!(&mut self.table, table => match self.geometry.has_drain() {
            false => table.look_up::<_, false>(path),
            true => table.look_up::<_, true>(path),
        })
    }

    /// [`record`](Self::record), and what a table with shadows did besides.
    #[inline]
    pub fn admit(&mut self, path: &CompletedPath) -> (Lookup, Admission) {
        match &mut self.table {
            Any::Shadow(table) if !self.frozen => table.admit(path),
            _ => (self.record(path), Admission::None),
        }
    }

    /// Looks paths up and counts them, in their order, as [`record`](Self::record) would one by one.
    #[inline]
    pub fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        if self.frozen {
            return TableTally::default();
        }
        if self.geometry.has_drain() {
            return self.record_each(paths.iter().copied());
        }
        with_policy!(&mut self.table, table => table.record_all(paths))
    }

    /// Looks paths up and counts them, in their order, each as often as it completed: as [`record`](Self::record) would, again and again.
    /// Constant time for a path, however often it completed; with shadows, which may sample each miss, or with a drain, for each time.
    #[inline]
    pub fn record_repeated(&mut self, paths: &[Repeated]) -> TableTally {
        if self.frozen {
            return TableTally::default();
        }
        if self.geometry.has_drain() {
            let each = |repeated: &'_ Repeated| {
                core::iter::repeat_n(repeated.path, repeated.times as usize)
            };
            return self.record_each(paths.iter().flat_map(each));
        }
        with_policy!(&mut self.table, table => table.record_repeated(paths))
    }

    /// Where accumulators restart, one by one.
    fn record_each(&mut self, paths: impl Iterator<Item = CompletedPath>) -> TableTally {
        let mut tally = TableTally::default();
        paths.for_each(|path| tally.add(self.record(&path)));
        tally
    }

    /// The entry with number `row * ways + way`, `None` if that way is empty or there is none.
    #[must_use]
    pub fn entry(&self, number: usize) -> Option<TableEntry> {
        with_policy!(&self.table, table => table.entry(number))
    }

    /// The number of the entry that holds a path. Time proportional to the ways.
    #[must_use]
    pub fn find(&self, path: &PathDescriptor) -> Option<usize> {
        with_policy!(&self.table, table => table.find(path))
    }

    /// The entries in use with their numbers, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        let numbers = 0..self.geometry.entries() as usize;
        numbers.filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// The table with shadows, if the geometry asks for one.
    #[must_use]
    pub const fn shadow(&self) -> Option<&ShadowTable> {
        match &self.table {
            Any::Shadow(table) => Some(table),
            _ => None,
        }
    }

    /// The words in which software reads the entry: start, outcomes (low words first), length, accumulator.
    /// All are 0 if the way is empty.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        entry_words(&self.geometry, self.entry(number))
    }
}

/// The words in which software reads an entry; all 0 for none. A tiny profiler shows an entry as it stores it.
pub fn entry_words(
    geometry: &Geometry,
    entry: Option<TableEntry>,
) -> impl Iterator<Item = u32> + use<> {
    let (descriptor, count) =
        entry.map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
    let PathDescriptor {
        start,
        length,
        outcomes,
    } = descriptor;
    let tiny = geometry.is_tiny();
    let mark = u64::from(tiny && count > 0);
    let outcomes = match mark {
        0 => outcomes,
        _ => geometry.marked(length, outcomes),
    };
    split_words(start | mark, geometry.start_words())
        .chain(split_words(outcomes, geometry.outcome_words()))
        .chain((!tiny).then_some(length))
        .chain([count])
}

/// The low `words` 32-bit words of `value`, low word first.
fn split_words(value: u64, words: u32) -> impl Iterator<Item = u32> {
    (0..words).map(move |word| (value >> (32 * word)) as u32)
}
