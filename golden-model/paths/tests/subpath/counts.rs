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
        mut lengths in prop::collection::btree_set(0..40_usize, 1..6),
    ) {
        let counts = count_subpaths(&blocks, lengths.iter().copied());
        // A subpath has at least one block.
        lengths.remove(&0);
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
        prop_assert_eq!([profiler.blocks(), profiler.sampled_blocks()], [blocks.len() as u64; 2]);
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

    #[test]
    fn exclusive_or_sees_the_blocks_that_occur_an_odd_number_of_times(
        one in prop::collection::vec(0..4_u64, 0..6), other in prop::collection::vec(0..4_u64, 0..6),
    ) {
        let odd = |blocks: &[u64]| -> Vec<u64> {
            let times = |block: u64| blocks.iter().filter(|&&other| other == block).count();
            (0..4).filter(|&block| times(block) % 2 == 1).collect()
        };
        let [a, b] = [&one, &other].map(|blocks| Encoding::Xor.number(blocks));
        prop_assert_eq!(a == b, odd(&one) == odd(&other));
    }
}

/// The first outputs of `SplitMix64` for the seed 1,234,567, whose state grows by the digits of the golden ratio.
#[test]
fn identifiers_are_scrambled_as_splitmix64_does() {
    let state = |steps: u64| 1_234_567_u64.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let outputs = [0, 1, 2, 3, 4].map(|steps| Encoding::Xor.number(&[state(steps)]));
    let expected = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(outputs, expected);
}
