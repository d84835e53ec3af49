//! What must hold of replacement with shadow entries, whatever the stream.

use std::collections::HashMap;

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::{Admission, HotPathTable, Lookup, TableEntry};

use crate::path;

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
        (Lookup::Inserted, Admission::Taken(_))
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
        shadow.record(&path);
        lfu.record(&path);
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
