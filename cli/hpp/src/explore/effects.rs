//! The effects of the factors of a designed experiment.

use hpp_explore::design::Effect;

use super::Explored;
use super::grid::Experiment;
use crate::csv;

/// An effect, with the names of its factors.
pub struct Named<'a> {
    /// On the complete overlap, in percentage points.
    pub effect: Effect,
    /// The factors: one or two.
    pub factors: Vec<&'a str>,
}

impl Named<'_> {
    /// Whether it is significant, as a word.
    pub const fn significant(&self) -> &'static str {
        match self.effect.is_significant {
            true => "yes",
            false => "no",
        }
    }
}

/// The effects on the complete overlap in the mean over the traces, the largest first.
pub fn named<'a>(explored: &[Explored], experiment: &'a Experiment) -> Vec<Named<'a>> {
    let runs = experiment.design.runs().len();
    let response = |run: usize| {
        let overlaps = explored.iter().map(|e| e.measured[run].complete.overlap);
        100.0 * overlaps.sum::<f64>() / explored.len() as f64
    };
    let responses: Vec<f64> = (0..runs).map(response).collect();
    let effects = experiment.design.effects(&responses, experiment.pairs);
    let named = |effect: Effect| {
        let factors = effect.factors.iter();
        let factors = factors.map(|&f| experiment.factors[f].as_str()).collect();
        Named { effect, factors }
    };
    effects.into_iter().map(named).collect()
}

/// A head line, and a line for each effect.
pub fn csv(explored: &[Explored], experiment: &Experiment) -> String {
    let head = ["factor", "with", "effect", "share", "significant"];
    let mut text = csv::line(head.map(String::from));
    for effect in named(explored, experiment) {
        let factor = |place: usize| effect.factors.get(place).copied().unwrap_or_default();
        text += &csv::line([
            factor(0).into(),
            factor(1).into(),
            format!("{:.6}", effect.effect.effect),
            format!("{:.6}", effect.effect.share),
            effect.significant().into(),
        ]);
    }
    text
}
