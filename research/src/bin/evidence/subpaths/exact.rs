//! What a profiler that counts everything would report.

use std::cmp::Reverse;

use hpp_paths::subpath::{Encoding, SubpathId, count_subpaths, encoded_counts};
use rustc_hash::FxHashMap;

/// Exact counts under an encoding.
pub struct Exact {
    counts: FxHashMap<SubpathId, u64>,
    ranking: Vec<(SubpathId, u64)>,
}

impl Exact {
    pub fn of(
        blocks: &[u64],
        lengths: impl IntoIterator<Item = usize>,
        encoding: Encoding,
    ) -> Self {
        let counts = encoded_counts(&count_subpaths(blocks, lengths), encoding);
        let mut ranking: Vec<_> = counts.iter().map(|(&id, &count)| (id, count)).collect();
        ranking.sort_unstable_by_key(|&(id, count)| (Reverse(count), id));
        Self { counts, ranking }
    }

    pub fn count(&self, id: &SubpathId) -> u64 {
        self.counts.get(id).copied().unwrap_or(0)
    }

    /// One more than there are subpaths with a greater count.
    pub fn rank(&self, id: &SubpathId) -> usize {
        let count = self.count(id);
        1 + self.ranking.partition_point(|&(_, other)| other > count)
    }

    pub fn ranking(&self) -> &[(SubpathId, u64)] {
        &self.ranking
    }
}
