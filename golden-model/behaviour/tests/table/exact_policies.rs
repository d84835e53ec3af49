//! What must hold of the policies that evict exact counts, whatever the stream.

use std::collections::HashMap;

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{HotPathTable, Lookup};
use proptest::prelude::*;

use crate::path;

fn geometry() -> impl Strategy<Value = Geometry> {
    let policy = prop::sample::select(vec![Replacement::Lfu, Replacement::Rrip]);
    let sizes = (1..5_u32, 1..6_u32, 8..=32_u32);
    (sizes, policy).prop_map(|((sets, ways, accumulator_bits), replacement)| Geometry {
        sets: 1 << sets,
        ways,
        accumulator_bits,
        replacement,
        ..Geometry::default()
    })
}

/// Paths by number; those with small numbers are hot.
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
        let mut table = HotPathTable::new(&geometry);
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
        replacement: Replacement::Rrip,
        ..Geometry::default()
    };
    let mut table = HotPathTable::new(&geometry);
    assert_eq!(table.record(&path(0, 250)), Lookup::Inserted);
    for (count, saturated) in [(5, false), (0, false), (1, true)] {
        let lookup = table.record(&path(0, count));
        assert_eq!(lookup, Lookup::Hit { saturated }, "{count} more");
        let counts: Vec<u32> = table.entries().map(|(_, entry)| entry.count).collect();
        assert_eq!(counts, [255]);
    }
}
