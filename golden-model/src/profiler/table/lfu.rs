//! The table of the thesis: a set of ways a path, of which the least frequently used goes.
//!
//! The set is found by folding the descriptor; a path found in it adds its count to its accumulator, which saturates; one not found replaces
//! the entry with the least accumulator, the lowest-numbered of equals. A lookup takes time proportional to the ways.
//!
//! Source: Vaswani's thesis, section 5.4.

use super::index::Index;
use super::tag::{Layout, LongTag, ShortTag, Tag};
use super::{Lookup, TableEntry, TableTally};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::stack::BATCH;

/// The table of the thesis.
#[derive(Clone, Debug)]
pub(super) struct LfuTable {
    geometry: Geometry,
    tags: Tags,
    counts: Box<[u32]>,
    maximum: u32,
    index: Index,
    layout: Layout,
}

/// The tags of all entries, in as few words as the geometry allows.
#[derive(Clone, Debug)]
enum Tags {
    Short(Box<[ShortTag]>),
    Long(Box<[LongTag]>),
}

impl LfuTable {
    /// An empty table of this geometry, which must be valid.
    pub(super) fn new(geometry: &Geometry) -> Self {
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
            index: Index::new(geometry),
            layout: Layout::new(geometry),
        }
    }

    /// Empties the table.
    pub(super) fn clear(&mut self) {
        match &mut self.tags {
            Tags::Short(tags) => tags.fill(ShortTag::default()),
            Tags::Long(tags) => tags.fill(LongTag::default()),
        }
        self.counts.fill(0);
    }

    /// Looks a completed path up and counts it.
    ///
    #[inline]
    pub(super) fn record(&mut self, path: &CompletedPath) -> Lookup {
        let mut result = Lookup::Nothing;
        let set = [self.index.of(&path.descriptor) as u64];
        self.look_up(core::slice::from_ref(path), &set, |lookup| result = lookup);
        result
    }

    /// Looks paths up and counts them, in their order, as [`record`](Self::record) would one by one.
    #[inline]
    pub(super) fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        let mut tally = TableTally::default();
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

    /// Begins an accumulator again.
    pub(super) fn set_count(&mut self, number: usize, count: u32) {
        self.counts[number] = count;
    }

    /// The number of the entry that holds a path.
    pub(super) fn find(&self, path: &PathDescriptor) -> Option<usize> {
        let ways = self.geometry.ways as usize;
        let first = self.index.of(path) * ways;
        (first..first + ways).find(|&number| {
            self.entry(number)
                .is_some_and(|entry| entry.descriptor == *path)
        })
    }

    /// The entry with number `set * ways + way`, `None` if that way is empty or there is none.
    pub(super) fn entry(&self, number: usize) -> Option<TableEntry> {
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
pub(super) fn in_set<T: Copy + Eq>(
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
