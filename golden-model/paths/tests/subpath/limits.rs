//! Limits of memory and overhead, and settings that make no sense.

use hpp_paths::subpath::{
    Encoding, Lengths, Memory, Settings, SettingsError, SubpathProfiler, Windows,
};
use proptest::prelude::*;

fn windows() -> impl Strategy<Value = Windows> {
    prop_oneof![Just(Windows::Disjoint), Just(Windows::Overlapping)]
}

/// What an entry takes without its blocks.
fn entry() -> usize {
    let settings = Settings {
        lengths: Lengths::uniform(1..=1).expect("a length"),
        period: 1.0,
        keep_blocks: false,
        ..Settings::default()
    };
    let mut profiler = SubpathProfiler::seeded(settings, 0).expect("sound settings");
    let empty = profiler.memory();
    profiler.enter(0);
    assert_eq!(profiler.report().subpaths().len(), 1);
    // Its length, its number, its count, where its blocks would be and how many, and the byte by which a hash table finds it.
    let [word, count] = [size_of::<usize>(), size_of::<u64>()];
    assert_eq!(profiler.memory() - empty, 3 * word + 2 * count + 1);
    profiler.memory() - empty
}

/// Twice the longest subpath, eight bytes a block, and as many again where costs matter.
#[test]
fn an_empty_profiler_takes_its_window() {
    for (longest, dearest, bytes) in [
        (1, None, 16),
        (16, None, 256),
        (16, Some(2.0), 512),
        (33, Some(0.5), 1056),
    ] {
        let lengths = Lengths::uniform(1..=longest).expect("lengths");
        let settings = Settings {
            lengths,
            dearest,
            ..Settings::default()
        };
        let profiler = SubpathProfiler::seeded(settings, 0).expect("sound settings");
        assert_eq!(profiler.memory(), bytes);
    }
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
        let (window, entry) = (profiler.memory(), entry());
        for block in blocks {
            profiler.enter(block);
            let report = profiler.report();
            match memory {
                Memory::Entries(most) => prop_assert!(report.subpaths().len() <= most),
                Memory::Bytes(most) => prop_assert!(profiler.memory() <= most),
            }
            let blocks = |length: usize| usize::from(keep_blocks) * 8 * length;
            let entries: usize = report.subpaths().iter().map(|subpath| entry + blocks(subpath.id.length)).sum();
            prop_assert_eq!(profiler.memory(), window + entries);
        }
        let raised = growth.powi(i32::try_from(profiler.thinnings()).expect("few"));
        prop_assert!((profiler.period() / raised - 1.0).abs() < 1e-9);
        let report = profiler.report();
        let counted: u64 = report.subpaths().iter().map(|subpath| subpath.count).sum();
        prop_assert_eq!(counted, report.samples());
        prop_assert!(report.subpaths().iter().all(|subpath| subpath.count > 0));
    }

    /// A period that keeps the limit stays as it is set. A shorter one is lengthened until it just keeps the limit.
    #[test]
    fn the_first_period_is_as_short_as_the_limit_of_overhead_allows(
        share in 0.001..1.0, windows in windows(), period in 1.0..2_000.0,
    ) {
        let settings = Settings { period, sampled_share: Some(share), windows, ..Settings::default() };
        let mean = settings.lengths.mean();
        let sampled = |period: f64| match windows {
            Windows::Disjoint => mean / (period - 1.0 + mean),
            Windows::Overlapping => mean / period,
        };
        let first = SubpathProfiler::seeded(settings, 0).expect("sound settings").period();
        match sampled(period) <= share {
            true => prop_assert_eq!(first, period),
            false => prop_assert!((sampled(first) / share - 1.0).abs() < 1e-9),
        }
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
    for period in [0.5, f64::INFINITY] {
        let settings = Settings { period, ..sound() };
        assert_eq!(refused(settings), SettingsError::Period(period));
    }
    for growth in [1.0, f64::INFINITY] {
        let settings = Settings { growth, ..sound() };
        assert_eq!(refused(settings), SettingsError::Growth(growth));
    }
    for share in [0.0, -1.0] {
        let sampled_share = Some(share);
        let settings = Settings {
            sampled_share,
            ..sound()
        };
        assert_eq!(refused(settings), SettingsError::Share(share));
    }
    for cost in [0.0, -1.0, f64::INFINITY] {
        let dearest = Some(cost);
        let settings = Settings { dearest, ..sound() };
        assert_eq!(refused(settings), SettingsError::Dearest(cost));
    }
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
    let SettingsError::Memory { least, .. } = error else {
        unreachable!("as above");
    };
    let with = |bytes| {
        let memory = Memory::Bytes(bytes);
        let settings = Settings { memory, ..sound() };
        SubpathProfiler::seeded(settings, 0).is_ok()
    };
    assert_eq!([with(least - 1), with(least)], [false, true]);
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
    for weight in [0.0, -1.0, f64::INFINITY] {
        let error = SettingsError::Weight { length: 2, weight };
        assert_eq!(Lengths::weighted([(1, 1.0), (2, weight)]), Err(error));
    }
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
