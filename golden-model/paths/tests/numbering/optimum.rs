//! What no numbering can do, and how far preferential numbering is from the best.
use std::collections::BTreeSet;

use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, Cfg, DagEdgeId, DagPath, Weights};
use hpp_paths::numbering::optimum::optimum;
use hpp_paths::numbering::{BallLarus, Interesting, Preferential};
use hpp_paths::placement::SpanningTree;
use proptest::prelude::*;

use crate::graphs::{all_paths, big, forks, forms, graph_of, interesting, pick, small, with_picks};

/// Figure 3.5 of the thesis: s a c e t and s b c d t take together each edge as often as the two other paths do. So under any values
/// the sums are as much together, and these cannot both be larger.
#[test]
fn figure_3_5_cannot_be_separated() {
    let cfg = graph_of("s a, s b, a c, b c, c d, c e, d t, e t");
    let dag = Acyclic::depth_first(&cfg);
    let crossed = interesting(&cfg, &dag, &["s a c e t", "s b c d t"]);
    let others = interesting(&cfg, &dag, &["s a c d t", "s b c e t"]);
    let taken = |paths: &Interesting| {
        let mut edges = paths
            .paths()
            .iter()
            .flat_map(DagPath::edges)
            .collect::<Vec<_>>();
        edges.sort();
        edges.into_iter().copied().collect::<Vec<_>>()
    };
    assert_eq!(taken(&crossed), taken(&others));
    // Without the condition on the other paths it is easy.
    assert_eq!(optimum(&crossed).map(|o| o.width), Ok(2));
}

/// Figure 3.6 of the thesis, with an edge from s to t beside it if `bypass` is set.
fn figure_3_6(bypass: bool) -> Cfg {
    let arms = ["a", "b", "c"].into_iter();
    let legs = ["e", "f", "g"].into_iter();
    let above = arms.flat_map(|n| [("s", n), (n, "d")]);
    let below = legs.flat_map(|n| [("d", n), (n, "t")]);
    let beside = bypass.then_some(("s", "t"));
    Cfg::from_edges(above.chain(below).chain(beside)).expect("a graph")
}

const FIGURE_3_6: [&str; 6] = [
    "s a d f t",
    "s a d g t",
    "s b d e t",
    "s b d g t",
    "s c d e t",
    "s c d f t",
];

/// The six sums together are even, but 0 to 5 together are 15.
#[test]
fn figure_3_6_has_no_perfect_numbering() {
    let cfg = figure_3_6(false);
    let dag = Acyclic::depth_first(&cfg);
    let paths = interesting(&cfg, &dag, &FIGURE_3_6);
    let best = optimum(&paths).expect("solved");
    assert_eq!(best.width, 7);
    assert!(*Preferential::new(&paths).width() >= big(7));
}

/// As in figure 3.11 of the thesis: a path beside the graph fits into its hole, but preferential
/// numbering lets no intervals overlap and puts it after them.
#[test]
fn figure_3_11_a_hole_is_filled_by_the_optimum_only() {
    let cfg = figure_3_6(true);
    let dag = Acyclic::depth_first(&cfg);
    let lists: Vec<&str> = FIGURE_3_6.into_iter().chain(["s t"]).collect();
    let paths = interesting(&cfg, &dag, &lists);
    let best = optimum(&paths).expect("solved");
    assert_eq!(best.width, 7);
    let preferential = Preferential::new(&paths);
    assert!(preferential.compactness().ratio() > 1.0);
}

#[test]
fn large_cases_are_refused() {
    let cases: Vec<String> = (0..17).map(|i| i.to_string()).collect();
    let edges = cases
        .iter()
        .flat_map(|n| [("s", n.as_str()), (n.as_str(), "t")]);
    let cfg = Cfg::from_edges(edges).expect("a graph");
    let dag = Acyclic::depth_first(&cfg);
    let paths = Interesting::new(&dag, all_paths(&dag)).expect("distinct");
    let error = optimum(&paths).expect_err("17 paths");
    assert_eq!(error.paths, 17);
    assert_eq!(
        error.to_string(),
        "17 paths in an interval of 17 are too many to try all numberings; \
         at most 16 paths and 64 numbers are, in 20000000 steps"
    );
}

/// All values of so many edges from `-reach` to `reach`.
fn assignments(edges: usize, reach: i64) -> impl Iterator<Item = Vec<i64>> {
    let first = Some(vec![-reach; edges]);
    std::iter::successors(first, move |values| {
        let digit = values.iter().position(|&value| value < reach)?;
        let mut next = values.clone();
        next[..digit].fill(-reach);
        next[digit] += 1;
        Some(next)
    })
}

/// The least width by trying all values up to `reach` on the edges that are free, the slow way.
fn least_width(paths: &Interesting, free: &[DagEdgeId], reach: i64) -> i64 {
    let width = |values: Vec<i64>| {
        let sum = |path: &DagPath| -> i64 {
            let on = |e: &DagEdgeId| free.iter().position(|f| f == e).map_or(0, |at| values[at]);
            path.edges().iter().map(on).sum()
        };
        let mut sums: Vec<i64> = paths.paths().iter().map(sum).collect();
        sums.sort();
        let distinct = sums.windows(2).all(|pair| pair[0] < pair[1]);
        distinct.then(|| sums[sums.len() - 1] - sums[0] + 1)
    };
    let widths = assignments(free.len(), reach).filter_map(width);
    widths.min().expect("some values tell the paths apart")
}

/// The chords of a spanning tree, whose values are free, if they are few enough to try them all.
fn few_chords<N, E>(cfg: &Cfg<N, E>, dag: &Acyclic) -> Option<Vec<DagEdgeId>> {
    let tree = SpanningTree::maximal(dag, &Weights::uniform(cfg));
    let free: Vec<DagEdgeId> = dag.edges().filter(|&e| tree.is_chord(e)).collect();
    (free.len() <= 4).then_some(free)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The solver finds what trying all numberings finds.
    #[test]
    fn the_optimum_is_the_optimum((cfg, picks) in with_picks(3..6, 2..6)) {
        for dag in forms(&cfg) {
            let Some(free) = few_chords(&cfg, &dag) else {
                continue;
            };
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let width = optimum(&paths).expect("small").width;
            prop_assert_eq!(least_width(&paths, &free, 5), i64::from(width));
        }
    }

    /// The optimum numbers the paths in its width, which is at most the preferential one.
    #[test]
    fn the_optimum_is_a_numbering_and_no_wider((cfg, picks) in with_picks(4..10, 2..6)) {
        for dag in forms(&cfg) {
            prop_assume!(small(&BallLarus::exact(&dag)));
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let best = optimum(&paths).expect("small");
            prop_assert!(big(best.width.into()) <= *Preferential::new(&paths).width());
            let mut sums: Vec<Number> = paths.paths().iter().map(|p| best.values.sum(p)).collect();
            sums.sort();
            sums.dedup();
            prop_assert_eq!(sums.len(), paths.count());
            prop_assert!(sums[0] >= Number::ZERO && sums[sums.len() - 1] < Number::from(best.width));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Four forks in a row, and nine to sixteen of their paths: the optimum is what trying all values of the forks finds.
    #[test]
    fn the_optimum_of_many_paths_is_the_optimum(
        picks in prop::sample::subsequence((0..16usize).collect::<Vec<_>>(), 9..=16),
    ) {
        let dag = forks::<2>(4);
        let edges: Vec<DagEdgeId> = dag.edges().collect();
        let path = |pick: &usize| {
            let way = |fork: usize| edges[2 * fork + (pick >> fork & 1)];
            DagPath::new(&dag, (0..4).map(way).collect()).expect("a path")
        };
        let paths = picks.iter().map(path).collect();
        let paths = Interesting::new(&dag, paths).expect("distinct");
        let best = optimum(&paths).expect("decided");
        let sums: BTreeSet<Number> = paths.paths().iter().map(|path| best.values.sum(path)).collect();
        prop_assert_eq!(sums.len(), paths.count());
        prop_assert!(sums.iter().all(|sum| *sum >= Number::ZERO && *sum < best.width.into()));
        let width = |turns: Vec<i64>| {
            let mut seen = 0u128;
            for pick in &picks {
                let turned = turns.iter().enumerate().filter(|(fork, _)| pick >> fork & 1 == 1);
                seen |= 1 << (62 + turned.map(|(_, turn)| turn).sum::<i64>());
            }
            let distinct = seen.count_ones() as usize == picks.len();
            distinct.then(|| u128::BITS - seen.leading_zeros() - seen.trailing_zeros())
        };
        // Of nine paths two differ in a given fork alone, and the interval has sixteen numbers at most.
        prop_assert_eq!(assignments(4, 15).filter_map(width).min(), Some(best.width));
    }

    /// Three choices of three ways each, and any of the 27 paths of interest: the optimum is a numbering.
    #[test]
    fn the_optimum_numbers_crossing_paths(picks in prop::collection::btree_set(0..27usize, 2..8)) {
        let dag = forks::<3>(3);
        let all = all_paths(&dag);
        let paths = picks.iter().map(|&pick| all[pick].clone()).collect();
        let paths = Interesting::new(&dag, paths).expect("distinct");
        let Ok(best) = optimum(&paths) else { return Ok(()) };
        let sums: BTreeSet<Number> = paths.paths().iter().map(|path| best.values.sum(path)).collect();
        prop_assert_eq!(sums.len(), paths.count());
        prop_assert!(sums.iter().all(|sum| *sum >= Number::ZERO && *sum < best.width.into()));
    }
}
