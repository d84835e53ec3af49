//! Test suites: which tests add paths, and which are enough.
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

/// The paths of tests. A path is whatever tells it, for instance its graph and number.
#[derive(Clone, Debug)]
pub struct Suite<P> {
    /// For each path the tests that take it, in order.
    tests_of: FxHashMap<P, Vec<usize>>,
    tests: usize,
}

/// A test in an order, and what it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Addition {
    /// The test, by its position in the suite.
    pub test: usize,
    /// Paths that no test before it in the order takes.
    pub added: usize,
    /// Paths that it or a test before it takes.
    pub together: usize,
}

impl<P> Default for Suite<P> {
    fn default() -> Self {
        Suite {
            tests_of: FxHashMap::default(),
            tests: 0,
        }
    }
}

impl<P: Eq + Hash> Suite<P> {
    /// Adds the paths of a test, and gives its position.
    pub fn test(&mut self, paths: impl IntoIterator<Item = P>) -> usize {
        let test = self.tests;
        self.tests += 1;
        for path in paths {
            let tests = self.tests_of.entry(path).or_default();
            if tests.last() != Some(&test) {
                tests.push(test);
            }
        }
        test
    }

    /// How many different paths the tests take.
    pub fn paths(&self) -> usize {
        self.tests_of.len()
    }

    /// How many tests take a path.
    pub fn takes(&self, path: &P) -> usize {
        self.tests_of.get(path).map_or(0, Vec::len)
    }

    /// All tests, each time the one that adds most, the earlier of equals. Those that add nothing are last. O(paths of all tests),
    /// and the square of the tests.
    ///
    /// ```
    /// use hpp_paths::residual::Suite;
    /// let mut suite = Suite::default();
    /// suite.test(["start", "end"]);
    /// suite.test(["start", "loop", "loop again", "end"]);
    /// suite.test(["start", "error"]);
    /// let order: Vec<_> = suite.order().iter().map(|addition| (addition.test, addition.added)).collect();
    /// assert_eq!(order, [(1, 4), (2, 1), (0, 0)]);
    /// assert_eq!(suite.reduced(), [1, 2]);
    /// assert_eq!(suite.untested(["start", "crash"]), ["crash"]);
    /// ```
    pub fn order(&self) -> Vec<Addition> {
        let takers: Vec<&Vec<usize>> = self.tests_of.values().collect();
        let mut paths_of = vec![Vec::new(); self.tests];
        for (path, tests) in takers.iter().enumerate() {
            tests.iter().for_each(|&test| paths_of[test].push(path));
        }
        let mut gain: Vec<usize> = paths_of.iter().map(Vec::len).collect();
        let mut left: Vec<usize> = (0..self.tests).collect();
        let mut seen = vec![false; takers.len()];
        let mut order = Vec::with_capacity(self.tests);
        let mut together = 0;
        while let Some(place) = (0..left.len()).rev().max_by_key(|&place| gain[left[place]]) {
            let test = left.remove(place);
            let added = gain[test];
            together += added;
            order.push(Addition {
                test,
                added,
                together,
            });
            for &path in &paths_of[test] {
                if !std::mem::replace(&mut seen[path], true) {
                    takers[path].iter().for_each(|&other| gain[other] -= 1);
                }
            }
        }
        order
    }

    /// Tests that together take every path, in order; without any one of them a path would be missing. To find the fewest is hard. These are the
    /// tests of [`order`](Self::order) without those whose paths the others take, too.
    pub fn reduced(&self) -> Vec<usize> {
        let order = self.order();
        let mut kept = vec![false; self.tests];
        let adding = order.iter().filter(|addition| addition.added > 0);
        let adding: Vec<usize> = adding.map(|addition| addition.test).collect();
        adding.iter().for_each(|&test| kept[test] = true);
        for &test in &adding {
            kept[test] = false;
            let covered = |tests: &Vec<usize>| tests.iter().any(|&other| kept[other]);
            kept[test] = !self.tests_of.values().all(covered);
        }
        (0..self.tests).filter(|&test| kept[test]).collect()
    }

    /// The paths of the field that no test takes, each once, in order.
    pub fn untested(&self, field: impl IntoIterator<Item = P>) -> Vec<P>
    where
        P: Clone,
    {
        let mut seen = FxHashSet::default();
        let field = field.into_iter();
        field
            .filter(|path| !self.tests_of.contains_key(path) && seen.insert(path.clone()))
            .collect()
    }
}
