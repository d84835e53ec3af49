//! What must hold of replacement by re-reference interval prediction, whatever the stream.

use std::collections::{HashMap, HashSet};

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, Lookup, Policy, RripTable, TableTally};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    (1..5_u32, 1..6_u32, 8..=32_u32).prop_map(|(sets, ways, accumulator_bits)| Geometry {
        sets: 1 << sets,
        ways,
        accumulator_bits,
        ..Geometry::default()
    })
}

fn path(number: u64, count: u32) -> CompletedPath {
    let descriptor = PathDescriptor {
        start: 4 * (number / 3),
        length: (number % 3) as u32,
        outcomes: 0,
    };
    CompletedPath { descriptor, count }
}

/// Paths of which those with small numbers are hot.
fn paths() -> impl Strategy<Value = Vec<CompletedPath>> {
    let number = prop_oneof![3 => 0..6_u64, 2 => 0..600_u64];
    prop::collection::vec(
        (number, 0..4_u32).prop_map(|(number, count)| path(number, count)),
        0..2000,
    )
}

proptest! {
    #[test]
    fn what_is_there_and_what_left_is_everything(geometry in geometry(), paths in paths()) {
        let mut table = RripTable::new(&geometry);
        let (mut left, mut exact) = (0_u64, 0_u64);
        let mut saturates = false;
        for path in &paths {
            let held: HashMap<_, _> = table.entries().map(|(_, e)| (e.descriptor, e.count)).collect();
            match table.record(path) {
                Lookup::Hit { saturated } => {
                    prop_assert!(held.contains_key(&path.descriptor));
                    saturates |= saturated;
                }
                Lookup::Replaced { evicted } => {
                    prop_assert!(evicted.count > 0 && !held.contains_key(&path.descriptor));
                    let gone: Vec<_> = held.iter().filter(|(other, _)| table.find(other).is_none()).collect();
                    prop_assert_eq!(gone, [(&evicted.descriptor, &evicted.count)], "one entry is evicted");
                    left += u64::from(evicted.count);
                }
                Lookup::Inserted => prop_assert!(!held.contains_key(&path.descriptor)),
                Lookup::Nothing => prop_assert_eq!(path.count, 0),
                Lookup::Restarted { .. } | Lookup::Frozen => prop_assert!(false, "it is not frozen and has no drain"),
            }
            exact += u64::from(path.count);
            prop_assert_eq!(table.find(&path.descriptor).is_some(), path.count > 0 || held.contains_key(&path.descriptor));
        }
        let there: u64 = table.entries().map(|(_, entry)| u64::from(entry.count)).sum();
        prop_assert!(saturates || there + left == exact, "{there} + {left}, not {exact}");
    }

    #[test]
    fn a_path_is_there_once_and_never_with_count_0(geometry in geometry(), paths in paths()) {
        let mut table = RripTable::new(&geometry);
        table.record_all(&paths);
        let mut held = HashSet::new();
        for (number, entry) in table.entries() {
            prop_assert!(number < geometry.entries() as usize);
            prop_assert!(held.insert(entry.descriptor) && table.find(&entry.descriptor) == Some(number));
            prop_assert!(entry.count > 0 && u64::from(entry.count) <= Geometry::mask(geometry.accumulator_bits));
        }
    }

    #[test]
    fn together_and_one_by_one_are_the_same(geometry in geometry(), paths in paths()) {
        let geometry = Geometry { replacement: Replacement::Rrip, ..geometry };
        let (mut one, mut other) = (HotPathTable::new(&geometry), HotPathTable::new(&geometry));
        let together = one.record_all(&paths);
        let mut hits = 0;
        let mut replacements = 0;
        let mut accumulator_saturated = false;
        for path in &paths {
            match other.record(path) {
                Lookup::Hit { saturated } => {
                    hits += 1;
                    accumulator_saturated |= saturated;
                }
                Lookup::Replaced { .. } => replacements += 1,
                _ => {}
            }
        }
        prop_assert_eq!(together, TableTally { hits, replacements, accumulator_saturated });
        prop_assert!(one.entries().eq(other.entries()));
        one.clear();
        prop_assert_eq!(one.entries().count(), 0);
    }

    #[test]
    fn what_fits_is_counted_exactly(paths in prop::collection::vec((0..8_u64, 0..4_u32), 0..500)) {
        let geometry = Geometry { sets: 64, ways: 8, ..Geometry::default() };
        let mut table = RripTable::new(&geometry);
        let mut exact = HashMap::new();
        for (number, count) in paths {
            let path = path(number, count);
            table.record(&path);
            *exact.entry(path.descriptor).or_insert(0) += count;
        }
        exact.retain(|_, count| *count > 0);
        let held: HashMap<_, _> = table.entries().map(|(_, e)| (e.descriptor, e.count)).collect();
        prop_assert_eq!(held, exact);
    }
}

/// Loops that fit, another one every two thousand rounds, and as many paths that come by once.
#[test]
fn fewer_leave_than_under_lfu() {
    let geometry = Geometry {
        sets: 16,
        ways: 4,
        ..Geometry::default()
    };
    let leaving = |replacement| {
        let mut table = HotPathTable::new(&Geometry {
            replacement,
            ..geometry
        });
        let mut left = 0;
        for round in 0..20_000_u64 {
            for number in [round / 2000 * 32 + round % 32, 1000 + round] {
                let lookup = table.record(&path(number, 1));
                left += u64::from(matches!(lookup, Lookup::Replaced { .. }));
            }
        }
        left
    };
    let (rrip, lfu) = (leaving(Replacement::Rrip), leaving(Replacement::Lfu));
    // Those that come by once have to leave, but for the last few.
    assert!(
        (19_936..22_500).contains(&rrip) && lfu > rrip / 2 * 3,
        "{rrip} {lfu}"
    );
}

#[test]
fn an_accumulator_saturates_beyond_its_greatest_count() {
    let geometry = Geometry {
        accumulator_bits: 8,
        ..Geometry::default()
    };
    let mut table = RripTable::new(&geometry);
    assert_eq!(table.record(&path(0, 250)), Lookup::Inserted);
    for (count, saturated) in [(5, false), (0, false), (1, true)] {
        let lookup = table.record(&path(0, count));
        assert_eq!(lookup, Lookup::Hit { saturated }, "{count} more");
        let counts: Vec<u32> = table.entries().map(|(_, entry)| entry.count).collect();
        assert_eq!(counts, [255]);
    }
}
