//! Phases: parts of a run that do the same.
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use super::overlap;

/// The phase of each interval of a run, by their profiles: an interval is of the first phase with whose first interval it
/// [overlaps](fn@overlap) so much or more, else it begins a new one. Phases are numbered from 0 in the order of their beginnings. At most
/// intervals times phases overlaps.
///
/// ```
/// use hpp_paths::metrics::phases;
/// use std::collections::HashMap;
/// let [read, sort] = [[("read", 9), ("check", 1)], [("sort", 7), ("check", 3)]].map(HashMap::from);
/// let write = HashMap::from([("write", 5)]);
/// let run = [read.clone(), read, sort.clone(), write, sort];
/// assert_eq!(phases(&run, 0.8), [0, 0, 1, 2, 1]);
/// ```
pub fn phases<K: Eq + Hash, S: BuildHasher>(
    intervals: &[HashMap<K, u64, S>],
    least: f64,
) -> Vec<usize> {
    let mut first: Vec<&HashMap<K, u64, S>> = Vec::new();
    let phase = |interval| {
        let known = first
            .iter()
            .position(|begun| overlap(begun, interval) >= least);
        known.unwrap_or_else(|| {
            first.push(interval);
            first.len() - 1
        })
    };
    intervals.iter().map(phase).collect()
}
