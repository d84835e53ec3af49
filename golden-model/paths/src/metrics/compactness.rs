//! Compactness: how much larger than the number of interesting paths their interval of numbers is.
use std::fmt;

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
