//! Instrumented procedures running, and how their counters are kept.
mod instrumented;

use crate::Number;

pub use instrumented::Instrumented;

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
    ///
    /// ```
    /// use hpp_paths::runtime::Storage;
    /// assert_eq!(Storage::choose(&100u32.into(), 100), Storage::Array(100));
    /// assert_eq!(Storage::choose(&101u32.into(), 100), Storage::Hash);
    /// ```
    pub fn choose(numbers: &Number, threshold: usize) -> Self {
        match usize::try_from(numbers) {
            Ok(count) if count <= threshold => Storage::Array(count),
            _ => Storage::Hash,
        }
    }
}
