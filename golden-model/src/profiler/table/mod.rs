//! The hot path table: a small set-associative memory that keeps the paths that count most.
//!
//! `sets` x `ways` entries of a descriptor and an accumulator. The set is found by folding the descriptor; a path found
//! in it adds its count to its accumulator, which saturates; one not found replaces the least frequently used entry
//! of the set (LFU), the lowest-numbered of equals. A lookup takes time proportional to the ways.
//!
//! Source: Vaswani's thesis, section 5.4.

mod any;
mod index;
mod numbered;
pub mod shadow;
mod tag;

pub use any::{AnyTable, Replacement};
pub use numbered::{NumberedPath, NumberedTable, Sets};
pub use shadow::ShadowTable;

use index::Index;
use tag::{Layout, LongTag, ShortTag, Tag};

use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::stack::BATCH;

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
    Index::new(geometry).of(path)
}

/// The hot path table.
#[derive(Clone, Debug)]
pub struct HotPathTable {
    geometry: Geometry,
    tags: Tags,
    counts: Box<[u32]>,
    maximum: u32,
    frozen: bool,
    index: Index,
    layout: Layout,
}

/// The tags of all entries, in as few words as the geometry allows.
#[derive(Clone, Debug)]
enum Tags {
    Short(Box<[ShortTag]>),
    Long(Box<[LongTag]>),
}

impl HotPathTable {
    /// An empty table of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let entries = geometry.entries() as usize;
        Self {
            geometry: *geometry,
            tags: if Layout::is_short(geometry) {
                Tags::Short(vec![ShortTag::default(); entries].into())
            } else {
                Tags::Long(vec![LongTag::default(); entries].into())
            },
            counts: vec![0; entries].into(),
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            frozen: false,
            index: Index::new(geometry),
            layout: Layout::new(geometry),
        }
    }

    /// A frozen table takes no paths; it can be read and cleared.
    pub const fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        match &mut self.tags {
            Tags::Short(tags) => tags.fill(ShortTag::default()),
            Tags::Long(tags) => tags.fill(LongTag::default()),
        }
        self.counts.fill(0);
    }

    /// Looks a completed path up and counts it.
    ///
    /// The descriptor must be one that the path stack of this geometry makes: start aligned and within the width of an
    /// address, outcomes at and above `length` 0.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        let mut result = Lookup::Frozen;
        if !self.frozen {
            let set = [self.index.of(&path.descriptor) as u64];
            self.look_up(core::slice::from_ref(path), &set, |lookup| result = lookup);
        }
        result
    }

    /// Looks paths up and counts them, in their order, as [`record`](Self::record) would one by one.
    #[inline]
    pub fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        let mut tally = TableTally::default();
        if self.frozen {
            return tally;
        }
        let mut sets = [0; BATCH];
        for paths in paths.chunks(BATCH) {
            self.index.of_all(paths, &mut sets);
            self.look_up(paths, &sets, |lookup| tally.add(lookup));
        }
        tally
    }

    /// Looks paths up, each in the set of the same place, with as much known to the compiler as pays.
    #[inline]
    fn look_up(&mut self, paths: &[CompletedPath], sets: &[u64], sink: impl FnMut(Lookup)) {
        let counts = &mut *self.counts;
        let (ways, maximum, layout) = (self.geometry.ways as usize, self.maximum, self.layout);
        let found = paths.iter().zip(sets);
        match &mut self.tags {
            Tags::Short(tags) => in_sets(tags, counts, ways, layout, maximum, found, sink),
            Tags::Long(tags) => in_sets(tags, counts, ways, layout, maximum, found, sink),
        }
    }

    /// The entry with number `set * ways + way`, `None` if that way is empty or there is none.
    #[must_use]
    pub fn entry(&self, number: usize) -> Option<TableEntry> {
        match *self.counts.get(number)? {
            0 => None,
            count => Some(TableEntry {
                descriptor: match &self.tags {
                    Tags::Short(tags) => tags[number].descriptor(self.layout),
                    Tags::Long(tags) => tags[number].descriptor(self.layout),
                },
                count,
            }),
        }
    }

    /// The entries in use with their numbers, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        (0..self.counts.len()).filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// The words in which software reads the entry: start, outcomes (low words first), length, accumulator.
    /// All are 0 if the way is empty.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> {
        let (descriptor, count) = self
            .entry(number)
            .map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
        split_words(descriptor.start, self.geometry.start_words())
            .chain(split_words(
                descriptor.outcomes,
                self.geometry.outcome_words(),
            ))
            .chain([descriptor.length, count])
    }
}

/// The low `words` 32-bit words of `value`, low word first.
fn split_words(value: u64, words: u32) -> impl Iterator<Item = u32> {
    (0..words).map(move |word| (value >> (32 * word)) as u32)
}

/// Looks paths up, with the number of ways known to the compiler where it is a usual one.
#[inline]
fn in_sets<'a, T: Tag>(
    tags: &mut [T],
    counts: &mut [u32],
    ways: usize,
    layout: Layout,
    maximum: u32,
    paths: impl Iterator<Item = (&'a CompletedPath, &'a u64)>,
    sink: impl FnMut(Lookup),
) {
    match ways {
        2 => in_ways::<T, 2>(tags, counts, layout, maximum, paths, sink),
        4 => in_ways::<T, 4>(tags, counts, layout, maximum, paths, sink),
        8 => in_ways::<T, 8>(tags, counts, layout, maximum, paths, sink),
        _ => {
            let mut sink = sink;
            for (path, &set) in paths {
                let ways = set as usize * ways..(set as usize + 1) * ways;
                let tag = T::new(layout, &path.descriptor);
                let (tags, counts) = (&mut tags[ways.clone()], &mut counts[ways]);
                sink(in_set(tags, counts, tag, path.count, maximum));
            }
        }
    }
}

/// [`in_sets`] for a number of ways known to the compiler.
#[inline]
fn in_ways<'a, T: Tag, const WAYS: usize>(
    tags: &mut [T],
    counts: &mut [u32],
    layout: Layout,
    maximum: u32,
    paths: impl Iterator<Item = (&'a CompletedPath, &'a u64)>,
    mut sink: impl FnMut(Lookup),
) {
    let (tags, _) = tags.as_chunks_mut::<WAYS>();
    let (counts, _) = counts.as_chunks_mut::<WAYS>();
    for (path, &set) in paths {
        let tag = T::new(layout, &path.descriptor);
        let (tags, counts) = (&mut tags[set as usize], &mut counts[set as usize]);
        sink(in_set(tags, counts, tag, path.count, maximum));
    }
}

/// Looks a path up in one set.
#[inline(always)]
fn in_set<T: Copy + Eq>(
    tags: &mut [T],
    counts: &mut [u32],
    tag: T,
    count: u32,
    maximum: u32,
) -> Lookup {
    // An empty way is all zeros, which no tag is.
    let equal = (0..).zip(&*tags);
    let equal = equal.fold(0_u32, |equal, (way, &t)| equal | u32::from(t == tag) << way);
    if equal != 0 {
        let way = equal.trailing_zeros() as usize;
        let sum = u64::from(counts[way]) + u64::from(count);
        counts[way] = sum.min(u64::from(maximum)) as u32;
        return Lookup::Hit {
            saturated: sum > u64::from(maximum),
        };
    }
    if count == 0 {
        return Lookup::Nothing;
    }
    let victim = least(counts);
    let evicted = core::mem::replace(&mut counts[victim], count);
    tags[victim] = tag;
    match evicted {
        0 => Lookup::Inserted,
        _ => Lookup::Replaced { evicted },
    }
}

/// The lowest-numbered of the smallest counts, of at most 32: the least of the counts with their numbers below them.
#[inline(always)]
fn least(counts: &[u32]) -> usize {
    let numbered = (0_u64..).zip(counts);
    let keys = numbered.map(|(way, &count)| u64::from(count) << 5 | way);
    (keys.fold(u64::MAX, u64::min) & 31) as usize
}
