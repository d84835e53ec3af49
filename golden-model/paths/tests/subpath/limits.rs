//! Limits of memory and overhead, and settings that make no sense.

use hpp_paths::subpath::{
    Encoding, Lengths, Memory, Settings, SettingsError, SubpathProfiler, Windows,
};
use proptest::prelude::*;

fn windows() -> impl Strategy<Value = Windows> {
    prop_oneof![Just(Windows::Disjoint), Just(Windows::Overlapping)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn memory_is_never_exceeded(
        blocks in prop::collection::vec(0..50_u64, 0..2_000), spare in 0..2_000_usize, entries in 1..40_usize,
        by_entries: bool, keep_blocks: bool, windows in windows(), growth in 1.01..3.0, seed: u64,
    ) {
        let least = 16 * 16 + 200;
        let memory = match by_entries {
            true => Memory::Entries(entries),
            false => Memory::Bytes(least + spare),
        };
        let settings = Settings {
            lengths: Lengths::powers_of_two(16).expect("at least 2"),
            encoding: Encoding::Linear,
            period: 1.0,
            growth,
            memory,
            windows,
            keep_blocks,
            ..Settings::default()
        };
        let mut profiler = SubpathProfiler::seeded(settings, seed).expect("sound settings");
        for block in blocks {
            profiler.enter(block);
            match memory {
                Memory::Entries(most) => prop_assert!(profiler.report().subpaths().len() <= most),
                Memory::Bytes(most) => {
                    prop_assert!(profiler.memory() <= most);
                    // An identity, a count and, if they are kept, its blocks: no entry can take less.
                    let blocks = |length: usize| usize::from(keep_blocks) * 8 * length;
                    let report = profiler.report();
                    let least: usize = report.subpaths().iter().map(|subpath| 16 + blocks(subpath.id.length)).sum();
                    prop_assert!(least <= profiler.memory());
                }
            }
        }
        let report = profiler.report();
        let counted: u64 = report.subpaths().iter().map(|subpath| subpath.count).sum();
        prop_assert_eq!(counted, report.samples());
        prop_assert!(report.subpaths().iter().all(|subpath| subpath.count > 0));
    }

    #[test]
    fn the_limit_of_overhead_holds_on_average(share in 0.001..0.5, windows in windows(), seed: u64) {
        let settings = Settings { period: 1.0, sampled_share: Some(share), windows, ..Settings::default() };
        let mut profiler = SubpathProfiler::seeded(settings, seed).expect("sound settings");
        (0..200_000).for_each(|block| profiler.enter(block % 7));
        let sampled = profiler.sampled_blocks() as f64 / profiler.blocks() as f64;
        // A sampled subpath has 6 blocks on average and a variance of 56, so this is at least six standard deviations.
        let deviation = 20.0 * (share / 200_000.0_f64).sqrt();
        prop_assert!(sampled < share + deviation, "{sampled} of at most {share}");
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings: Settings| SubpathProfiler::seeded(settings, 0).expect_err("refused");
    let sound = Settings::default;
    assert_eq!(
        refused(Settings {
            period: 0.5,
            ..sound()
        }),
        SettingsError::Period(0.5)
    );
    assert_eq!(
        refused(Settings {
            growth: 1.0,
            ..sound()
        }),
        SettingsError::Growth(1.0)
    );
    assert_eq!(
        refused(Settings {
            sampled_share: Some(0.0),
            ..sound()
        }),
        SettingsError::Share(0.0)
    );
    assert_eq!(
        refused(Settings {
            dearest: Some(-1.0),
            ..sound()
        }),
        SettingsError::Dearest(-1.0)
    );
    assert_eq!(
        refused(Settings {
            memory: Memory::Entries(0),
            ..sound()
        }),
        SettingsError::NoEntry
    );
    let error = refused(Settings {
        memory: Memory::Bytes(100),
        ..sound()
    });
    assert!(
        matches!(
            error,
            SettingsError::Memory {
                bytes: 100,
                longest: 32,
                ..
            }
        ),
        "{error}"
    );
    // Twice this length at eight bytes is 2^65.
    let error = refused(Settings {
        lengths: Lengths::weighted([(1 << 61, 1.0)]).expect("a length"),
        ..sound()
    });
    assert!(matches!(error, SettingsError::Memory { .. }), "{error}");
    assert!(matches!(
        Lengths::weighted([(2, f64::MAX), (4, f64::MAX)]),
        Err(SettingsError::Weight { .. })
    ));
    assert_eq!(Lengths::weighted([]), Err(SettingsError::NoLength));
    assert_eq!(Lengths::powers_of_two(1), Err(SettingsError::NoLength));
    assert!(matches!(
        Lengths::uniform(0..=3),
        Err(SettingsError::Weight { length: 0, .. })
    ));
}

#[test]
fn a_cost_that_is_no_number_costs_nothing() {
    let settings = Settings {
        period: 1.0,
        dearest: Some(1.0),
        ..Settings::default()
    };
    let mut profiler = SubpathProfiler::seeded(settings, 0).expect("sound settings");
    for cost in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].repeat(100) {
        profiler.enter_costing(1, cost);
    }
    assert_eq!(profiler.blocks(), 300);
}
