//! How far a count in the sample can be from its expectation: Chernoff bounds.
//!
//! If x is a sum of independent choices with expectation E, then (equations 2.14 and 2.15; 2.15 is printed with both sides, its text means the one)
//!
//! ```text
//!   Pr(x outside (1 ± e) E) <= exp(-e² E / 6)      Pr(x < (1 - e) E) <= exp(-e² E / 2)
//! ```
//!
//! The thesis solves for e with x in the place of E, which it does not know: [`relative_error`] reproduces its tables. The same
//! inequalities also bound E itself, without that step: [`expectation`].
//!
//! The first inequality simplifies a bound, and holds while x is at most about ten times E. Beyond that the bound itself is used:
//!
//! ```text
//!   Pr(x >= k) <= exp(k - E - k ln(k / E))      for k > E
//! ```

use core::ops::RangeInclusive;

/// Which deviations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Too high and too low.
    Both,
    /// Too low alone: a subpath hotter than reported is hot all the same.
    Low,
}

impl Sides {
    /// The divisor in the exponent.
    const fn divisor(self) -> f64 {
        match self {
            Self::Both => 6.0,
            Self::Low => 2.0,
        }
    }
}

/// The relative error that a count in the sample exceeds with at most the probability `1 - confidence`, a share of the
/// count; infinite if the count is 0 or the confidence 1.
///
/// ```
/// use hpp_paths::subpath::{Sides, relative_error};
/// let percent = |count, sides, confidence| (1e4 * relative_error(count, sides, confidence)).round() / 1e2;
/// // FFT in table 4.9: 2.58 %, 1.49 %, 1.89 % and 1.09 %.
/// assert_eq!(percent(27_006, Sides::Both, 0.95), 2.58);
/// assert_eq!(percent(27_006, Sides::Low, 0.95), 1.49);
/// assert_eq!(percent(27_006, Sides::Both, 0.80), 1.89);
/// assert_eq!(percent(27_006, Sides::Low, 0.80), 1.09);
/// // JLex: the table has 40.64 %, with ln 20 rounded to 3.
/// assert_eq!(percent(109, Sides::Both, 0.95), 40.61);
/// // The table gives mtrt, with a count of 6, the errors of a count of 8: 86.60 % and 63.43 %.
/// assert_eq!(percent(8, Sides::Low, 0.80), 63.43);
/// assert_eq!(percent(6, Sides::Low, 0.80), 73.24);
/// ```
pub fn relative_error(count: u64, sides: Sides, confidence: f64) -> f64 {
    (sides.divisor() * surprise(confidence) / count as f64).sqrt()
}

/// The expectations for which a count as far away as this one has at least the probability `1 - confidence`, by the bounds on
/// both sides.
///
/// ```
/// use hpp_paths::subpath::expectation;
/// let expected = expectation(27_006, 0.95);
/// assert_eq!((expected.start().round(), expected.end().round()), (26_318.0, 27_712.0));
/// ```
pub fn expectation(count: u64, confidence: f64) -> RangeInclusive<f64> {
    // (x - E)² = d E is a quadratic equation in E.
    let (count, surprise) = (count as f64, surprise(confidence));
    let d = Sides::Both.divisor() * surprise;
    let (middle, reach) = (count + d / 2.0, (count * d + d * d / 4.0).sqrt());
    let least = least_expectation(count, surprise);
    (middle - reach).max(0.0).min(least)..=middle + reach
}

/// The expectation below a count for which the exact bound gives so much surprise: by halving the interval.
fn least_expectation(count: f64, surprise: f64) -> f64 {
    let (mut low, mut high) = (0.0, count);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return low;
        }
        match count * (count / middle).ln() + middle - count > surprise {
            true => low = middle,
            false => high = middle,
        }
    }
}

/// The negative logarithm of the probability of an error.
fn surprise(confidence: f64) -> f64 {
    -(1.0 - confidence).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that a count with this expectation is at least so high.
    fn at_least(count: u64, expected: f64) -> f64 {
        let mut term = (-expected).exp();
        let mut below = 0.0;
        for k in 1..=count {
            below += term;
            term *= expected / k as f64;
        }
        1.0 - below
    }

    #[test]
    fn an_expectation_that_makes_the_count_likely_enough_is_not_left_out() {
        for confidence in [0.8, 0.95, 0.99, 0.999, 0.99999] {
            for count in 1..30 {
                let least = *expectation(count, confidence).start();
                let likely = at_least(count, least);
                assert!(
                    likely <= 1.0 - confidence,
                    "{count}, {confidence}: {likely} at {least}"
                );
            }
        }
    }
}
