//! A table whose paths have numbers does what the table without numbers does.

use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, NumberedPath, NumberedTable, Sets};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let ways = prop_oneof![1..6_u32, Just(8), Just(16), Just(31), Just(32)];
    (1..5_u32, ways, 8..=32_u32, any::<bool>()).prop_map(
        |(sets, ways, accumulator_bits, by_start)| Geometry {
            sets: 1 << sets,
            ways,
            accumulator_bits,
            index_scheme: if by_start {
                IndexScheme::Start
            } else {
                IndexScheme::Full
            },
            ..Geometry::default()
        },
    )
}

fn paths() -> impl Strategy<Value = Vec<NumberedPath>> {
    let number = prop_oneof![2 => 0..12_u32, 1 => 0..PATHS];
    let count = prop_oneof![9 => 0..4_u32, 1 => 0..300_u32];
    let path = (number, count).prop_map(|(number, count)| NumberedPath { number, count });
    prop::collection::vec(path, 0..1000)
}

/// So many different paths.
const PATHS: u32 = 300;

fn descriptor(number: u32) -> PathDescriptor {
    PathDescriptor {
        start: 4 * u64::from(number / 3),
        length: number % 3,
        outcomes: 0,
    }
}

fn path(numbered: &NumberedPath) -> CompletedPath {
    CompletedPath {
        descriptor: descriptor(numbered.number),
        count: numbered.count,
    }
}

proptest! {
    #[test]
    fn numbers_change_nothing(geometry in geometry(), before in paths(), behind in paths(), clear: bool) {
        let all: Vec<_> = (0..PATHS).map(descriptor).collect();
        let mut sets = Sets::new(&geometry);
        prop_assert_eq!((sets.is_empty(), sets.len()), (true, 0));
        sets.extend(all[..7].iter());
        prop_assert_eq!((sets.is_empty(), sets.len()), (false, 7));
        sets.extend(all[7..].iter());
        prop_assert_eq!(sets.len(), all.len());
        let (mut table, mut numbered) = (HotPathTable::new(&geometry), NumberedTable::new(&geometry));
        for paths in [&before, &behind] {
            if clear {
                table.clear();
                numbered.clear();
                prop_assert_eq!(numbered.entries().count(), 0);
            }
            let described: Vec<_> = paths.iter().map(path).collect();
            prop_assert_eq!(numbered.record_all(&sets, paths), table.record_all(&described));
            let held = table.entries().map(|(_, entry)| (entry.descriptor, entry.count));
            prop_assert!(numbered.entries().map(|entry| (descriptor(entry.number), entry.count)).eq(held));
        }
    }
}
