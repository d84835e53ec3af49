//! Counts without chance: of all subpaths, and of a profiler that samples them all.

use std::collections::BTreeMap;

use hpp_paths::subpath::{
    Encoding, Lengths, Memory, Settings, SubpathProfiler, Windows, count_subpaths, encoded_counts,
};
use proptest::prelude::*;

fn by_definition(blocks: &[u64], length: usize) -> BTreeMap<&[u64], u64> {
    let mut counts = BTreeMap::new();
    for window in blocks.windows(length) {
        *counts.entry(window).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn exact_counts_are_those_of_the_definition(
        blocks in prop::collection::vec(0..3_u64, 0..80),
        lengths in prop::collection::btree_set(1..40_usize, 1..6),
    ) {
        let counts = count_subpaths(&blocks, lengths.iter().copied());
        for &length in &lengths {
            let of_length = counts.iter().filter(|subpath| subpath.blocks.len() == length);
            let found: BTreeMap<_, _> = of_length.map(|subpath| (subpath.blocks, subpath.count)).collect();
            prop_assert_eq!(found, by_definition(&blocks, length));
        }
        let all: usize = lengths.iter().map(|&length| by_definition(&blocks, length).len()).sum();
        prop_assert_eq!(counts.len(), all, "a subpath is counted in two places");
    }

    #[test]
    fn sampling_every_subpath_counts_exactly(
        blocks in prop::collection::vec(0..4_u64, 0..300), length in 1..20_usize, encoding in 0..4_usize, seed: u64,
    ) {
        let encoding = Encoding::ALL[encoding];
        let settings = Settings {
            lengths: Lengths::uniform(length..=length).expect("one length"),
            encoding,
            period: 1.0,
            memory: Memory::Entries(usize::MAX),
            windows: Windows::Overlapping,
            ..Settings::default()
        };
        let mut profiler = SubpathProfiler::seeded(settings, seed).expect("sound settings");
        blocks.iter().for_each(|&block| profiler.enter(block));
        let report = profiler.report();
        let exact = encoded_counts(&count_subpaths(&blocks, [length]), encoding);
        prop_assert_eq!(report.subpaths().len(), exact.len());
        for subpath in report.subpaths() {
            prop_assert_eq!(Some(&subpath.count), exact.get(&subpath.id));
            prop_assert_eq!(subpath.estimate, subpath.count as f64);
            let blocks = subpath.blocks.as_deref().expect("kept");
            prop_assert_eq!(encoding.number(blocks), subpath.id.number);
        }
        prop_assert_eq!(report.samples(), exact.values().sum::<u64>());
        let distinct = exact.len().max(1) as f64;
        prop_assert_eq!(report.gain(), report.samples() as f64 / distinct);
    }

    #[test]
    fn encodings_are_blind_to_what_they_say(
        blocks in prop::collection::vec(0..6_u64, 1..12), by in 0..12_usize, swap in (0..12_usize, 0..12_usize),
    ) {
        let n = blocks.len();
        let mut rotated = blocks.clone();
        rotated.rotate_left(by % n);
        let mut permuted = blocks.clone();
        permuted.swap(swap.0 % n, swap.1 % n);
        let is_rotation = (0..n).any(|by| [&blocks[by..], &blocks[..by]].concat() == permuted);
        let same = |encoding: Encoding, other: &[u64]| encoding.number(&blocks) == encoding.number(other);
        prop_assert!(same(Encoding::Xor, &permuted) && same(Encoding::SortedLinear, &permuted));
        prop_assert!(same(Encoding::Rotation, &rotated));
        prop_assert_eq!(same(Encoding::Rotation, &permuted), is_rotation);
        prop_assert_eq!(same(Encoding::Linear, &permuted), permuted == blocks);
        prop_assert_eq!(same(Encoding::Linear, &rotated), rotated == blocks);
    }
}
