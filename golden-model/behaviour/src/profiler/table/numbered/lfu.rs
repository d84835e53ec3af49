//! The table of the thesis: a path's set is found by its number.

use super::NumberedPath;
use crate::config::Geometry;
use crate::path::CompletedPath;
use crate::profiler::table::accumulator::Accumulator;
use crate::profiler::table::index::Index;
use crate::profiler::table::lfu::in_set;
use crate::profiler::table::{Lookup, TableTally};

#[derive(Clone, Debug)]
pub(super) struct NumberedLfu {
    ways: usize,
    accumulator: Accumulator,
    sets: Sets,
    /// Numbers plus 1; 0 in an empty way.
    tags: Box<[u32]>,
    counts: Box<[u32]>,
}

/// The set of each path, by number.
#[derive(Clone, Debug)]
struct Sets {
    index: Index,
    /// A table has 4,096 sets at most.
    known: Vec<u16>,
}

/// The set of a path that has not come yet, beyond every set.
const UNKNOWN: u16 = u16::MAX;

impl Sets {
    /// Finds the sets of those that have none.
    fn learn(&mut self, paths: &[CompletedPath], numbers: &[NumberedPath]) {
        let greatest = numbers.iter().fold(0, |most, path| most.max(path.number)) as usize;
        self.known
            .resize(self.known.len().max(greatest + 1), UNKNOWN);
        for (path, numbered) in paths.iter().zip(numbers) {
            let set = &mut self.known[numbered.number as usize];
            if *set == UNKNOWN {
                *set = self.index.of(&path.descriptor) as u16;
            }
        }
    }
}

impl NumberedLfu {
    pub(super) fn new(geometry: &Geometry) -> Self {
        let empty = || vec![0; geometry.entries() as usize].into();
        Self {
            ways: geometry.ways as usize,
            accumulator: Accumulator::new(geometry),
            sets: Sets {
                index: Index::new(geometry),
                known: Vec::new(),
            },
            tags: empty(),
            counts: empty(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.tags.fill(0);
        self.counts.fill(0);
    }

    pub(super) fn record_all(
        &mut self,
        paths: &[CompletedPath],
        numbers: &[NumberedPath],
    ) -> TableTally {
        let (mut tally, mut done) = (TableTally::default(), 0);
        loop {
            let rest = &numbers[done..];
            let (counted, known) = match self.ways {
                1 => self.in_ways::<1>(tally, rest),
                2 => self.in_ways::<2>(tally, rest),
                4 => self.in_ways::<4>(tally, rest),
                8 => self.in_ways::<8>(tally, rest),
                16 => self.in_ways::<16>(tally, rest),
                32 => self.in_ways::<32>(tally, rest),
                ways => self.in_any_ways(ways, tally, rest),
            };
            (tally, done) = (counted, done + known);
            if done == numbers.len() {
                return tally;
            }
            self.sets.learn(&paths[done..], &numbers[done..]);
        }
    }

    /// Looks paths up as far as their sets are known; with how many that were.
    fn in_any_ways(
        &mut self,
        ways: usize,
        mut tally: TableTally,
        numbers: &[NumberedPath],
    ) -> (TableTally, usize) {
        for (done, path) in numbers.iter().enumerate() {
            let first = match self.sets.known.get(path.number as usize) {
                Some(&set) if set != UNKNOWN => usize::from(set) * ways,
                _ => return (tally, done),
            };
            let (tags, counts) = (&mut self.tags[first..], &mut self.counts[first..]);
            let (tags, counts) = (&mut tags[..ways], &mut counts[..ways]);
            tally.add(of_set(tags, counts, path, self.accumulator));
        }
        (tally, numbers.len())
    }

    /// [`in_any_ways`](Self::in_any_ways) for a number of ways known to the compiler.
    fn in_ways<const WAYS: usize>(
        &mut self,
        mut tally: TableTally,
        numbers: &[NumberedPath],
    ) -> (TableTally, usize) {
        let (sets, accumulator) = (self.sets.known.as_slice(), self.accumulator);
        let (tags, _) = self.tags.as_chunks_mut::<WAYS>();
        let (counts, _) = self.counts.as_chunks_mut::<WAYS>();
        let mut rest = numbers;
        while let [path, others @ ..] = rest {
            let Some(&set) = sets.get(path.number as usize) else {
                break;
            };
            // One that is not known is beyond the sets.
            let Some(tags) = tags.get_mut(usize::from(set)) else {
                break;
            };
            let counts = &mut counts[usize::from(set)];
            tally.add(of_set(tags, counts, path, accumulator));
            rest = others;
        }
        (tally, numbers.len() - rest.len())
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = NumberedPath> {
        let entries = self.tags.iter().zip(&self.counts);
        let used = entries.filter(|(_, count)| **count > 0);
        used.map(|(&tag, &count)| NumberedPath {
            number: tag - 1,
            count,
        })
    }
}

/// Looks a path up in its set.
#[inline(always)]
fn of_set(
    tags: &mut [u32],
    counts: &mut [u32],
    path: &NumberedPath,
    accumulator: Accumulator,
) -> Lookup<()> {
    let (tag, count) = (path.number + 1, (path.count, 1));
    in_set::<false, _, _>(tags, counts, tag, count, accumulator, |_, _| ())
}
