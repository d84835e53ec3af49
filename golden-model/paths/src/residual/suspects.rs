//! Paths that only failing runs take, ranked.
//!
//! Among the paths that failing runs take and no passing run does, some are likely near the cause (Vaswani's thesis, section 6.2.2). There
//! are mostly several, because what follows a fault is out of the way too. A path that more failing runs take comes first;
//! of equals the one that comes earlier in its runs, because causes precede consequences.
//!
//! A run may take the path of a fault and still pass, because it does not use the wrong result. Then the cause is not among these paths, and the
//! first of them is the first effect of the fault. [`Suspects::associated`] ranks all paths that failing runs take more often than others do.
use std::cmp::Reverse;
use std::hash::Hash;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// Paths of passing and of failing runs. A path is whatever tells it, for instance its graph and number.
#[derive(Clone, Debug)]
pub struct Suspects<P> {
    /// How many passing runs take a path.
    passing: FxHashMap<P, usize>,
    passed: usize,
    /// The paths of each failing run, in the order in which they were first seen.
    failing: Vec<Vec<P>>,
}

/// A path that failing runs take.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Suspect<P> {
    /// The path.
    pub path: P,
    /// How many failing runs take it.
    pub runs: usize,
    /// How many passing runs do.
    pub passing: usize,
    /// The mean over the failing runs of how many other suspects come before it.
    pub mean_rank: f64,
}

impl<P> Default for Suspects<P> {
    fn default() -> Self {
        Suspects {
            passing: FxHashMap::default(),
            passed: 0,
            failing: Vec::new(),
        }
    }
}

impl<P: Clone + Eq + Hash> Suspects<P> {
    /// Adds the paths of a run that passed.
    pub fn passing(&mut self, paths: impl IntoIterator<Item = P>) {
        let paths: FxHashSet<P> = paths.into_iter().collect();
        self.passed += 1;
        for path in paths {
            *self.passing.entry(path).or_default() += 1;
        }
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
    pub fn ranked(&self) -> Vec<Suspect<P>> {
        self.rank(|_, passing| passing == 0)
    }

    /// The paths that a greater share of failing than of passing runs take, by the share of failing runs among those that
    /// take them; of equals as [`ranked`](Self::ranked). All those are among them, also where no run passed. O(paths of all runs),
    /// and sorting.
    ///
    /// ```
    /// use hpp_paths::residual::Suspects;
    /// let mut suspects = Suspects::default();
    /// suspects.passing(["start", "end"]);
    /// suspects.passing(["start", "overrun", "end"]);
    /// suspects.failing(["start", "overrun", "crash"]);
    /// let ranked = suspects.associated();
    /// let ranked: Vec<_> = ranked.iter().map(|s| (s.path, s.runs, s.passing)).collect();
    /// assert_eq!(ranked, [("crash", 1, 0), ("overrun", 1, 1)]);
    /// ```
    pub fn associated(&self) -> Vec<Suspect<P>> {
        // Where no run passed, no share of them takes a path.
        let (failed, passed) = (self.failing.len(), self.passed.max(1));
        self.rank(|runs, passing| runs * passed > passing * failed)
    }

    /// The paths of failing runs with these counts of failing and passing runs.
    fn rank(&self, is_suspect: impl Fn(usize, usize) -> bool) -> Vec<Suspect<P>> {
        let mut runs_of: FxHashMap<&P, usize> = FxHashMap::default();
        for run in &self.failing {
            for path in run.iter().collect::<FxHashSet<_>>() {
                *runs_of.entry(path).or_default() += 1;
            }
        }
        let passing = |path: &P| self.passing.get(path).copied().unwrap_or(0);
        let mut ranks: IndexMap<&P, usize, FxBuildHasher> = IndexMap::default();
        for run in &self.failing {
            let mut seen = FxHashSet::default();
            for path in run {
                if is_suspect(runs_of[path], passing(path)) && seen.insert(path) {
                    *ranks.entry(path).or_default() += seen.len() - 1;
                }
            }
        }
        let suspect = |(path, ranks): (&P, usize)| Suspect {
            path: path.clone(),
            runs: runs_of[path],
            passing: passing(path),
            mean_rank: ranks as f64 / runs_of[path] as f64,
        };
        let mut ranked: Vec<Suspect<P>> = ranks.into_iter().map(suspect).collect();
        ranked.sort_by(|a, b| {
            // Shares as products, so that equal ones are equal.
            let share = (b.runs * (a.runs + a.passing)).cmp(&(a.runs * (b.runs + b.passing)));
            let runs = Reverse(a.runs).cmp(&Reverse(b.runs));
            share.then(runs).then(a.mean_rank.total_cmp(&b.mean_rank))
        });
        ranked
    }
}
