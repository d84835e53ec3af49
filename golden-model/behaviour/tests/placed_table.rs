//! A skewed table whose paths have numbers does what the table without numbers does.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, NumberedPath, PlacedTable};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let replacement = prop_oneof![Just(Replacement::Shadow), Just(Replacement::Rrip)];
    (replacement, 1..7_u32, 1..6_u32, 8..=32_u32).prop_map(
        |(replacement, sets, ways, accumulator_bits)| Geometry {
            replacement,
            sets: 1 << sets,
            ways,
            accumulator_bits,
            ..Geometry::default()
        },
    )
}

/// Paths, and whether the table is cleared before them: a few or many different ones, so that the table fills or keeps empty rows.
fn pieces() -> impl Strategy<Value = Vec<(Vec<NumberedPath>, bool)>> {
    (1..400_u32).prop_flat_map(|different| {
        let number = prop_oneof![1 => 0..different.div_ceil(8), 3 => 0..different];
        let path = (number, 0..4_u32).prop_map(|(number, count)| NumberedPath { number, count });
        let paths = prop::collection::vec(path, 0..3000);
        prop::collection::vec((paths, prop::bool::weighted(0.2)), 1..6)
    })
}

fn path(numbered: &NumberedPath) -> CompletedPath {
    let number = u64::from(numbered.number);
    CompletedPath {
        descriptor: PathDescriptor {
            start: 4 * (number / 3),
            length: (number % 3) as u32,
            outcomes: 0,
        },
        count: numbered.count,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn numbers_change_nothing(
        geometry in geometry(),
        seed: u32,
        pieces in pieces(),
    ) {
        let mut table = HotPathTable::seeded(&geometry, seed);
        let mut placed = PlacedTable::new(&geometry, seed).expect("a skewed policy");
        for (numbers, clear) in &pieces {
            if *clear {
                table.clear();
                placed.clear();
            }
            let paths: Vec<_> = numbers.iter().map(path).collect();
            prop_assert_eq!(placed.record_all(&paths, numbers), table.record_all(&paths));
            prop_assert!(placed.entries().eq(table.entries().map(|(_, entry)| entry)));
        }
    }
}

#[test]
fn the_table_of_the_thesis_has_no_places() {
    assert!(PlacedTable::new(&Geometry::default(), 1).is_none());
}
