//! The exact profile: a table without bounds, against which the hot path table is judged.

use rustc_hash::FxHashMap;

use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::table::TableEntry;

/// Every path that counted, with its total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExactProfile {
    counts: FxHashMap<PathDescriptor, u64>,
}

impl ExactProfile {
    /// An empty profile.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a path's count; a path with count 0 is not stored. Constant time on average.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) {
        self.add(path.descriptor, u64::from(path.count));
    }

    /// Adds to the total of a path; 0 changes nothing. Constant time on average.
    pub fn add(&mut self, descriptor: PathDescriptor, count: u64) {
        if count > 0 {
            let total = self.counts.entry(descriptor).or_default();
            *total = total.saturating_add(count);
        }
    }

    /// The total of one path, 0 if it never counted.
    pub fn get(&self, path: &PathDescriptor) -> u64 {
        self.counts.get(path).copied().unwrap_or(0)
    }

    /// How many different paths counted.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether no path counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The sum over all paths.
    pub fn total(&self) -> u64 {
        self.counts
            .values()
            .fold(0, |sum, &c| sum.saturating_add(c))
    }

    /// The paths and their totals, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&PathDescriptor, u64)> {
        self.counts.iter().map(|(path, &count)| (path, count))
    }

    /// The paths, largest total first, equals by descriptor. `O(n log n)`.
    pub fn hottest(&self) -> Vec<(PathDescriptor, u64)> {
        let mut paths: Vec<_> = self.iter().map(|(path, count)| (*path, count)).collect();
        paths.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        paths
    }
}

impl FromIterator<TableEntry> for ExactProfile {
    /// The profile a table holds.
    fn from_iter<T: IntoIterator<Item = TableEntry>>(entries: T) -> Self {
        let mut profile = Self::new();
        for entry in entries {
            profile.add(entry.descriptor, u64::from(entry.count));
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_and_zeros_leave_no_trace() {
        let mut profile = ExactProfile::new();
        assert!(profile.is_empty());
        for (start, count) in [(4, u32::MAX), (8, 1), (4, u32::MAX), (12, 0), (16, 1)] {
            profile.record(&CompletedPath {
                descriptor: PathDescriptor::new(start),
                count,
            });
        }
        let expected = [(4, 2 * u64::from(u32::MAX)), (8, 1), (16, 1)];
        assert_eq!(
            profile.hottest(),
            expected.map(|(start, count)| (PathDescriptor::new(start), count))
        );
        assert_eq!((profile.len(), profile.total()), (3, expected[0].1 + 2));
        assert!(!profile.is_empty());
    }
}
