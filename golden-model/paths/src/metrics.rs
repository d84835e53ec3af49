//! Measures of a numbering and of a profile: how compact numbers are, how much of one profile another holds, and which parts of a run do the same.
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash};

use serde::{Deserialize, Serialize};

use crate::Number;

/// The measure delta of Vaswani's thesis (section 3.3, problem A): the size of the smallest
/// interval that holds the numbers of the interesting paths, divided by how many paths these are.
/// At least 1; at 1 an array of counters has no hole. Shown unreduced, as `interval/paths`.
///
/// ```
/// use hpp_paths::metrics::Compactness;
/// let delta = Compactness::of(&[3u32.into(), 8u32.into(), 4u32.into()]).expect("some numbers");
/// assert_eq!(delta.to_string(), "6/3");
/// assert_eq!(delta.ratio(), 2.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compactness {
    /// Largest number less smallest, plus one.
    pub interval: Number,
    /// How many paths.
    pub paths: usize,
}

impl Compactness {
    /// The compactness of these numbers; `None` if there are none. O(n).
    pub fn of(numbers: &[Number]) -> Option<Self> {
        let (low, high) = numbers.iter().min().zip(numbers.iter().max())?;
        Some(Compactness {
            interval: high - low + Number::ONE,
            paths: numbers.len(),
        })
    }

    /// The quotient, rounded; infinite when it is beyond a double.
    pub fn ratio(&self) -> f64 {
        self.interval.to_f64().value() / self.paths as f64
    }
}

impl fmt::Display for Compactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.interval, self.paths)
    }
}

/// The overlap of two profiles, from 0 to 1: the sum over all paths of the smaller of the shares
/// the path has in each profile. 1 for equal profiles, 0 for profiles without a common path, and
/// the same in either order. A profile without any count overlaps only with another such.
///
/// The measure by which Vaswani's thesis judges the hardware's profiles (section 5.5, there in
/// percent, after Arnold and Ryder, 2001), against the complete profile of the same run. O(n).
///
/// ```
/// use hpp_paths::metrics::overlap;
/// use std::collections::HashMap;
/// let complete = HashMap::from([("abc", 6), ("abd", 2)]);
/// let table = HashMap::from([("abc", 3), ("xyz", 1)]);
/// assert_eq!(overlap(&complete, &table), 0.75);
/// ```
pub fn overlap<K: Eq + Hash, S: BuildHasher, T: BuildHasher>(
    one: &HashMap<K, u64, S>,
    other: &HashMap<K, u64, T>,
) -> f64 {
    let total = |counts: &mut dyn Iterator<Item = &u64>| counts.map(|&c| u128::from(c)).sum();
    let totals: [u128; 2] = [total(&mut one.values()), total(&mut other.values())];
    let [all_one, all_other] = totals.map(|t| t as f64);
    if totals.contains(&0) {
        return f64::from(u8::from(totals == [0, 0]));
    }
    let shared = |(path, &count): (&K, &u64)| {
        let matching = other.get(path).copied().unwrap_or(0);
        f64::min(count as f64 / all_one, matching as f64 / all_other)
    };
    one.iter().map(shared).sum()
}

/// The phase of each interval of a run, by their profiles: an interval is of the first phase with whose first interval it
/// [overlaps](overlap) so much or more, else it begins a new one. Phases are numbered from 0 in the order of their beginnings. At most
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_profiles_overlap_with_each_other_only() {
        let (empty, full) = (HashMap::new(), HashMap::from([(1, 1)]));
        assert_eq!(overlap(&empty, &empty), 1.0);
        assert_eq!(overlap(&empty, &full), 0.0);
        assert_eq!(overlap(&full, &empty), 0.0);
    }

    #[test]
    fn only_shares_count() {
        let one = HashMap::from([(1, 10), (2, 30)]);
        let scaled = HashMap::from([(1, 1), (2, 3)]);
        assert_eq!(overlap(&one, &scaled), 1.0);
        let reversed = HashMap::from([(1, 3), (2, 1)]);
        assert_eq!(overlap(&one, &reversed), 0.5);
        assert_eq!(overlap(&reversed, &one), 0.5);
    }
}
