//! Many profilers at once measure what each measures alone.

use hpp_explore::{Configuration, Sweep, accuracy};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, ExactProfile, Profiler, ResetValues};
use proptest::prelude::*;

/// Records of a small program, each with a number.
fn records() -> Vec<BranchRecord> {
    let kinds = BranchKind::ALL.into_iter().cycle();
    let record = |(number, kind): (u64, BranchKind)| {
        BranchRecord::new(
            kind,
            !matches!(kind, BranchKind::Forward | BranchKind::Backward) || number % 3 > 0,
            0x1000 + 4 * (number * 7 % 64),
            0x2000,
        )
        .with_events(number as u32 % 9)
    };
    (0..40).zip(kinds).map(record).collect()
}

fn configuration() -> impl Strategy<Value = Configuration> {
    let table = (
        1..4_u32,
        1..5_u32,
        any::<bool>(),
        1..6_u32,
        any::<bool>(),
        prop::sample::select(Replacement::ALL.to_vec()),
    );
    table.prop_map(
        |(sets, ways, start, max_branches, ends, replacement)| Configuration {
            geometry: Geometry {
                sets: 1 << sets,
                ways,
                max_branches,
                index_scheme: if start {
                    IndexScheme::Start
                } else {
                    IndexScheme::Full
                },
                replacement: if start { Replacement::Lfu } else { replacement },
                ..Geometry::default()
            },
            reset: ResetValues {
                backward_not_taken: if ends {
                    BackwardNotTaken::AsBackward
                } else {
                    BackwardNotTaken::AsForward
                },
                ..ResetValues::enabled()
            },
        },
    )
}

fn alone(configuration: &Configuration, records: &[BranchRecord]) -> (Profiler, ExactProfile) {
    let mut profiler = Profiler::new(&configuration.geometry, &configuration.reset).unwrap();
    let mut exact = ExactProfile::new();
    for record in records {
        if let Some(path) = profiler.profile(record) {
            exact.record(&path);
        }
    }
    (profiler, exact)
}

proptest! {
    #[test]
    fn each_is_as_if_it_were_alone(
        configurations in prop::collection::vec(configuration(), 1..6),
        numbers in prop::collection::vec(0..40_u32, 0..600),
        cut in any::<prop::sample::Index>(),
        window in prop_oneof![1..200_u64, Just(u64::MAX)],
    ) {
        use hpp_golden::registers::Counter::{Hits, Paths, Replacements};
        let defined = records();
        let mut sweep = Sweep::new(&configurations, window);
        let (one, other) = numbers.split_at(cut.index(numbers.len() + 1));
        sweep.profile(&defined, one);
        sweep.profile(&defined, other);
        let run: Vec<_> = numbers.iter().map(|&n| defined[n as usize]).collect();
        for (measured, configuration) in sweep.finish().iter().zip(&configurations) {
            let (profiler, exact) = alone(configuration, &run);
            prop_assert_eq!(&measured.configuration, configuration);
            let counters = [Paths, Hits, Replacements].map(|c| profiler.counters().get(c));
            prop_assert_eq!([measured.paths, measured.hits, measured.replacements], counters);
            let entries = profiler.table().entries().map(|(_, entry)| entry);
            let room = configuration.geometry.entries() as usize;
            prop_assert_eq!(measured.complete, accuracy(entries, room, &exact));
            prop_assert_eq!(measured.records, numbers.len() as u64);
        }
    }
}

#[test]
fn windows_begin_with_empty_tables_and_a_short_rest_does_not_count() {
    // A loop of five instructions, then another: each window holds one of them.
    let latch = |target| BranchRecord::new(BranchKind::Backward, true, target, 0).with_events(5);
    let configuration = Configuration {
        geometry: Geometry {
            sets: 2,
            ways: 1,
            ..Geometry::default()
        },
        reset: ResetValues::enabled(),
    };
    let mut sweep = Sweep::new(&[configuration], 500);
    let numbers: Vec<u32> = (0..240).map(|record| record / 100).collect();
    sweep.profile(&[latch(0x10), latch(0x10_0000), latch(0x20)], &numbers);
    let measured = sweep.finish();
    assert_eq!((measured[0].windows, sweep.profiles().len()), (2, 2));
    let dynamic = measured[0].dynamic.unwrap();
    // The first path of the second window is that of the first loop.
    assert!(dynamic.overlap > 0.97, "{dynamic:?}");
    assert_eq!(measured[0].instructions, 1200);
}

#[test]
fn records_without_instructions_after_the_last_window_are_of_the_run() {
    let latch = |target, events| {
        BranchRecord::new(BranchKind::Backward, true, target, 0).with_events(events)
    };
    let configuration = Configuration {
        geometry: Geometry::default(),
        reset: ResetValues::enabled(),
    };
    for numbers in [vec![0, 0, 1, 1, 1], vec![1; 3]] {
        let mut sweep = Sweep::new(&[configuration], 10);
        sweep.profile(&[latch(0x10, 5), latch(0x20, 0)], &numbers);
        let measured = &sweep.finish()[0];
        assert_eq!(measured.windows, u64::from(numbers[0] == 0));
        let complete = measured.complete;
        assert_eq!((complete.overlap, complete.accounted), (1.0, 1.0));
        assert_eq!(sweep.distributions()[0].1.hottest.last().unwrap().1, 1.0);
        assert!(measured.different > 0);
    }
}
