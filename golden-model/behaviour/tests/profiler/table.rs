//! Reading the table out, and when it takes no paths.

use crate::*;

#[test]
fn the_table_is_read_entry_by_entry() {
    let geometry = Geometry {
        pc_bits: 39,
        max_branches: 40,
        ..small()
    };
    let mut profiler = turned(geometry, 0);
    for target in (0..40).map(|k| 0x12_0000_0000 + 4 * k) {
        turn(&mut profiler, target);
    }
    let expected: Vec<_> = (0..16)
        .map(|n| profiler.table().words(n).collect())
        .collect();
    let (used, none) = expected.split_at(12);
    assert!(used.iter().all(|entry: &Vec<u32>| entry[1] == 0x12));
    assert!(none.iter().flatten().all(|&word| word == 0));
    profiler.write(TABLE_INDEX, 7);
    for k in 0..40 {
        let number = (7 + k) % 16;
        assert_eq!(profiler.read(TABLE_INDEX), number as u32);
        let entry = read_entry(&mut profiler);
        assert_eq!(entry, expected[number], "entry {number}");
    }
}

#[test]
fn an_entry_is_never_torn() {
    let mut profiler = turned(small(), 2);
    let (number, entry) = profiler.table().entries().next().expect("an entry");
    profiler.write(TABLE_INDEX, number as u32);
    assert_eq!(profiler.read(TABLE_DATA), 0x100);
    turn(&mut profiler, 0x100);
    profiler.write(COMMAND, 1);
    let rest: Vec<_> = (1..4).map(|_| profiler.read(TABLE_DATA)).collect();
    // As it was when fetched.
    assert_eq!(rest, [1, entry.descriptor.length, 1]);
    profiler.write(TABLE_INDEX, number as u32);
    assert_eq!(read_entry(&mut profiler), [0; 4]);
}

#[test]
fn writing_the_index_starts_an_entry_over() {
    let mut profiler = turned(small(), 2);
    let (number, _) = profiler.table().entries().next().expect("an entry");
    for _ in 0..2 {
        profiler.write(TABLE_INDEX, number as u32);
        assert_eq!(profiler.read(TABLE_DATA), 0x100);
    }
}

#[test]
fn a_table_being_cleared_takes_no_paths() {
    let mut profiler = turned(small(), 1);
    profiler.write(COMMAND, 1);
    profiler.set_clearing(true);
    assert_eq!(profiler.read(STATUS), 3);
    turn(&mut profiler, 0x100);
    profiler.set_clearing(false);
    assert_eq!(profiler.table().entries().count(), 0);
    assert_eq!(profiler.read(STATUS), 2);
    turn(&mut profiler, 0x100);
    assert_eq!(profiler.table().entries().count(), 1);
}
