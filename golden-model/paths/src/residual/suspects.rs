//! Paths that only failing runs take, ranked.
//!
//! A path that failing runs take and no passing run does is likely to be near the cause of the failure (Vaswani's thesis, chapter 6). There
//! are mostly several, because what follows a fault is out of the way too. A path that more failing runs take comes first;
//! of equals the one that comes earlier in its runs, because causes precede consequences.
use std::cmp::Reverse;
use std::hash::Hash;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Paths of passing and of failing runs. A path is whatever tells it, for instance its graph and number.
#[derive(Clone, Debug)]
pub struct Suspects<P> {
    passing: FxHashSet<P>,
    /// The paths of each failing run, in the order in which they were first seen.
    failing: Vec<Vec<P>>,
}

/// A path that only failing runs take.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect<P> {
    /// The path.
    pub path: P,
    /// How many failing runs take it.
    pub runs: usize,
    /// The mean over these runs of how many other suspects come before it.
    pub mean_rank: f64,
}

impl<P> Default for Suspects<P> {
    fn default() -> Self {
        Suspects {
            passing: FxHashSet::default(),
            failing: Vec::new(),
        }
    }
}

impl<P: Clone + Eq + Hash> Suspects<P> {
    /// Adds the paths of a run that passed.
    pub fn passing(&mut self, paths: impl IntoIterator<Item = P>) {
        self.passing.extend(paths);
    }

    /// Adds the paths of a run that failed, in the order in which they were first seen.
    pub fn failing(&mut self, paths: impl IntoIterator<Item = P>) {
        self.failing.push(paths.into_iter().collect());
    }

    /// The paths that only failing runs take, the most suspect first. O(paths of all runs), and sorting the suspects.
    ///
    /// ```
    /// use hpp_paths::residual::Suspects;
    /// let mut suspects = Suspects::default();
    /// suspects.passing(["start", "short", "end"]);
    /// suspects.failing(["start", "long", "overrun", "error"]);
    /// suspects.failing(["start", "overrun", "long", "long", "crash"]);
    /// suspects.failing(["start", "short", "overrun", "end"]);
    /// let ranked: Vec<_> = suspects.ranked().iter().map(|s| (s.path, s.runs)).collect();
    /// assert_eq!(ranked, [("overrun", 3), ("long", 2), ("error", 1), ("crash", 1)]);
    /// ```
    #[must_use]
    pub fn ranked(&self) -> Vec<Suspect<P>> {
        let mut found: IndexMap<&P, (usize, usize), FxBuildHasher> = IndexMap::default();
        for run in &self.failing {
            let mut seen = FxHashSet::default();
            for path in run {
                if !self.passing.contains(path) && seen.insert(path) {
                    let (runs, ranks) = found.entry(path).or_default();
                    *runs += 1;
                    *ranks += seen.len() - 1;
                }
            }
        }
        let mut ranked: Vec<Suspect<P>> = found
            .into_iter()
            .map(|(path, (runs, ranks))| Suspect {
                path: path.clone(),
                runs,
                mean_rank: ranks as f64 / runs as f64,
            })
            .collect();
        ranked.sort_by(|a, b| {
            let runs = Reverse(a.runs).cmp(&Reverse(b.runs));
            runs.then(a.mean_rank.total_cmp(&b.mean_rank))
        });
        ranked
    }
}
