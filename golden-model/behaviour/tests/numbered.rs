//! A table whose paths have numbers does what the table without numbers does, whatever the policy.

use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, NumberedPath, NumberedTable};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let ways =
        prop_oneof![3 => 1..6_u32, 1 => Just(8), 1 => Just(16), 1 => Just(31), 1 => Just(32)];
    let policies = prop::sample::select(Replacement::ALL.to_vec());
    (policies, 1..7_u32, ways, 8..=32_u32, any::<bool>()).prop_map(
        |(replacement, sets, ways, accumulator_bits, by_start)| Geometry {
            replacement,
            sets: 1 << sets,
            ways,
            accumulator_bits,
            index_scheme: match by_start && !replacement.is_skewed() {
                true => IndexScheme::Start,
                false => IndexScheme::Full,
            },
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
        let mut numbered = NumberedTable::new(&geometry, seed);
        for (numbers, clear) in &pieces {
            if *clear {
                table.clear();
                numbered.clear();
            }
            let paths: Vec<_> = numbers.iter().map(path).collect();
            prop_assert_eq!(numbered.record_all(&paths, numbers), table.record_all(&paths));
            let held: Vec<_> = numbered.entries().map(|entry| (path(&entry).descriptor, entry.count)).collect();
            prop_assert!(held.into_iter().eq(table.entries().map(|(_, entry)| (entry.descriptor, entry.count))));
        }
    }
}
