//! Minimal hot subpaths, against counting them in the stream itself.

use std::collections::{BTreeMap, BTreeSet};

use hpp_paths::wpp::{Grammar, HotLimits, Sequitur, hot_subpaths};
use proptest::prelude::*;

use crate::stream;

fn cost(symbol: &u8) -> u64 {
    u64::from(*symbol) + 1
}

/// Hot subpaths with frequency and cost, straight from the definition.
fn by_definition(stream: &[u8], limits: &HotLimits) -> BTreeMap<Vec<u8>, (u64, u64)> {
    let mut hot: BTreeMap<Vec<u8>, (u64, u64)> = BTreeMap::new();
    for length in limits.lengths.clone() {
        let mut counts: BTreeMap<&[u8], u64> = BTreeMap::new();
        for window in stream.windows(length) {
            *counts.entry(window).or_default() += 1;
        }
        for (window, frequency) in counts {
            let total = frequency * window.iter().map(cost).sum::<u64>();
            if total >= limits.cost {
                hot.insert(window.to_vec(), (frequency, total));
            }
        }
    }
    let all: BTreeSet<Vec<u8>> = hot.keys().cloned().collect();
    let contains = |path: &[u8], part: &Vec<u8>| {
        part.len() < path.len() && path.windows(part.len()).any(|window| window == part)
    };
    hot.retain(|path, _| !all.iter().any(|part| contains(path, part)));
    hot
}

fn found(grammar: &Grammar<u8>, limits: &HotLimits) -> BTreeMap<Vec<u8>, (u64, u64)> {
    hot_subpaths(grammar, limits, cost)
        .expect("a short search")
        .into_iter()
        .map(|path| {
            let symbols = path.symbols.into_iter().copied().collect();
            (symbols, (path.frequency, path.cost))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn they_are_those_of_the_definition(
        stream in stream(), shortest in 1..4_usize, more in 0..7_usize, share in 1..40_u64,
    ) {
        let mut sequitur = Sequitur::new();
        sequitur.extend(stream.iter().copied());
        let grammar = sequitur.grammar();
        let total: u64 = stream.iter().map(cost).sum();
        let limits = HotLimits { lengths: shortest..=shortest + more, cost: (total * share / 100).max(1) };
        prop_assert_eq!(found(&grammar, &limits), by_definition(&stream, &limits), "{}", grammar);
    }
}

#[test]
fn a_loop_is_found_in_every_rotation_but_not_twice_over() {
    let mut sequitur = Sequitur::new();
    sequitur.extend([1_u8, 2, 3].repeat(1000));
    let limits = HotLimits {
        lengths: 3..=9,
        cost: 1000,
    };
    let hot = found(&sequitur.grammar(), &limits);
    let rotations: Vec<&[u8]> = hot.keys().map(Vec::as_slice).collect();
    assert_eq!(rotations, [[1, 2, 3], [2, 3, 1], [3, 1, 2]]);
}
