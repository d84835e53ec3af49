//! Belady's policy lets the fewest entries leave: of all choices in small runs, and of all policies of ours.

use std::collections::BTreeSet;

use hpp_explore::optimal::Uses;
use hpp_explore::{Configuration, Sweep};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::ResetValues;
use proptest::prelude::*;

/// The fewest entries that leave one set of so many ways, whichever entry each choice takes.
fn every_choice(paths: &[u32], held: &BTreeSet<u32>, ways: usize) -> u64 {
    let Some((path, rest)) = paths.split_first() else {
        return 0;
    };
    let with = |held: &BTreeSet<u32>| held.iter().copied().chain([*path]).collect();
    if held.contains(path) || held.len() < ways {
        return every_choice(rest, &with(held), ways);
    }
    let choices = held.iter().map(|victim| {
        let mut kept = held.clone();
        kept.remove(victim);
        1 + every_choice(rest, &with(&kept), ways)
    });
    choices.min().expect("a full set")
}

/// A table of every policy, with this many sets and ways.
fn policies(sets: u32, ways: u32) -> Vec<Configuration> {
    let policies = Replacement::ALL.into_iter();
    let table = |replacement| Configuration {
        geometry: Geometry {
            sets,
            ways,
            replacement,
            ..Geometry::default()
        },
        reset: ResetValues::enabled(),
    };
    policies.map(table).collect()
}

proptest! {
    #[test]
    fn no_choice_lets_fewer_leave(
        paths in prop::collection::vec(0..6_u32, 0..11),
        ways in 1..4_usize,
    ) {
        let least = Uses::new(paths.clone()).least(1, ways, |_| 0);
        prop_assert_eq!(least, every_choice(&paths, &BTreeSet::new(), ways));
    }

    #[test]
    fn no_policy_lets_fewer_leave(
        targets in prop::collection::vec(0..40_u64, 1..800),
        log2_sets in 1..4_u32,
        ways in 1..5_u32,
    ) {
        // Backward branches, each the end of a path.
        let records: Vec<BranchRecord> = (0..40)
            .map(|target| BranchRecord::new(BranchKind::Backward, true, 0x1000 + 4 * target, 0x2000).with_events(1))
            .collect();
        let numbers: Vec<u32> = targets.iter().map(|&target| target as u32).collect();
        let mut sweep = Sweep::new(&policies(1 << log2_sets, ways), 1_000_000).with_least();
        sweep.profile(&records, &numbers);
        for measured in sweep.finish() {
            let least = measured.least.expect("it was asked for");
            prop_assert!(least.anywhere <= least.in_sets);
            let left = measured.replacements;
            match measured.configuration.geometry.replacement {
                Replacement::Lfu => prop_assert!(left >= least.in_sets, "{left} {least:?}"),
                // Paths that are not hot get no place.
                Replacement::Shadow => {}
                _ => prop_assert!(left >= least.anywhere, "{left} {least:?}"),
            }
        }
    }
}
