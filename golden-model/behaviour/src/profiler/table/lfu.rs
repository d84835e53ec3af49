//! The table of the thesis: a set of ways a path, of which the least frequently used goes.
//!
//! The set is found by folding the descriptor; a path found in it adds its count to its accumulator, which saturates; one not found replaces
//! the entry with the least accumulator, the lowest-numbered of equals. A lookup takes time proportional to the ways.
//!
//! Source: Vaswani's thesis, section 5.4.

use super::accumulator::Accumulator;
use super::index::Index;
use super::tag::{Evicted, Layout, LongTag, ShortTag, Tag};
use super::{Lookup, Policy, TableEntry, TableTally};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor, Repeated};
use crate::profiler::stack::BATCH;

/// The table of the thesis.
#[derive(Clone, Debug)]
pub(super) struct LfuTable {
    geometry: Geometry,
    tags: Tags,
    counts: Box<[u32]>,
    accumulator: Accumulator,
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
            accumulator: Accumulator::new(geometry),
            index: Index::new(geometry),
            layout: Layout::new(geometry),
        }
    }

    /// Looks paths up, each with how often it completed and its set, with as much known to the compiler as pays; the sink is told with
    /// what a path counts and how often.
    #[inline]
    fn look_up_in_sets<'a, E: Evicted, const RESTARTS: bool>(
        &mut self,
        found: impl Iterator<Item = Found<'a>>,
        sink: impl FnMut(Lookup<E>, u32, u32),
    ) {
        let counts = &mut *self.counts;
        let (ways, accumulator, layout) =
            (self.geometry.ways as usize, self.accumulator, self.layout);
        match &mut self.tags {
            Tags::Short(tags) => {
                in_sets::<_, E, RESTARTS>(tags, counts, ways, layout, accumulator, found, sink)
            }
            Tags::Long(tags) => {
                in_sets::<_, E, RESTARTS>(tags, counts, ways, layout, accumulator, found, sink)
            }
        }
    }
}

impl Policy for LfuTable {
    fn clear(&mut self) {
        match &mut self.tags {
            Tags::Short(tags) => tags.fill(ShortTag::default()),
            Tags::Long(tags) => tags.fill(LongTag::default()),
        }
        self.counts.fill(0);
    }

    #[inline]
    fn look_up<E: Evicted, const RESTARTS: bool>(&mut self, path: &CompletedPath) -> Lookup<E> {
        let mut result = Lookup::Nothing;
        let set = self.index.of(&path.descriptor) as u64;
        let once = core::iter::once((path, 1, set));
        self.look_up_in_sets::<E, RESTARTS>(once, |lookup, _, _| result = lookup);
        result
    }

    #[inline]
    fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        let mut tally = TableTally::default();
        let mut sets = [0; BATCH];
        for paths in paths.chunks(BATCH) {
            let descriptors = paths.iter().map(|path| &path.descriptor);
            self.index.of_all(descriptors, &mut sets);
            let found = paths.iter().zip(&sets).map(|(path, &set)| (path, 1, set));
            self.look_up_in_sets::<(), false>(found, |lookup, _, _| tally.add(lookup));
        }
        tally
    }

    #[inline]
    fn record_repeated(&mut self, paths: &[Repeated]) -> TableTally {
        let (mut tally, mut saturated) = (TableTally::default(), false);
        let (mut sets, accumulator) = ([0; BATCH], self.accumulator);
        for paths in paths.chunks(BATCH) {
            let descriptors = paths.iter().map(|repeated| &repeated.path.descriptor);
            self.index.of_all(descriptors, &mut sets);
            let found = paths.iter().zip(&sets);
            let found = found.map(|(repeated, &set)| (&repeated.path, repeated.times, set));
            self.look_up_in_sets::<(), false>(found, |lookup, count, times| {
                tally.add_repeated(lookup, times);
                // One that was not there as well.
                saturated |= !accumulator.fits(all(count, times));
            });
        }
        tally.accumulator_saturated |= saturated;
        tally
    }

    fn size(&self) -> usize {
        self.counts.len()
    }

    fn find(&self, path: &PathDescriptor) -> Option<usize> {
        let ways = self.geometry.ways as usize;
        let first = self.index.of(path) * ways;
        (first..first + ways).find(|&number| {
            self.entry(number)
                .is_some_and(|entry| entry.descriptor == *path)
        })
    }

    fn entry(&self, number: usize) -> Option<TableEntry> {
        match *self.counts.get(number)? {
            0 => None,
            count => Some(match &self.tags {
                Tags::Short(tags) => tags[number].entry(self.layout, count),
                Tags::Long(tags) => tags[number].entry(self.layout, count),
            }),
        }
    }
}

/// A path, how often it completed in a row, and its set.
type Found<'a> = (&'a CompletedPath, u32, u64);

/// Looks paths up, with the number of ways known to the compiler where it is a usual one.
#[inline]
fn in_sets<'a, T: Tag, E: Evicted, const RESTARTS: bool>(
    tags: &mut [T],
    counts: &mut [u32],
    ways: usize,
    layout: Layout,
    accumulator: Accumulator,
    paths: impl Iterator<Item = Found<'a>>,
    sink: impl FnMut(Lookup<E>, u32, u32),
) {
    match ways {
        2 => in_ways::<T, E, 2, RESTARTS>(tags, counts, layout, accumulator, paths, sink),
        4 => in_ways::<T, E, 4, RESTARTS>(tags, counts, layout, accumulator, paths, sink),
        8 => in_ways::<T, E, 8, RESTARTS>(tags, counts, layout, accumulator, paths, sink),
        _ => {
            let mut sink = sink;
            for (path, times, set) in paths {
                let ways = set as usize * ways..(set as usize + 1) * ways;
                let tag = T::new(layout, &path.descriptor);
                let (tags, counts) = (&mut tags[ways.clone()], &mut counts[ways]);
                let evicted = |tag: T, count| E::new(tag, layout, count);
                let count = (path.count, times);
                let lookup =
                    in_set::<RESTARTS, _, _>(tags, counts, tag, count, accumulator, evicted);
                sink(lookup, path.count, times);
            }
        }
    }
}

/// [`in_sets`] for a number of ways known to the compiler.
#[inline]
fn in_ways<'a, T: Tag, E: Evicted, const WAYS: usize, const RESTARTS: bool>(
    tags: &mut [T],
    counts: &mut [u32],
    layout: Layout,
    accumulator: Accumulator,
    paths: impl Iterator<Item = Found<'a>>,
    mut sink: impl FnMut(Lookup<E>, u32, u32),
) {
    let (tags, _) = tags.as_chunks_mut::<WAYS>();
    let (counts, _) = counts.as_chunks_mut::<WAYS>();
    for (path, times, set) in paths {
        let tag = T::new(layout, &path.descriptor);
        let (tags, counts) = (&mut tags[set as usize], &mut counts[set as usize]);
        let evicted = |tag: T, count| E::new(tag, layout, count);
        let count = (path.count, times);
        let lookup = in_set::<RESTARTS, _, _>(tags, counts, tag, count, accumulator, evicted);
        sink(lookup, path.count, times);
    }
}

/// What a path counts that completed several times.
#[inline(always)]
const fn all(count: u32, times: u32) -> u64 {
    count as u64 * times as u64
}

/// Looks a path up in one set, which counts so much and completed so many times in a row; what it did the first time.
#[inline(always)]
pub(super) fn in_set<const RESTARTS: bool, T: Copy + Eq, E>(
    tags: &mut [T],
    counts: &mut [u32],
    tag: T,
    (count, times): (u32, u32),
    accumulator: Accumulator,
    evicted: impl FnOnce(T, u32) -> E,
) -> Lookup<E> {
    // An empty way is all zeros, which no tag is.
    let equal = (0..).zip(&*tags);
    let equal = equal.fold(0_u32, |equal, (way, &t)| equal | u32::from(t == tag) << way);
    if equal != 0 {
        let way = equal.trailing_zeros() as usize;
        return accumulator.grow::<RESTARTS, _>(&mut counts[way], all(count, times), |before| {
            evicted(tag, before)
        });
    }
    if count == 0 {
        return Lookup::Nothing;
    }
    let victim = least(counts);
    let all = accumulator.limited(all(count, times));
    let count = core::mem::replace(&mut counts[victim], all);
    let tag = core::mem::replace(&mut tags[victim], tag);
    match count {
        0 => Lookup::Inserted,
        _ => Lookup::Replaced {
            evicted: evicted(tag, count),
        },
    }
}

/// The lowest-numbered of the smallest counts, of at most 32: the least of the counts with their numbers below them.
#[inline(always)]
fn least(counts: &[u32]) -> usize {
    let numbered = (0_u64..).zip(counts);
    let keys = numbered.map(|(way, &count)| u64::from(count) << 5 | way);
    (keys.fold(u64::MAX, u64::min) & 31) as usize
}
