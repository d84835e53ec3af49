//! Counters of paths, by their numbers.
use rustc_hash::FxHashMap;

use crate::Number;

/// How counters are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// An array of so many counters, indexed by path number.
    Array(usize),
    /// A hash table with the path number as key.
    Hash,
}

impl Storage {
    /// The largest array of Vaswani's experiments (thesis, section 3.6).
    pub const THRESHOLD: usize = 2_500;

    /// An array for at most `threshold` numbers, from 0, and a hash table beyond: the policy of Ball
    /// and Larus's profiler and of Vaswani's thesis, section 3.2.3. An array costs memory for paths
    /// that never run, a hash table time for each that does.
    #[must_use]
    pub fn choose(numbers: &Number, threshold: usize) -> Self {
        match numbers.to_usize() {
            Some(count) if count <= threshold => Storage::Array(count),
            _ => Storage::Hash,
        }
    }
}

/// Counters for path numbers.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PathCounters {
    kept: Kept,
    out_of_range: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Kept {
    Array(Vec<u64>),
    Hash(FxHashMap<Number, u64>),
}

impl PathCounters {
    /// All at 0.
    #[must_use]
    pub fn new(storage: Storage) -> Self {
        let kept = match storage {
            Storage::Array(count) => Kept::Array(vec![0; count]),
            Storage::Hash => Kept::Hash(FxHashMap::default()),
        };
        PathCounters {
            kept,
            out_of_range: 0,
        }
    }

    /// Counts a number. One that lies outside of an array is counted as such. O(1).
    pub fn count(&mut self, number: &Number) {
        self.add(number, 1);
    }

    /// Counts a number `times` times, as a program that ran has it in its memory. Counts saturate. O(1).
    ///
    /// ```
    /// use hpp_paths::runtime::{PathCounters, Storage};
    /// let mut counters = PathCounters::new(Storage::Hash);
    /// let memory = [0u64, 7, 0, 2];
    /// for (number, &times) in (0u64..).zip(&memory) {
    ///     counters.add(&number.into(), times);
    /// }
    /// assert_eq!(counters.counted(), [(1.into(), 7), (3.into(), 2)]);
    /// ```
    pub fn add(&mut self, number: &Number, times: u64) {
        if times == 0 {
            return;
        }
        let counter = match &mut self.kept {
            Kept::Hash(counters) => counters.entry(number.clone()).or_default(),
            Kept::Array(counters) => match number.to_usize().and_then(|at| counters.get_mut(at)) {
                Some(counter) => counter,
                None => &mut self.out_of_range,
            },
        };
        *counter = counter.saturating_add(times);
    }

    /// How often a number was counted.
    #[must_use]
    pub fn get(&self, number: &Number) -> u64 {
        let kept = match &self.kept {
            Kept::Array(counters) => number.to_usize().and_then(|at| counters.get(at)),
            Kept::Hash(counters) => counters.get(number),
        };
        kept.copied().unwrap_or(0)
    }

    /// How many counts fell outside of an array.
    #[must_use]
    pub fn out_of_range(&self) -> u64 {
        self.out_of_range
    }

    /// The numbers counted at least once, with their counts, in order.
    #[must_use]
    pub fn counted(&self) -> Vec<(Number, u64)> {
        let mut counted: Vec<(Number, u64)> = match &self.kept {
            Kept::Array(counters) => (0u64..)
                .map(Number::from)
                .zip(counters.iter().copied())
                .collect(),
            Kept::Hash(counters) => counters.iter().map(|(n, &c)| (n.clone(), c)).collect(),
        };
        counted.retain(|(_, count)| *count > 0);
        counted.sort();
        counted
    }
}
