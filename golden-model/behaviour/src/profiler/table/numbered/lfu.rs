//! The table of the thesis: a path's set is found by its number.

use super::NumberedPath;
use crate::config::Geometry;
use crate::path::CompletedPath;
use crate::profiler::table::TableTally;
use crate::profiler::table::accumulator::Accumulator;
use crate::profiler::table::index::Index;
use crate::profiler::table::lfu::in_set;

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

/// The set of a path that was not seen yet.
const UNKNOWN: u16 = u16::MAX;

impl Sets {
    #[inline(always)]
    fn of(&mut self, number: u32, path: &CompletedPath) -> usize {
        match self.known.get(number as usize) {
            Some(&set) if set != UNKNOWN => set.into(),
            _ => self.of_new(number as usize, path),
        }
    }

    #[inline(never)]
    fn of_new(&mut self, number: usize, path: &CompletedPath) -> usize {
        if self.known.len() <= number {
            self.known.resize(number + 1, UNKNOWN);
        }
        let set = self.index.of(&path.descriptor);
        self.known[number] = set as u16;
        set
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
        match self.ways {
            1 => self.in_ways::<1>(paths, numbers),
            2 => self.in_ways::<2>(paths, numbers),
            4 => self.in_ways::<4>(paths, numbers),
            8 => self.in_ways::<8>(paths, numbers),
            16 => self.in_ways::<16>(paths, numbers),
            32 => self.in_ways::<32>(paths, numbers),
            ways => {
                let mut tally = TableTally::default();
                for (path, numbered) in paths.iter().zip(numbers) {
                    let set = self.sets.of(numbered.number, path) * ways;
                    let tags = &mut self.tags[set..set + ways];
                    let counts = &mut self.counts[set..set + ways];
                    let count = (numbered.count, 1);
                    tally.add(in_set(tags, counts, numbered.number + 1, count, self.accumulator));
                }
                tally
            }
        }
    }

    /// [`record_all`](Self::record_all) for a number of ways known to the compiler.
    fn in_ways<const WAYS: usize>(
        &mut self,
        paths: &[CompletedPath],
        numbers: &[NumberedPath],
    ) -> TableTally {
        let mut tally = TableTally::default();
        let (tags, _) = self.tags.as_chunks_mut::<WAYS>();
        let (counts, _) = self.counts.as_chunks_mut::<WAYS>();
        for (path, numbered) in paths.iter().zip(numbers) {
            let set = self.sets.of(numbered.number, path);
            let (tags, counts) = (&mut tags[set], &mut counts[set]);
            let count = (numbered.count, 1);
            tally.add(in_set(tags, counts, numbered.number + 1, count, self.accumulator));
        }
        tally
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
