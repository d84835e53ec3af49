//! What must hold of the path stack and of the whole profiler, on random geometries, control registers and streams.

mod effect;
mod lossy;
mod strategies;

use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{PathStack, Ppcr, Profiler, ResetValues};
use hpp_golden::registers;
use proptest::collection::vec;
use proptest::prelude::*;

fn configured() -> impl Strategy<Value = (Geometry, Ppcr)> {
    strategies::geometry()
        .prop_flat_map(|geometry| (Just(geometry), strategies::ppcr(geometry.extension_bits)))
}

fn read_back(profiler: &Profiler) -> Vec<(usize, PathDescriptor, u32)> {
    let entries = profiler.table().entries();
    entries
        .map(|(number, e)| (number, e.descriptor, e.count))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn paths_and_entries_are_within_their_bounds(
        (geometry, ppcr) in configured(),
        records in vec(strategies::record(), 0..400),
    ) {
        let mut stack = PathStack::new(&geometry, ppcr);
        let most = Geometry::mask(geometry.event_counter_bits);
        for (k, record) in records.iter().enumerate() {
            if let Some(CompletedPath { descriptor: path, count }) = stack.step(record) {
                prop_assert_eq!(path.start, geometry.start(path.start));
                prop_assert!(path.length <= geometry.max_branches && u64::from(count) <= most);
                prop_assert_eq!(path.outcomes.checked_shr(path.length).unwrap_or(0), 0);
            }
            prop_assert!((1..=stack.depth()).contains(&stack.len()), "record {} left {}", k, stack.len());
            let resting = stack.entries().all(|e| e.descriptor.length < geometry.max_branches);
            prop_assert!(resting, "record {} left a path that is full", k);
        }
    }

    #[test]
    fn the_words_read_over_the_bus_are_the_table(
        (geometry, ppcr) in configured(),
        records in vec(strategies::record(), 0..200),
        first in any::<u32>(),
    ) {
        let geometry = Geometry { sets: geometry.sets.min(16), ..geometry };
        let reset = ResetValues { rows: ppcr.rows, ..ResetValues::enabled() };
        let mut profiler = Profiler::new(&geometry, &reset).expect("a legal geometry");
        for record in &records {
            profiler.profile(record);
        }
        let numbers = geometry.entries().next_power_of_two();
        profiler.write(registers::TABLE_INDEX.offset, first);
        for number in (0..numbers).map(|k| ((first & 0xffff) + k) % numbers) {
            let mut wide = |words| (0..words)
                .map(|k| u64::from(profiler.read(registers::TABLE_DATA.offset)) << (32 * k))
                .sum::<u64>();
            let start = wide(geometry.start_words());
            let outcomes = wide(geometry.outcome_words());
            let (length, count) = (wide(1) as u32, wide(1) as u32);
            let entry = profiler.table().entry(number as usize);
            let expected = entry.map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
            prop_assert_eq!((PathDescriptor { start, length, outcomes }, count), expected);
        }
    }
}
