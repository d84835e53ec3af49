//! What a comparison with the exact profile says.

use std::collections::HashMap;

use hpp_explore::accuracy;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{ExactProfile, TableEntry};
use proptest::prelude::*;

/// Counts of the paths that begin at 0, 4, 8 and so on.
fn counts() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..100_u32, 1..20)
}

fn paths(counts: &[u32]) -> impl Iterator<Item = CompletedPath> {
    (0..).zip(counts).map(|(number, &count)| CompletedPath {
        descriptor: PathDescriptor::new(4 * number),
        count,
    })
}

fn profile(counts: &[u32]) -> ExactProfile {
    let mut profile = ExactProfile::new();
    paths(counts).for_each(|path| profile.record(&path));
    profile
}

fn entries(counts: &[u32]) -> Vec<TableEntry> {
    let held = paths(counts).filter(|path| path.count > 0);
    held.map(|CompletedPath { descriptor, count }| TableEntry { descriptor, count })
        .collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

proptest! {
    #[test]
    fn the_overlap_is_that_of_software_profiles(table in counts(), all in counts()) {
        let map = |counts: &[u32]| -> HashMap<PathDescriptor, u64> {
            entries(counts).iter().map(|e| (e.descriptor, e.count.into())).collect()
        };
        prop_assume!(all.iter().any(|&count| count > 0));
        let found = accuracy(entries(&table), table.len(), &profile(&all));
        let expected = hpp_paths::metrics::overlap(&map(&table), &map(&all));
        prop_assert!(close(found.overlap, expected), "{} {}", found.overlap, expected);
    }

    #[test]
    fn no_table_does_better_than_the_hottest_paths(all in counts(), room in 1..20_usize, chosen in any::<u32>()) {
        let exact = profile(&all);
        let hottest: Vec<TableEntry> = exact.hottest().into_iter().take(room)
            .map(|(descriptor, count)| TableEntry { descriptor, count: count as u32 }).collect();
        let best = accuracy(hottest, room, &exact);
        prop_assert!(close(best.overlap, best.bound) && close(best.accounted, best.bound));
        // Any other choice of as many paths.
        let some: Vec<TableEntry> = (0..).zip(entries(&all)).filter(|(n, _)| chosen >> (n % 32) & 1 == 1)
            .map(|(_, entry)| entry).take(room).collect();
        let found = accuracy(some, room, &exact);
        prop_assert!(found.overlap <= best.bound + 1e-9 && found.accounted <= best.bound + 1e-9);
    }
}

#[test]
fn an_empty_profile_is_held() {
    let found = accuracy([], 4, &ExactProfile::new());
    assert_eq!(
        (found.overlap, found.accounted, found.bound),
        (1.0, 1.0, 1.0)
    );
}

#[test]
fn entries_that_counted_nothing_hold_nothing() {
    let exact = profile(&[3, 1]);
    let entry = TableEntry {
        descriptor: PathDescriptor::new(0),
        count: 0,
    };
    let found = accuracy([entry], 1, &exact);
    assert_eq!(
        (found.overlap, found.accounted, found.bound),
        (0.0, 0.0, 0.75)
    );
}
