//! A table's profile against the exact one.

use hpp_golden::profiler::{ExactProfile, TableEntry};
use serde::{Deserialize, Serialize};

/// How well a table holds a profile. All are parts of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// The overlap with the exact profile: over all paths, the sum of the smaller of the shares that the path has in both.
    pub overlap: f64,
    /// What the table accounts for: over all paths the sum of the smaller of the two counts, as a share of everything counted.
    pub accounted: f64,
    /// The best that a table of as many entries can do: the share of the hottest paths in everything counted.
    pub bound: f64,
}

impl Accuracy {
    /// The mean of each part; `None` of nothing.
    pub fn mean(all: &[Self]) -> Option<Self> {
        let mean = |part: fn(&Self) -> f64| all.iter().map(part).sum::<f64>() / all.len() as f64;
        (!all.is_empty()).then(|| Self {
            overlap: mean(|a| a.overlap),
            accounted: mean(|a| a.accounted),
            bound: mean(|a| a.bound),
        })
    }
}

/// Compares the entries of a table that has room for `room` with the exact profile of the same run. An empty profile
/// is held by every table.
///
/// `O(n)` for *n* different paths.
///
/// Source: Vaswani's thesis, section 5.5, after Arnold and Ryder, 2001 (the overlap).
///
/// ```
/// use hpp_explore::accuracy;
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::{ExactProfile, TableEntry};
///
/// let path = |start, count| CompletedPath { descriptor: PathDescriptor::new(start), count };
/// let mut exact = ExactProfile::new();
/// for path in [path(4, 6), path(8, 2)] {
///     exact.record(&path);
/// }
/// // The table has room for one path and held the second one at the end.
/// let entry = TableEntry { descriptor: PathDescriptor::new(8), count: 1 };
/// let found = accuracy([entry], 1, &exact);
/// assert_eq!((found.overlap, found.accounted, found.bound), (0.25, 0.125, 0.75));
/// ```
pub fn accuracy(
    table: impl IntoIterator<Item = TableEntry>,
    room: usize,
    exact: &ExactProfile,
) -> Accuracy {
    let entries: Vec<TableEntry> = table.into_iter().collect();
    let (held, total) = (
        entries.iter().map(|e| u64::from(e.count)).sum::<u64>() as f64,
        exact.total() as f64,
    );
    if total == 0.0 {
        return Accuracy {
            overlap: 1.0,
            accounted: 1.0,
            bound: 1.0,
        };
    }
    let (mut overlap, mut accounted) = (0.0, 0.0);
    for entry in entries.iter().filter(|entry| entry.count > 0) {
        let (count, all) = (f64::from(entry.count), exact.get(&entry.descriptor) as f64);
        overlap += (count / held).min(all / total);
        accounted += count.min(all) / total;
    }
    Accuracy {
        overlap,
        accounted,
        bound: hottest(exact, room) as f64 / total,
    }
}

/// The sum of the `n` greatest counts.
fn hottest(exact: &ExactProfile, n: usize) -> u64 {
    let mut counts: Vec<u64> = exact.iter().map(|(_, count)| count).collect();
    if n < counts.len() {
        counts.select_nth_unstable_by(n, |a, b| b.cmp(a));
        counts.truncate(n);
    }
    counts.iter().sum()
}
