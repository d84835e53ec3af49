//! Test suites and phases: small sets of paths.
use std::collections::{BTreeSet, HashMap};

use hpp_paths::metrics::{overlap, phases};
use hpp_paths::residual::Suite;
use proptest::prelude::*;

fn tests() -> impl Strategy<Value = Vec<BTreeSet<u8>>> {
    prop::collection::vec(prop::collection::btree_set(0..20u8, 0..12), 0..8)
}

fn together(tests: &[BTreeSet<u8>], which: &[usize]) -> BTreeSet<u8> {
    which
        .iter()
        .flat_map(|&test| &tests[test])
        .copied()
        .collect()
}

proptest! {
    #[test]
    fn each_test_in_the_order_adds_most(tests in tests()) {
        let mut suite = Suite::default();
        tests.iter().for_each(|paths| { suite.test(paths.iter().copied()); });
        let order = suite.order();
        let mut before: Vec<usize> = Vec::new();
        for addition in &order {
            let seen = together(&tests, &before);
            let adds = |test: usize| tests[test].difference(&seen).count();
            let left = (0..tests.len()).filter(|test| !before.contains(test));
            let best = left.max_by_key(|&test| (adds(test), usize::MAX - test));
            prop_assert_eq!((Some(addition.test), addition.added), (best, adds(addition.test)));
            before.push(addition.test);
            prop_assert_eq!(addition.together, together(&tests, &before).len());
        }
        prop_assert_eq!(before.len(), tests.len());
    }

    #[test]
    fn a_reduced_suite_takes_every_path_and_needs_each_test(tests in tests(), field in prop::collection::vec(0..30u8, 0..20)) {
        let mut suite = Suite::default();
        tests.iter().for_each(|paths| { suite.test(paths.iter().copied()); });
        let all: Vec<usize> = (0..tests.len()).collect();
        let paths = together(&tests, &all);
        let reduced = suite.reduced();
        prop_assert_eq!(together(&tests, &reduced), paths.clone());
        for &test in &reduced {
            let others: Vec<usize> = reduced.iter().copied().filter(|&other| other != test).collect();
            prop_assert!(together(&tests, &others) != paths);
        }
        let untested: BTreeSet<u8> = suite.untested(field.iter().copied()).into_iter().collect();
        let expected: BTreeSet<u8> = field.into_iter().filter(|path| !paths.contains(path)).collect();
        prop_assert_eq!(untested, expected);
        prop_assert_eq!(suite.paths(), paths.len());
    }

    #[test]
    fn intervals_are_near_the_first_of_their_phase_alone(
        run in prop::collection::vec(prop::collection::hash_map(0..5u8, 1..9u64, 1..5), 0..12), least in 0.05..1.0f64,
    ) {
        let phases = phases(&run, least);
        let mut first: Vec<&HashMap<u8, u64>> = Vec::new();
        for (interval, &phase) in run.iter().zip(&phases) {
            let near: Vec<usize> = (0..first.len()).filter(|&other| overlap(first[other], interval) >= least).collect();
            prop_assert_eq!(near.first().copied().unwrap_or(first.len()), phase);
            if phase == first.len() {
                first.push(interval);
            }
        }
    }
}
