//! Estimates against exact counts, over many seeds: their mean is right, and one is rarely far off.

use hpp_paths::subpath::{
    Encoding, Lengths, Memory, Report, SampledSubpath, Settings, Sides, SubpathProfiler, Windows,
    count_subpaths, encoded_counts, expectation, relative_error,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Seeds a mean is taken over.
const SEEDS: u64 = 300;

/// A program of two nested loops with a branch in the inner one.
fn stream() -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut blocks = Vec::new();
    for _ in 0..2_000 {
        blocks.extend([1]);
        for _ in 0..random.random_range(1..6) {
            blocks.extend([2, if random.random_bool(0.8) { 3 } else { 4 }, 5]);
        }
    }
    blocks
}

fn settings(windows: Windows, period: f64, entries: usize) -> Settings {
    Settings {
        lengths: Lengths::powers_of_two(8).expect("8 is at least 2"),
        encoding: Encoding::Linear,
        period,
        memory: Memory::Entries(entries),
        windows,
        ..Settings::default()
    }
}

fn profile(settings: &Settings, blocks: &[u64], seed: u64) -> SubpathProfiler {
    let mut profiler = SubpathProfiler::seeded(settings.clone(), seed).expect("sound settings");
    blocks.iter().for_each(|&block| profiler.enter(block));
    profiler
}

/// The greatest distance of a mean estimate from the exact count, in standard errors of the mean.
fn worst_bias(settings: &Settings) -> f64 {
    let blocks = stream();
    let exact = encoded_counts(&count_subpaths(&blocks, [2, 4, 8]), settings.encoding);
    let mut sums = exact
        .iter()
        .map(|(&id, _)| (id, [0.0, 0.0]))
        .collect::<std::collections::HashMap<_, _>>();
    for seed in 0..SEEDS {
        for subpath in profile(settings, &blocks, seed).report().subpaths() {
            let [sum, squares] = sums
                .get_mut(&subpath.id)
                .expect("what is sampled has occurred");
            *sum += subpath.estimate;
            *squares += subpath.estimate.powi(2);
        }
    }
    let distance = |id, [sum, squares]: [f64; 2]| {
        let mean = sum / SEEDS as f64;
        let variance = squares / SEEDS as f64 - mean * mean;
        (mean - exact[&id] as f64).abs() / (variance / SEEDS as f64).sqrt()
    };
    // What is sampled a few times in all seeds has no normal distribution.
    let often = sums.into_iter().filter(|(id, _)| exact[id] > 400);
    let distances: Vec<f64> = often.map(|(id, sums)| distance(id, sums)).collect();
    assert!(
        distances.len() >= 10,
        "{} subpaths to judge by",
        distances.len()
    );
    distances.into_iter().fold(0.0, f64::max)
}

#[test]
fn overlapping_samples_are_unbiased() {
    let worst = worst_bias(&settings(Windows::Overlapping, 20.0, usize::MAX));
    assert!(worst < 4.5, "{worst} standard errors");
}

#[test]
fn disjoint_samples_are_unbiased() {
    let worst = worst_bias(&settings(Windows::Disjoint, 20.0, usize::MAX));
    assert!(worst < 4.5, "{worst} standard errors");
}

#[test]
fn thinning_keeps_the_sample_unbiased() {
    for windows in [Windows::Overlapping, Windows::Disjoint] {
        let settings = settings(windows, 2.0, 30);
        let profiler = profile(&settings, &stream(), 0);
        assert!(
            profiler.thinnings() > 5,
            "{} thinnings",
            profiler.thinnings()
        );
        let worst = worst_bias(&settings);
        assert!(worst < 4.5, "{windows:?}: {worst} standard errors");
    }
}

#[test]
fn bounds_hold_at_least_as_often_as_they_say() {
    let (settings, blocks) = (settings(Windows::Overlapping, 100.0, usize::MAX), stream());
    let exact = encoded_counts(&count_subpaths(&blocks, [2, 4, 8]), settings.encoding);
    let (mut held, mut all) = (0_u32, 0_u32);
    for seed in 0..SEEDS {
        for subpath in profile(&settings, &blocks, seed).report().subpaths() {
            held += u32::from(subpath.bounds(0.8).contains(&(exact[&subpath.id] as f64)));
            all += 1;
        }
    }
    assert!(f64::from(held) > 0.8 * f64::from(all), "{held} of {all}");
}

#[test]
fn a_report_says_how_good_its_estimates_are() {
    let report = profile(
        &settings(Windows::Overlapping, 20.0, usize::MAX),
        &stream(),
        1,
    )
    .report();
    for subpath in report.subpaths() {
        let (count, bounds) = (subpath.count, subpath.bounds(0.9));
        let share = |bound: f64| bound / subpath.estimate * count as f64;
        let expected = expectation(count, 0.9);
        assert!(bounds.contains(&subpath.estimate));
        assert!((share(*bounds.start()) - expected.start()).abs() < 1e-9 * count as f64);
        assert!((share(*bounds.end()) - expected.end()).abs() < 1e-9 * count as f64);
        for sides in [Sides::Low, Sides::Both] {
            let error = relative_error(count, sides, 0.9);
            assert_eq!(subpath.relative_error(sides, 0.9), error);
        }
    }
    let counts: Vec<u64> = report
        .subpaths()
        .iter()
        .map(|subpath| subpath.count)
        .collect();
    let some = counts[counts.len() / 2];
    let above: Vec<u64> = report.above(some).map(|subpath| subpath.count).collect();
    let expected = counts.iter().copied().filter(|&count| count >= some);
    assert_eq!(above, expected.collect::<Vec<_>>());
    assert!(above.contains(&some) && above.len() < counts.len());
}

proptest! {
    /// The bounds are where the inequalities become equations: for a count too high that of both sides, for one too low the one
    /// of it and the exact one that holds longer.
    #[test]
    fn expectations_end_where_the_inequalities_do(
        count in prop_oneof![1..8_u64, 1..5_000_u64], surprise in 0.5..15.0_f64,
    ) {
        let (expected, count) = (expectation(count, 1.0 - (-surprise).exp()), count as f64);
        let both = |expectation: f64| (count - expectation).powi(2) / (6.0 * expectation);
        let exact = |expectation: f64| count * (count / expectation).ln() + expectation - count;
        let (start, end) = (*expected.start(), *expected.end());
        prop_assert!(start < count && count < end);
        prop_assert!((both(end) / surprise - 1.0).abs() < 1e-6);
        prop_assert!((both(start).min(exact(start)) / surprise - 1.0).abs() < 1e-6);
    }
}

#[test]
fn dear_subpaths_count_in_proportion_to_their_cost() {
    // Two loops of equal length run equally often; the blocks of one cost three times those of the other.
    let settings = Settings {
        lengths: Lengths::uniform(4..=4).expect("one length"),
        // To exclusive or, four times one block are four times the other.
        encoding: Encoding::Linear,
        period: 20.0,
        dearest: Some(3.0),
        ..Settings::default()
    };
    let mut profiler = SubpathProfiler::seeded(settings, 1).expect("sound settings");
    for (block, cost) in [(1, 1.0), (2, 3.0)] {
        (0..100_000).for_each(|_| profiler.enter_costing(block, cost));
    }
    let report = profiler.report();
    let estimate = |block: u64| {
        let found = report
            .subpaths()
            .iter()
            .find(|subpath| subpath.blocks.as_deref() == Some(&[block; 4]));
        found.expect("sampled often").estimate
    };
    let ratio = estimate(2) / estimate(1);
    assert!((2.6..3.4).contains(&ratio), "{ratio}");
}

#[test]
fn the_seed_decides() {
    let (settings, blocks) = (settings(Windows::Disjoint, 20.0, 30), stream());
    let report = |seed| profile(&settings, &blocks, seed).report();
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}

#[test]
fn a_weight_of_lengths_changes_the_order_alone() {
    let report = profile(&settings(Windows::Disjoint, 20.0, usize::MAX), &stream(), 1).report();
    let weighted = report.clone().weighted(|length| length as f64);
    assert_eq!(report.subpaths()[0].id.length, 2);
    assert!(weighted.subpaths()[0].id.length > 2);
    assert_eq!(weighted.weighted(|_| 1.0), report);
}

proptest! {
    /// Profilers of threads tell together what each does, and an iceberg is what reaches the threshold.
    #[test]
    fn reports_of_threads_add_up(seeds in prop::collection::vec(0..1000u64, 1..4), executions in 1.0..500.0f64) {
        let settings = settings(Windows::Disjoint, 20.0, 500);
        let blocks = stream();
        let reports: Vec<_> = seeds.iter().map(|&seed| profile(&settings, &blocks, seed).report()).collect();
        let merged = Report::merged(reports.clone());
        prop_assert_eq!(merged.samples(), reports.iter().map(Report::samples).sum::<u64>());
        for subpath in merged.subpaths() {
            let each = reports.iter().flat_map(|report| report.subpaths()).filter(|other| other.id == subpath.id);
            let (count, estimate) = each.fold((0, 0.0), |sum, one| (sum.0 + one.count, sum.1 + one.estimate));
            prop_assert_eq!(subpath.count, count);
            prop_assert!((subpath.estimate - estimate).abs() < 1e-6 * estimate);
        }
        let (above, perhaps) = merged.iceberg(executions, 0.9);
        for subpath in merged.subpaths() {
            let bounds = subpath.bounds(0.9);
            let is_in = |list: &[&SampledSubpath]| list.iter().any(|other| other.id == subpath.id);
            prop_assert_eq!(is_in(&above), *bounds.start() >= executions);
            prop_assert_eq!(is_in(&perhaps), *bounds.start() < executions && *bounds.end() >= executions);
        }
    }

    /// What is forgotten counts for less, in proportion.
    #[test]
    fn ageing_divides_estimates(kept in 0.2..0.9f64) {
        let settings = settings(Windows::Disjoint, 4.0, 5000);
        let blocks = stream();
        let samples = |aged: bool| (0..20).map(|seed| {
            let mut profiler = profile(&settings, &blocks, seed);
            if aged {
                profiler.age(kept);
            }
            profiler.report().samples()
        }).sum::<u64>() as f64;
        let (before, after) = (samples(false), samples(true));
        prop_assert!((after / before - kept).abs() < 0.03, "{} of {}", after, before);
    }
}
