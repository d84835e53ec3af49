//! The entries of a table, under any policy.

use super::skewed::{Folded, Places};
use super::{Admission, Lookup, TableEntry};
use crate::config::Geometry;
use crate::path::PathDescriptor;

/// The path and the accumulator of each entry. One whose accumulator is 0 is empty.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    paths: Box<[PathDescriptor]>,
    counts: Box<[u32]>,
    /// The greatest value of an accumulator.
    maximum: u32,
    /// Whether an entry whose accumulator cannot grow begins again, because a drain takes it as it was.
    restarts: bool,
    /// Which of them may hold a path.
    pub places: Places,
}

impl Entries {
    pub(super) fn new(geometry: &Geometry) -> Self {
        let entries = geometry.entries() as usize;
        Self {
            paths: vec![PathDescriptor::default(); entries].into(),
            counts: vec![0; entries].into(),
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            restarts: geometry.has_drain(),
            places: Places::new(geometry),
        }
    }

    pub(super) fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// An accumulator; 0 if the entry is empty.
    #[inline]
    pub(super) fn count(&self, number: usize) -> u32 {
        self.counts[number]
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> Option<TableEntry> {
        match *self.counts.get(number)? {
            0 => None,
            count => Some(TableEntry {
                descriptor: self.paths[number],
                count,
            }),
        }
    }

    /// Whether there is an entry of this number that holds a path.
    #[inline(always)]
    pub(super) fn holds(&self, number: usize, path: &PathDescriptor) -> bool {
        self.paths.get(number) == Some(path) && self.counts[number] > 0
    }

    /// The number of the entry that holds a path.
    #[inline(always)]
    pub(super) fn find(&self, folded: Folded, path: &PathDescriptor) -> Option<usize> {
        self.places
            .candidates(folded)
            .find(|&number| self.holds(number, path))
    }

    /// A count modulo the values of an accumulator.
    pub(super) const fn wrapped(&self, count: u64) -> u32 {
        count as u32 & self.maximum
    }

    /// As much of a count as fits into an accumulator.
    #[inline]
    fn limited(&self, count: u64) -> u32 {
        count.min(self.maximum.into()) as u32
    }

    /// The accumulator of an entry grows. If the sum does not fit, it saturates, or the entry begins again.
    #[inline(always)]
    pub(super) fn grow(&mut self, number: usize, count: u32) -> Lookup {
        let sum = u64::from(self.counts[number]) + u64::from(count);
        let saturated = sum > self.maximum.into();
        if saturated && self.restarts {
            let evicted = self.get(number).expect("a path was found there");
            self.counts[number] = self.limited(count.into());
            return Lookup::Restarted { evicted };
        }
        self.counts[number] = self.limited(sum);
        Lookup::Hit { saturated }
    }

    /// A path takes the entry that a policy has given it, if any, and begins there with this count.
    #[inline(always)]
    pub(super) fn take(&mut self, admission: Admission, path: &PathDescriptor, count: u32) {
        if let Admission::Taken(at) = admission {
            (self.paths[at], self.counts[at]) = (*path, count.min(self.maximum));
        }
    }
}

/// The first of the candidates whose key is least. The keys are compared with their ways below them, because a branch on one is hard to foresee.
#[inline(always)]
pub(super) fn least(candidates: &[usize], key: impl Fn(usize) -> u32) -> usize {
    let keys = (0..).zip(candidates);
    let keys = keys.map(|(way, &number)| u64::from(key(number)) << 8 | way);
    let way = keys.fold(u64::MAX, u64::min) & 0xff;
    candidates[way as usize]
}
