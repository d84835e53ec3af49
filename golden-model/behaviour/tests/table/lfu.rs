//! The thesis's policy: every corner of the table, by name.

use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, Lookup, TableEntry, set_index};

/// Two sets; starts that are multiples of 8 and have an even number of ones above bit 2 fall into set 0.
fn small(ways: u32) -> Geometry {
    let geometry = Geometry {
        sets: 2,
        ways,
        accumulator_bits: 8,
        ..Geometry::default()
    };
    geometry.validate().expect("a legal geometry");
    geometry
}

/// Paths of set 0, distinguished by their number.
fn path(number: u64, count: u32) -> CompletedPath {
    let parity = u64::from(number.count_ones() % 2);
    CompletedPath {
        descriptor: PathDescriptor::new((2 * number + parity) << 2),
        count,
    }
}

fn counts(table: &HotPathTable) -> Vec<(usize, u32)> {
    table
        .entries()
        .map(|(number, e)| (number, e.count))
        .collect()
}

/// The path with this number is evicted.
fn replaced(number: u64, count: u32) -> Lookup {
    let descriptor = path(number, count).descriptor;
    let evicted = TableEntry { descriptor, count };
    Lookup::Replaced { evicted }
}

const HIT: Lookup = Lookup::Hit { saturated: false };

#[test]
fn ways_fill_in_order() {
    for ways in [1, 2, 3, 4, 5, 8, 32] {
        let mut table = HotPathTable::new(&small(ways));
        for number in 0..ways {
            let path = path(number.into(), 10);
            assert_eq!(table.record(&path), Lookup::Inserted);
            let CompletedPath { descriptor, count } = path;
            let entry = TableEntry { descriptor, count };
            assert_eq!(table.entry(number as usize), Some(entry));
        }
        let more = path(ways.into(), 1);
        assert_eq!(table.record(&more), replaced(0, 10));
    }
}

#[test]
fn an_empty_way_holds_no_path_not_even_the_one_of_zeros() {
    let mut table = HotPathTable::new(&small(2));
    let zeros = CompletedPath::default();
    let counted = CompletedPath { count: 3, ..zeros };
    assert_eq!(table.record(&zeros), Lookup::Nothing);
    assert_eq!(table.record(&counted), Lookup::Inserted);
    assert_eq!(table.record(&counted), HIT);
    assert_eq!(table.words(0).collect::<Vec<_>>(), [0, 0, 0, 6]);
}

#[test]
fn the_widest_accumulator_does_not_wrap() {
    let mut table = HotPathTable::new(&Geometry {
        accumulator_bits: 32,
        ..small(2)
    });
    table.record(&path(1, u32::MAX));
    assert_eq!(table.record(&path(1, 0)), HIT);
    let again = table.record(&path(1, u32::MAX));
    assert_eq!(again, Lookup::Hit { saturated: true });
    assert_eq!(counts(&table), [(0, u32::MAX)]);
}

#[test]
fn paths_that_differ_in_one_part_are_different_paths() {
    let mut table = HotPathTable::new(&Geometry {
        index_scheme: IndexScheme::Start,
        max_branches: 64,
        ..small(8)
    });
    let descriptors = [
        (0x100, 0, 0),
        (0x100, 1, 0),
        (0x100, 1, 1),
        (0x100, 2, 1),
        (0x100, 63, 0),
        (0x100, 64, 0),
        (0x100, 64, 1 << 63),
    ];
    let given = descriptors.map(|(start, length, outcomes)| PathDescriptor {
        start,
        length,
        outcomes,
    });
    for descriptor in given {
        let count = 1;
        let inserted = table.record(&CompletedPath { descriptor, count });
        assert_eq!(inserted, Lookup::Inserted, "{descriptor}");
    }
    let held: Vec<_> = table.entries().map(|(_, e)| e.descriptor).collect();
    assert_eq!(held, given);
}

#[test]
fn a_frozen_table_can_be_read_and_cleared() {
    let mut table = HotPathTable::new(&small(2));
    table.record(&path(1, 5));
    table.set_frozen(true);
    assert_eq!(table.record(&path(1, 5)), Lookup::Frozen);
    assert_eq!(table.record(&path(2, 5)), Lookup::Frozen);
    assert_eq!(counts(&table), [(0, 5)]);
    table.clear();
    assert_eq!(counts(&table), []);
    table.set_frozen(false);
    assert_eq!(table.record(&path(1, 5)), Lookup::Inserted);
}

/// 128 sets: slices of seven bits, worked out by hand.
#[test]
fn the_index_folds_start_outcomes_and_length() {
    let geometry = Geometry::default();
    let path = PathDescriptor {
        start: 0x8000_0010,
        length: 9,
        outcomes: 0b1_0000_0011,
    };
    // start >> 2 = 0x2000_0004: slices 0x04 and, from bit 28, 0x02; outcomes: 0x03 and 0x02; length: 0x09.
    let folded = 0x04 ^ 0x02 ^ 0x03 ^ 0x02 ^ 0x09;
    assert_eq!(set_index(&geometry, &path), folded);
    let start = Geometry {
        index_scheme: IndexScheme::Start,
        ..geometry
    };
    assert_eq!(set_index(&start, &path), 0x04 ^ 0x02);
    let compressed = Geometry { align: 1, ..start };
    // start >> 1 = 0x4000_0008: slices 0x08 and, from bit 28, 0x04.
    assert_eq!(set_index(&compressed, &path), 0x08 ^ 0x04);
}
