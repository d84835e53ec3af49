//! What no numbering can do, and how far preferential numbering is from the best.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, Cfg, DagEdgeId, DagPath, Weights};
use hpp_paths::numbering::optimum::{optimum, separation};
use hpp_paths::numbering::{BallLarus, Interesting, Preferential};
use hpp_paths::placement::SpanningTree;
use proptest::prelude::*;

use crate::graphs::{all_paths, big, forms, graph, interesting, pick, small};

/// The paths that are not interesting.
fn others(dag: &Acyclic, paths: &Interesting) -> Vec<DagPath> {
    let mut all = all_paths(dag);
    all.retain(|p| !paths.paths().contains(p));
    all
}

/// Figure 3.5 of the thesis: the sums of s a c e t and s b c d t together are those of the two
/// other paths together, so these cannot both be larger.
#[test]
fn figure_3_5_cannot_be_separated() {
    let cfg = Cfg::from_edges([
        ("s", "a"),
        ("s", "b"),
        ("a", "c"),
        ("b", "c"),
        ("c", "d"),
        ("c", "e"),
        ("d", "t"),
        ("e", "t"),
    ])
    .expect("a graph");
    let dag = Acyclic::depth_first(&cfg);
    let crossed = interesting(&cfg, &dag, &["s a c e t", "s b c d t"]);
    let rest = others(&dag, &crossed);
    assert_eq!(separation(&crossed, &rest), Ok(None));
    // Without the condition on the other paths it is easy.
    assert_eq!(optimum(&crossed).map(|o| o.width), Ok(2));
    // And two paths that are not crossed can be separated.
    let straight = interesting(&cfg, &dag, &["s a c d t", "s a c e t"]);
    let rest = others(&dag, &straight);
    let values = separation(&straight, &rest)
        .expect("solved")
        .expect("separable");
    for path in rest {
        assert!(values.sum(&path) >= Number::from(2));
    }
}

/// Figure 3.6 of the thesis, with an edge from s to t beside it if asked for.
fn figure_3_6(bypass: bool) -> Cfg {
    let arms = ["a", "b", "c"].into_iter();
    let legs = ["e", "f", "g"].into_iter();
    let above = arms.flat_map(|n| [("s", n), (n, "d")]);
    let below = legs.flat_map(|n| [("d", n), (n, "t")]);
    let beside = bypass.then_some(("s", "t"));
    Cfg::from_edges(above.chain(below).chain(beside)).expect("a graph")
}

/// Its interesting paths.
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
    assert!(*Preferential::exact(&paths).width() >= big(7));
}

/// As in figure 3.11 of the thesis: a path beside the graph fits into its hole, but preferential
/// numbering lets no intervals overlap and puts it behind them.
#[test]
fn figure_3_11_a_hole_is_filled_by_the_optimum_only() {
    let cfg = figure_3_6(true);
    let dag = Acyclic::depth_first(&cfg);
    let lists: Vec<&str> = FIGURE_3_6.into_iter().chain(["s t"]).collect();
    let paths = interesting(&cfg, &dag, &lists);
    let best = optimum(&paths).expect("solved");
    assert_eq!(best.width, 7);
    let preferential = Preferential::exact(&paths);
    assert!(preferential.compactness().ratio() > 1.0);
}

#[test]
fn large_cases_are_refused() {
    let cases: Vec<String> = (0..9).map(|i| i.to_string()).collect();
    let edges = cases
        .iter()
        .flat_map(|n| [("s", n.as_str()), (n.as_str(), "t")]);
    let cfg = Cfg::from_edges(edges).expect("a graph");
    let dag = Acyclic::depth_first(&cfg);
    let paths = Interesting::new(&dag, all_paths(&dag)).expect("distinct");
    let error = optimum(&paths).expect_err("9 paths");
    assert_eq!(error.paths, 9);
    assert_eq!(
        error.to_string(),
        "9 paths in an interval of 9 are too many to try all numberings; \
         at most 8 paths and 64 numbers are"
    );
}

/// The least width by trying all values up to `reach` on the edges that are free, the slow way.
fn least_width(paths: &Interesting, free: &[DagEdgeId], reach: i64) -> i64 {
    let mut least = i64::MAX;
    let mut values = vec![-reach; free.len()];
    loop {
        let sum = |path: &DagPath| -> i64 {
            let on = |e: &DagEdgeId| free.iter().position(|f| f == e).map_or(0, |at| values[at]);
            path.edges().iter().map(on).sum()
        };
        let mut sums: Vec<i64> = paths.paths().iter().map(sum).collect();
        sums.sort();
        if sums.windows(2).all(|pair| pair[0] < pair[1]) {
            least = least.min(sums[sums.len() - 1] - sums[0] + 1);
        }
        let Some(digit) = values.iter().position(|&v| v < reach) else {
            return least;
        };
        values[..digit].fill(-reach);
        values[digit] += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The solver finds what trying all numberings finds.
    #[test]
    fn the_optimum_is_the_optimum(
        cfg in graph(3..6),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 2..6),
    ) {
        for dag in forms(&cfg) {
            let tree = SpanningTree::maximal(&dag, &Weights::uniform(&cfg));
            let free: Vec<DagEdgeId> = dag.edges().filter(|&e| tree.is_chord(e)).collect();
            if free.len() > 4 {
                continue;
            }
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let width = optimum(&paths).expect("small").width;
            prop_assert_eq!(least_width(&paths, &free, 5), i64::from(width));
        }
    }

    /// The optimum numbers the paths in its width, which is at most the preferential one.
    #[test]
    fn the_optimum_is_a_numbering_and_no_wider(
        cfg in graph(4..10),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 2..6),
    ) {
        for dag in forms(&cfg) {
            prop_assume!(small(&BallLarus::exact(&dag)));
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let best = optimum(&paths).expect("small");
            prop_assert!(big(best.width.into()) <= *Preferential::exact(&paths).width());
            let mut sums: Vec<Number> = paths.paths().iter().map(|p| best.values.sum(p)).collect();
            sums.sort();
            sums.dedup();
            prop_assert_eq!(sums.len(), paths.count());
            prop_assert!(sums[0] >= Number::ZERO && sums[sums.len() - 1] < Number::from(best.width));
        }
    }
}
