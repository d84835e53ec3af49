//! What must hold of replacement with shadow entries, whatever the stream.

mod naive;

use std::collections::HashMap;

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{Admission, HotPathTable, Lookup, Policy, ShadowTable, TableEntry};
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

/// Paths of any start, length and outcomes, of which some come again and again.
fn any_paths() -> impl Strategy<Value = Vec<CompletedPath>> {
    let path = (any::<u64>(), 0..=64_u32, any::<u64>()).prop_map(|(start, length, outcomes)| {
        PathDescriptor {
            start: start & 0xffff_fffc,
            length,
            outcomes: outcomes & Geometry::mask(length),
        }
    });
    prop::collection::vec(path, 2..80).prop_flat_map(|all| {
        let few = all.len().div_ceil(4);
        let number = prop_oneof![2 => 0..few, 1 => 0..all.len()];
        let path = (number, prop_oneof![20 => 0..4_u32, 1 => 0..200_u32]);
        let path = path.prop_map(move |(number, count)| CompletedPath {
            descriptor: all[number],
            count,
        });
        prop::collection::vec(path, 0..3000)
    })
}

proptest! {
    #[test]
    fn it_does_what_its_documentation_says(geometry in geometry(), paths in any_paths(), seed: u32) {
        let geometry = Geometry { max_branches: 64, ..geometry };
        let (mut table, mut naive) = (ShadowTable::new(&geometry, seed), naive::Naive::new(&geometry, seed));
        for (number, path) in paths.iter().enumerate() {
            prop_assert_eq!(table.admit(path), naive.admit(path), "path {}", number);
            prop_assert_eq!((table.chance(), table.scale()), (naive.chance, naive.scale));
        }
        let entries: Vec<_> = table.entries().map(|(number, entry)| (number, entry.descriptor, entry.count)).collect();
        prop_assert_eq!(&entries, &naive.entries());
        for path in &paths {
            let held = entries.iter().find(|(_, held, _)| *held == path.descriptor);
            prop_assert_eq!(table.find(&path.descriptor), held.map(|(number, ..)| *number));
        }
    }
}

#[test]
fn a_frozen_table_admits_nothing() {
    let geometry = Geometry {
        sets: 2,
        ways: 1,
        replacement: Replacement::Shadow,
        ..Geometry::default()
    };
    let mut table = HotPathTable::new(&geometry);
    table.set_frozen(true);
    assert_eq!(table.admit(&path(0, 1)), (Lookup::Frozen, Admission::None));
    assert_eq!(table.entries().count(), 0);
    table.set_frozen(false);
    assert!(matches!(
        table.admit(&path(0, 1)),
        (Lookup::Inserted, Admission::Inserted(_))
    ));
    assert_eq!(table.entries().count(), 1);
}

/// Many more paths than entries, a path's frequency as one over its number: Zipf's law.
#[test]
fn what_is_hot_stays_where_lfu_lets_it_go() {
    let geometry = Geometry {
        sets: 16,
        ways: 4,
        ..Geometry::default()
    };
    let mut shadow = HotPathTable::new(&Geometry {
        replacement: Replacement::Shadow,
        ..geometry
    });
    let mut lfu = HotPathTable::new(&geometry);
    let (mut state, mut totals) = (1_u64, HashMap::new());
    for _ in 0..1_000_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let uniform = (state >> 11) as f64 / (1_u64 << 53) as f64;
        let path = path(2000_f64.powf(uniform) as u64, 1);
        *totals.entry(path.descriptor).or_insert(0_u32) += 1;
        shadow.record_all(&[path]);
        lfu.record_all(&[path]);
    }
    let mut hottest: Vec<u32> = totals.values().copied().collect();
    hottest.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
    let best: u32 = hottest[..64].iter().sum();
    let held = |entries: Vec<(usize, TableEntry)>| -> u32 {
        let of = |entry: &TableEntry| entry.count.min(totals[&entry.descriptor]);
        entries.iter().map(|(_, entry)| of(entry)).sum()
    };
    let (kept, left) = (
        held(shadow.entries().collect()),
        held(lfu.entries().collect()),
    );
    assert!(
        kept > best / 100 * 94 && left < best / 100 * 88,
        "{kept} {left} of {best}"
    );
}
