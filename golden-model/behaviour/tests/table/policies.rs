//! What must hold of a table under every policy, whatever the stream.

use std::collections::{HashMap, HashSet};

use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::path::{CompletedPath, Repeated};
use hpp_golden::profiler::{HotPathTable, NumberedPath, NumberedTable, TableTally};
use proptest::prelude::*;

use crate::path;

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

/// A few or many different paths, so that the table fills or keeps empty rows.
fn paths() -> impl Strategy<Value = Vec<NumberedPath>> {
    (1..400_u32).prop_flat_map(|different| {
        let number = prop_oneof![1 => 0..different.div_ceil(8), 3 => 0..different];
        let path = (number, 0..4_u32).prop_map(|(number, count)| NumberedPath { number, count });
        prop::collection::vec(path, 0..3000)
    })
}

fn repeated() -> impl Strategy<Value = Repeated> {
    let count = prop_oneof![Just(0), Just(1), 1..200_u32];
    (0..60_u32, count, prop_oneof![Just(1), 1..40_u32]).prop_map(|(number, count, times)| {
        Repeated {
            path: path(number.into(), count),
            times,
        }
    })
}

fn completed(numbered: &NumberedPath) -> CompletedPath {
    path(numbered.number.into(), numbered.count)
}

fn record_all(table: &mut HotPathTable, paths: &[CompletedPath]) -> TableTally {
    let mut tally = TableTally::default();
    paths.iter().for_each(|path| tally.add(table.record(path)));
    tally
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Paths by their numbers, and whether the table is cleared before them.
    #[test]
    fn numbers_change_nothing(
        geometry in geometry(),
        seed: u32,
        pieces in prop::collection::vec((paths(), prop::bool::weighted(0.2)), 1..6),
    ) {
        let mut table = HotPathTable::seeded(&geometry, seed);
        let mut numbered = NumberedTable::new(&geometry, seed);
        for (numbers, clear) in &pieces {
            if *clear {
                table.clear();
                numbered.clear();
                prop_assert_eq!(table.entries().count(), 0);
            }
            let paths: Vec<_> = numbers.iter().map(completed).collect();
            let which = |number: u32| path(number.into(), 0).descriptor;
            prop_assert_eq!(numbered.record_all(numbers, which), record_all(&mut table, &paths));
            let held: Vec<_> = numbered.entries().map(|entry| (which(entry.number), entry.count)).collect();
            prop_assert!(held.into_iter().eq(table.entries().map(|(_, entry)| (entry.descriptor, entry.count))));
        }
    }
}

proptest! {
    #[test]
    fn paths_in_a_row_are_counted_at_once(
        geometry in geometry(),
        paths in prop::collection::vec(repeated(), 0..300),
        is_frozen in prop::bool::weighted(0.25),
    ) {
        let mut at_once = HotPathTable::new(&geometry);
        at_once.set_frozen(is_frozen);
        let mut together = at_once.clone();
        let all: Vec<CompletedPath> = paths.iter().flat_map(|p| vec![p.path; p.times as usize]).collect();
        let mut tally = TableTally::default();
        for path in &paths {
            let more = at_once.record_repeated(path);
            tally.hits += more.hits;
            tally.replacements += more.replacements;
            tally.accumulator_saturated |= more.accumulator_saturated;
        }
        prop_assert_eq!(tally, record_all(&mut together, &all));
        prop_assert!(at_once.entries().eq(together.entries()));
    }

    #[test]
    fn a_path_is_there_once_and_never_with_count_0(geometry in geometry(), seed: u32, paths in paths()) {
        let mut table = HotPathTable::seeded(&geometry, seed);
        let paths: Vec<_> = paths.iter().map(completed).collect();
        record_all(&mut table, &paths);
        let ran: HashSet<_> = paths.iter().map(|path| path.descriptor).collect();
        let (mut numbers, mut held) = (HashSet::new(), HashSet::new());
        for (number, entry) in table.entries() {
            prop_assert!(number < geometry.entries() as usize && numbers.insert(number));
            prop_assert!(held.insert(entry.descriptor) && ran.contains(&entry.descriptor));
            prop_assert!(entry.count > 0 && u64::from(entry.count) <= Geometry::mask(geometry.accumulator_bits));
        }
    }

    #[test]
    fn what_fits_is_counted_exactly(
        replacement in prop::sample::select(Replacement::ALL.to_vec()),
        seed: u32,
        paths in prop::collection::vec((0..8_u32, 0..4_u32), 0..500),
    ) {
        let geometry = Geometry { sets: 64, ways: 8, replacement, ..Geometry::default() };
        let mut table = HotPathTable::seeded(&geometry, seed);
        let mut exact = HashMap::new();
        for (number, count) in paths {
            let path = path(number.into(), count);
            table.record(&path);
            *exact.entry(path.descriptor).or_insert(0) += count;
        }
        exact.retain(|_, count| *count > 0);
        let held: HashMap<_, _> = table.entries().map(|(_, e)| (e.descriptor, e.count)).collect();
        prop_assert_eq!(held, exact);
    }
}
