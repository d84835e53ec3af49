//! What cannot be seen from outside.

use super::*;

#[test]
fn every_entry_is_in_a_row_of_its_path() {
    let geometry = Geometry {
        sets: 8,
        ways: 3,
        ..Geometry::default()
    };
    let (mut table, mut moves) = (ShadowTable::new(&geometry, 1), 0);
    for number in 0..200_000_u64 {
        // Of two paths in three, the most recent hundred; of one, any of ten thousand.
        let start = match number % 3 {
            0 => number * 7919 % 10_000,
            _ => number / 20_000 * 100 + number % 100,
        };
        let path = CompletedPath {
            descriptor: PathDescriptor::new(4 * start),
            count: 1,
        };
        if let (_, Admission::Promoted { moved: Some(_), .. }) = table.admit(&path) {
            moves += 1;
        }
    }
    assert!(moves > 0);
    for (number, entry) in table.entries() {
        let rows = table.candidates(table.places.fold(&entry.descriptor));
        assert!(rows[..table.ways].contains(&number), "{entry:?}");
    }
}

#[test]
fn paths_behind_a_match_are_not_sampled() {
    let geometry = Geometry {
        sets: 2,
        ways: 1,
        ..Geometry::default()
    };
    let path = |number| CompletedPath {
        descriptor: PathDescriptor::new(4 * number),
        count: 1,
    };
    let mut table = ShadowTable::new(&geometry, 1);
    table.k = 0;
    let layout = table.layout;
    for (row, hot) in table.rows.iter_mut().zip([1000, 2000]) {
        row.tag = LongTag::new(layout, &path(hot).descriptor);
        row.count = 1_000_000;
    }
    let shadows = |table: &ShadowTable| -> Vec<(u16, u8)> {
        let rows = table.rows.iter();
        rows.map(|row| (row.fingerprint, row.shadow)).collect()
    };
    // A miss leaves a shadow, a second one matches it.
    assert_eq!(table.admit(&path(1)), (Lookup::Nothing, Admission::Strange));
    assert_eq!(table.pause, 0);
    assert_eq!(table.admit(&path(1)), (Lookup::Nothing, Admission::Grew));
    let matched = shadows(&table);
    assert!(matched.iter().any(|&(_, count)| count == 2));
    for other in 0..u64::from(PAUSE) {
        table.record(&path(10 + other));
    }
    assert_eq!(shadows(&table), matched);
    // The row without a shadow takes one at once.
    for other in 100..120 {
        table.record(&path(other));
    }
    assert_ne!(shadows(&table), matched);
}

#[test]
fn a_shadow_counts_half_for_each_step_of_k_since_it_was_written() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.set_shadow(3, 29);
    for halved in [29, 14, 7, 3] {
        assert_eq!(table.shadow(3), halved);
        table.k += 1;
    }
}

#[test]
fn where_a_shadow_is_full_k_grows_and_all_are_halved() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.set_shadow(1, MOST);
    table.set_shadow(2, 10);
    table.grow(1, MOST);
    assert_eq!(
        (table.k, table.shadow(1), table.shadow(2)),
        (FIRST_SCALE + 1, MOST / 2, 5)
    );
    table.k = LARGEST_SCALE;
    table.set_shadow(1, MOST);
    table.grow(1, MOST);
    assert_eq!((table.k, table.shadow(1)), (LARGEST_SCALE, MOST));
}
