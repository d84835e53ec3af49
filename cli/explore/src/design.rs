//! Designed experiments: which parameters matter, from few runs.
//!
//! A *factor* is a parameter at one of two levels, low (-1) or high (+1). The *effect* of a factor is the mean response where it is high,
//! less the mean where it is low. A Plackett-Burman design tells the effects of up to 11 factors from 12 runs, if they do not act together; a full
//! factorial design tries every combination and tells what two factors do together as well.
//!
//! Source: Vaswani's thesis, section 5.5.2 (its use); Plackett and Burman, *The design of optimum multifactorial experiments*, 1946; Lenth, *Quick
//! and easy analysis of unreplicated factorials*, 1989 (significance).

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A design: for each run, whether each factor is high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    runs: Vec<Vec<bool>>,
    /// Columns of the runs that are factors; what the others seem to do is chance.
    factors: usize,
    /// Whether the runs are every combination.
    is_full: bool,
}

/// What a factor, or two together, do to the response.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The factors, by number: one or two.
    pub factors: Vec<usize>,
    /// High less low.
    pub effect: f64,
    /// Its part of the sum of the squares of all effects.
    pub share: f64,
    /// Whether it stands out from what the small effects let expect by chance, at 95 %.
    pub is_significant: bool,
}

/// The first row of Plackett and Burman's design of 12 runs: the others are its rotations, and one that is all low.
const FIRST: [bool; 11] = [
    true, true, false, true, true, true, false, false, false, true, false,
];

impl Design {
    /// Plackett and Burman's 12 runs for up to 11 factors; `None` for more.
    ///
    /// ```
    /// use hpp_explore::design::Design;
    /// let design = Design::plackett_burman(6).expect("at most 11");
    /// // Each factor is high in half of the runs, and in half of those in which another one is.
    /// let high = |a: usize, b: usize| design.runs().iter().filter(|run| run[a] && run[b]).count();
    /// assert_eq!((high(0, 0), high(0, 1), high(2, 5)), (6, 3, 3));
    /// ```
    pub fn plackett_burman(factors: usize) -> Option<Self> {
        let row = |turn: usize| {
            let mut row = FIRST;
            row.rotate_right(turn);
            row.into()
        };
        let low = vec![false; FIRST.len()];
        (factors <= FIRST.len()).then(|| Self {
            runs: (0..FIRST.len()).map(row).chain([low]).collect(),
            factors,
            is_full: false,
        })
    }

    /// Every combination; `None` for more than 12 factors, which are 4,096 runs.
    pub fn full(factors: usize) -> Option<Self> {
        let run = |number: usize| {
            (0..factors)
                .map(|factor| number >> factor & 1 == 1)
                .collect()
        };
        (factors <= 12).then(|| Self {
            runs: (0..1 << factors).map(run).collect(),
            factors,
            is_full: true,
        })
    }

    /// The runs: for each factor, whether it is high. There may be more columns than factors.
    pub fn runs(&self) -> &[Vec<bool>] {
        &self.runs
    }

    /// The effects of the factors on the responses of the runs, largest first; with `pairs`, those of two together as well.
    ///
    /// An effect is significant if it is above Lenth's margin of error: the pseudo standard error times Student's t at 97.5 % for a third as many
    /// degrees of freedom as there are contrasts, which need not be a whole number. Contrasts are as many as the runs less one: the columns, those that are no
    /// factors among them, or of a full design the effects of all factors together, whatever their number. The pseudo standard error is 1.5 times the median
    /// of the contrasts without those that are 2.5 times as large as 1.5 times the median of all, or larger.
    ///
    /// # Panics
    ///
    /// If there are not as many responses as runs.
    pub fn effects(&self, responses: &[f64], pairs: bool) -> Vec<Effect> {
        assert_eq!(responses.len(), self.runs.len(), "a response for each run");
        let single = (0..self.factors).map(|factor| vec![factor]);
        let two = (0..self.factors).flat_map(|a| (a + 1..self.factors).map(move |b| vec![a, b]));
        let mut effects: Vec<Effect> = single
            .chain(two.filter(|_| pairs))
            .map(|factors| Effect {
                effect: self.effect(&factors, responses),
                factors,
                share: 0.0,
                is_significant: false,
            })
            .collect();
        let contrasts = self.contrasts().into_iter();
        let margin = margin(
            contrasts
                .map(|c| self.effect(&c, responses).abs())
                .collect(),
        );
        let squares: f64 = effects.iter().map(|e| e.effect * e.effect).sum();
        for effect in &mut effects {
            effect.share = effect.effect * effect.effect / squares.max(f64::MIN_POSITIVE);
            effect.is_significant = effect.effect.abs() > margin;
        }
        effects.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        effects
    }

    /// The products of columns that the runs distinguish from each other.
    fn contrasts(&self) -> Vec<Vec<usize>> {
        let columns = self.runs.first().map_or(0, Vec::len);
        match self.is_full {
            true => (1..self.runs.len())
                .map(|set| {
                    let is_in = |factor: &usize| set >> factor & 1 == 1;
                    (0..columns).filter(is_in).collect()
                })
                .collect(),
            false => (0..columns).map(|column| vec![column]).collect(),
        }
    }

    /// The contrast of a product of factors, of which half of the runs are high.
    fn effect(&self, factors: &[usize], responses: &[f64]) -> f64 {
        let sign = |run: &Vec<bool>| {
            let low = factors.iter().filter(|&&factor| !run[factor]).count();
            if low % 2 == 0 { 1.0 } else { -1.0 }
        };
        let signed = self.runs.iter().zip(responses);
        let sum: f64 = signed.map(|(run, response)| sign(run) * response).sum();
        2.0 * sum / self.runs.len() as f64
    }
}

/// Lenth's margin of error.
fn margin(sizes: Vec<f64>) -> f64 {
    let freedom = sizes.len().max(1) as f64 / 3.0;
    let student = StudentsT::new(0.0, 1.0, freedom).expect("a third of a degree at least");
    let all = 1.5 * median(sizes.clone());
    let small = sizes.into_iter().filter(|&size| size < 2.5 * all).collect();
    student.inverse_cdf(0.975) * 1.5 * median(small)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_lenth_s() {
        // SciPy: q = arange(1, m + 1); s = 1.5 * median(q); t.ppf(0.975, m / 3) * 1.5 * median(q[q < 2.5 * s])
        let known = [
            (1, 3_869.149_016),
            (2, 98.952_889_24),
            (3, 38.118_614_21),
            (7, 22.584_738_43),
            (11, 25.909_903_47),
            (78, 121.790_119_24),
        ];
        for (effects, expected) in known {
            let found = margin((1..=effects).map(f64::from).collect());
            assert!((found / expected - 1.0).abs() < 1e-8, "{effects}: {found}");
        }
    }
}
