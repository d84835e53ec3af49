//! A table that is told how often a path completed holds what one holds that is told each time.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor, Repeated};
use hpp_golden::profiler::HotPathTable;
use proptest::prelude::*;

fn repeated() -> impl Strategy<Value = Repeated> {
    let count = prop_oneof![Just(0), Just(1), 1..200_u32];
    (0..12_u64, count, prop_oneof![Just(1), 1..40_u32]).prop_map(|(number, count, times)| {
        let descriptor = PathDescriptor::new(4 * number);
        Repeated {
            path: CompletedPath { descriptor, count },
            times,
        }
    })
}

proptest! {
    #[test]
    fn paths_in_a_row_are_counted_at_once(
        paths in prop::collection::vec(repeated(), 0..300),
        replacement in prop::sample::select(Replacement::ALL.to_vec()),
        ways in prop::sample::select(vec![1, 2, 3, 4, 8]),
        accumulator_bits in prop::sample::select(vec![8, 16, 32]),
        is_frozen in prop::sample::select(vec![false, false, false, true]),
    ) {
        let geometry = Geometry { sets: 2, ways, accumulator_bits, replacement, ..Geometry::default() };
        let mut at_once = HotPathTable::new(&geometry);
        at_once.set_frozen(is_frozen);
        let mut one_by_one = at_once.clone();
        let all: Vec<CompletedPath> = paths.iter().flat_map(|p| vec![p.path; p.times as usize]).collect();
        prop_assert_eq!(at_once.record_repeated(&paths), one_by_one.record_all(&all));
        prop_assert!(at_once.entries().eq(one_by_one.entries()));
    }
}
