//! How a run is distributed over its paths.

use hpp_golden::profiler::ExactProfile;
use serde::Serialize;

/// How the counts of an exact profile are spread over its paths, as in the thesis's figures 5.2 and 5.3.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    /// Pairs of a number *n* and the share of the *n* hottest paths, for 1, 2, 5, 10 and so on, and for all paths.
    pub hottest: Vec<(usize, f64)>,
    /// The share of the paths of each length in branches, from 0 on.
    pub lengths: Vec<f64>,
}

impl Distribution {
    /// Of a profile; of an empty one nothing. `O(n log n)` for *n* different paths.
    ///
    /// ```
    /// use hpp_explore::Distribution;
    /// use hpp_golden::path::PathDescriptor;
    /// use hpp_golden::profiler::ExactProfile;
    ///
    /// let mut profile = ExactProfile::new();
    /// for (start, length, count) in [(4, 1, 6), (8, 2, 3), (12, 2, 1)] {
    ///     profile.add(PathDescriptor { start, length, outcomes: 0 }, count);
    /// }
    /// let found = Distribution::of(&profile);
    /// assert_eq!(found.hottest, [(1, 0.6), (2, 0.9), (3, 1.0)]);
    /// assert_eq!(found.lengths, [0.0, 0.6, 0.4]);
    /// ```
    pub fn of(profile: &ExactProfile) -> Self {
        let total = profile.total() as f64;
        let paths = profile.hottest();
        let mut lengths: Vec<u64> = Vec::new();
        for (path, count) in &paths {
            let place = path.length as usize;
            lengths.resize(lengths.len().max(place + 1), 0);
            lengths[place] += count;
        }
        let (mut hottest, mut sum, mut step) = (Vec::new(), 0, steps().peekable());
        for (n, (_, count)) in (1..).zip(&paths) {
            sum += count;
            if step.next_if_eq(&n).is_some() || n == paths.len() {
                hottest.push((n, sum as f64 / total));
            }
        }
        Self {
            hottest,
            lengths: lengths.iter().map(|&sum| sum as f64 / total).collect(),
        }
    }
}

/// 1, 2, 5, 10 and so on.
fn steps() -> impl Iterator<Item = usize> {
    (0..18).flat_map(|power| [1, 2, 5].map(|step| step * 10_usize.pow(power)))
}
