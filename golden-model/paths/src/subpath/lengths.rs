//! How long the next sampled subpath will be.
//!
//! Any distribution is possible. The thesis prefers powers of two, which keep the number of different subpaths low
//! and still contain at least half of any hot subpath (section 2.3.2). It also prefers short ones, in which a hot
//! loop is found only once (section 2.3.3).

use core::ops::RangeInclusive;

use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;

use super::SettingsError;

/// A distribution of lengths, in blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Lengths {
    /// Lengths, ascending, with their probabilities.
    probabilities: Vec<(usize, f64)>,
    choice: WeightedIndex<f64>,
}

impl Lengths {
    /// Lengths in these proportions; the weight of a length named twice is the sum.
    ///
    /// ```
    /// use hpp_paths::subpath::Lengths;
    /// // Powers of two and also 3 and 5, as the thesis tries in section 4.6.
    /// let lengths = Lengths::weighted([(2, 16.), (3, 8.), (4, 4.), (5, 2.), (8, 1.)])?;
    /// assert_eq!(lengths.probability(3), 8. / 31.);
    /// # Ok::<(), hpp_paths::subpath::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no length, one is 0, a weight is not positive, or their sum is beyond a double.
    pub fn weighted(
        weights: impl IntoIterator<Item = (usize, f64)>,
    ) -> Result<Self, SettingsError> {
        let mut sums = std::collections::BTreeMap::new();
        for (length, weight) in weights {
            if length == 0 || !(weight > 0.0 && weight.is_finite()) {
                return Err(SettingsError::Weight { length, weight });
            }
            *sums.entry(length).or_insert(0.0) += weight;
        }
        let total: f64 = sums.values().sum();
        if let (false, Some((&length, &weight))) = (total.is_finite(), sums.last_key_value()) {
            return Err(SettingsError::Weight { length, weight });
        }
        let choice = WeightedIndex::new(sums.values()).map_err(|_| SettingsError::NoLength)?;
        let share = |(length, weight)| (length, weight / total);
        Ok(Self {
            probabilities: sums.into_iter().map(share).collect(),
            choice,
        })
    }

    /// The thesis's own (section 2.3.3): 2^n with probability 1/2^n, n from 1, up to `longest`. What the longer ones would
    /// have goes to the longest.
    ///
    /// ```
    /// use hpp_paths::subpath::Lengths;
    /// let lengths = Lengths::powers_of_two(32)?;
    /// let probabilities = [2, 4, 8, 16, 32].map(|length| lengths.probability(length));
    /// assert_eq!(probabilities, [1. / 2., 1. / 4., 1. / 8., 1. / 16., 1. / 16.]);
    /// assert_eq!(lengths.mean(), 6.0);
    /// # Ok::<(), hpp_paths::subpath::SettingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `longest` is less than 2.
    pub fn powers_of_two(longest: usize) -> Result<Self, SettingsError> {
        let most = longest.checked_ilog2().unwrap_or(0);
        Self::weighted((1..=most).map(|n| (1 << n, f64::from(n.min(most - 1)).exp2().recip())))
    }

    /// Every length in the range with the same probability.
    ///
    /// # Errors
    ///
    /// If the range is empty or contains 0.
    pub fn uniform(range: RangeInclusive<usize>) -> Result<Self, SettingsError> {
        Self::weighted(range.map(|length| (length, 1.0)))
    }

    /// Every length in the range with a probability in inverse proportion to it, as in section 4.6.
    ///
    /// # Errors
    ///
    /// If the range is empty or contains 0.
    pub fn harmonic(range: RangeInclusive<usize>) -> Result<Self, SettingsError> {
        Self::weighted(range.map(|length| (length, (length as f64).recip())))
    }

    /// The probability of a length. O(log lengths).
    pub fn probability(&self, length: usize) -> f64 {
        let found = self
            .probabilities
            .binary_search_by_key(&length, |&(l, _)| l);
        found.map_or(0.0, |place| self.probabilities[place].1)
    }

    /// Lengths and their probabilities, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        self.probabilities.iter().copied()
    }

    /// The expected length, *l* with a bar in the thesis.
    pub fn mean(&self) -> f64 {
        self.iter().map(|(length, p)| length as f64 * p).sum()
    }

    /// The greatest length.
    pub fn longest(&self) -> usize {
        self.probabilities.last().map_or(0, |&(length, _)| length)
    }

    /// Chooses a length. O(log lengths).
    pub(super) fn choose(&self, random: &mut impl Rng) -> usize {
        self.probabilities[self.choice.sample(random)].0
    }
}
