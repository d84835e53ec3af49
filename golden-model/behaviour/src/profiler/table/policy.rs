//! What every policy does.

use super::tag::Evicted;
use super::{Lookup, TableEntry, TableTally};
use crate::config::Replacement;
use crate::path::{CompletedPath, PathDescriptor, Repeated};

/// A table under one policy: what becomes of a path, in the table or not.
///
/// A policy is a file beside this one that implements this, and a variant of `Any`.
pub trait Policy: Sized {
    /// Empties the table.
    fn clear(&mut self);

    /// Looks a completed path up and counts it. Where its count does not fit, its accumulator saturates, or if it `RESTARTS` the entry is evicted and begins
    /// again. Time proportional to the ways.
    fn look_up<E: Evicted, const RESTARTS: bool>(&mut self, path: &CompletedPath) -> Lookup<E>;

    /// Looks a completed path up and counts it.
    #[inline]
    fn record(&mut self, path: &CompletedPath) -> Lookup {
        self.look_up::<_, false>(path)
    }

    /// Looks paths up and counts them, in their order.
    #[inline]
    fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        record_each(self, paths)
    }

    /// Looks paths up and counts them, in their order, each as often as it completed.
    fn record_repeated(&mut self, paths: &[Repeated]) -> TableTally {
        let mut tally = TableTally::default();
        for Repeated { path, times } in paths {
            (0..*times).for_each(|_| tally.add(self.look_up::<(), false>(path)));
        }
        tally
    }

    /// How many entries there are, in use or not.
    fn size(&self) -> usize;

    /// The entry with number `row * ways + way`, `None` if it is empty or there is none.
    fn entry(&self, number: usize) -> Option<TableEntry>;

    /// The number of the entry that holds a path. Time proportional to the ways.
    fn find(&self, path: &PathDescriptor) -> Option<usize>;

    /// The entries in use with their numbers, in ascending order.
    fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        (0..self.size()).filter_map(|number| Some((number, self.entry(number)?)))
    }
}

/// Looks paths up and counts them, one after another.
pub(super) fn record_each(table: &mut impl Policy, paths: &[CompletedPath]) -> TableTally {
    let mut tally = TableTally::default();
    for path in paths {
        tally.add(table.look_up::<(), false>(path));
    }
    tally
}

/// Something of any policy: the one place that distinguishes policies.
#[derive(Clone, Debug)]
pub(super) enum Any<Lfu, Shadow, Rrip> {
    Lfu(Lfu),
    Shadow(Shadow),
    Rrip(Rrip),
}

impl<Lfu, Shadow, Rrip> Any<Lfu, Shadow, Rrip> {
    /// What one of three makes.
    pub(super) fn new(
        policy: Replacement,
        lfu: impl FnOnce() -> Lfu,
        shadow: impl FnOnce() -> Shadow,
        rrip: impl FnOnce() -> Rrip,
    ) -> Self {
        match policy {
            Replacement::Lfu => Self::Lfu(lfu()),
            Replacement::Shadow => Self::Shadow(shadow()),
            Replacement::Rrip => Self::Rrip(rrip()),
        }
    }
}

/// Does the same with [`Any`] of them, compiled for each.
macro_rules! with_policy {
    ($any:expr, $table:ident => $does:expr) => {
        match $any {
            $crate::profiler::table::policy::Any::Lfu($table) => $does,
            $crate::profiler::table::policy::Any::Shadow($table) => $does,
            $crate::profiler::table::policy::Any::Rrip($table) => $does,
        }
    };
}

pub(super) use with_policy;
