//! Arithmetic coding of paths: the thesis's tables, then equality with both numberings.
use hpp_paths::graph::{Acyclic, DagEdgeId};
use hpp_paths::numbering::arithmetic::Model;
use hpp_paths::numbering::{BallLarus, Interesting, Preferential};
use proptest::prelude::*;

use crate::graphs::{
    all_paths, big, forks, forms, graph, interesting, path, pick, small, vaswani, with_picks,
};

fn fraction(over: u32, under: u32) -> Option<f64> {
    Some(f64::from(over) / f64::from(under))
}

fn probability(model: &Model, taken: &[DagEdgeId], edge: DagEdgeId) -> Option<f64> {
    let (share, whole) = model.probability(taken, edge)?;
    Some(share.to_f64().value() / whole.to_f64().value())
}

#[test]
fn table_4_2() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let model = Model::ball_larus(&dag);
    let edges: Vec<DagEdgeId> = dag.edges().collect();
    let [sa, sb, ac, ab, bc, cd, ct, dt] = edges[..] else {
        panic!("eight edges");
    };
    assert_eq!(probability(&model, &[], sa), fraction(2, 3));
    assert_eq!(probability(&model, &[], sb), fraction(1, 3));
    assert_eq!(probability(&model, &[sa], ab), fraction(1, 2));
    assert_eq!(probability(&model, &[sa], ac), fraction(1, 2));
    assert_eq!(probability(&model, &[sb], bc), fraction(1, 1));
    assert_eq!(probability(&model, &[sb, bc], cd), fraction(1, 2));
    assert_eq!(probability(&model, &[sb, bc], ct), fraction(1, 2));
    assert_eq!(probability(&model, &[sb, bc, cd], dt), fraction(1, 1));
    assert_eq!(probability(&model, &[bc], cd), None);
    assert_eq!(model.codes(), big(6));
    assert!((model.entropy() - 6f64.log2()).abs() < 1e-12);
    assert!((model.gamma() - 1.0).abs() < 1e-12);
}

#[test]
fn table_4_3_but_for_the_merged_contexts() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let paths = interesting(&cfg, &dag, &["s a c d t", "s a c t", "s b c t"]);
    let model = Model::preferential(&paths);
    let edges: Vec<DagEdgeId> = dag.edges().collect();
    let [sa, sb, ac, ab, bc, cd, ct, dt] = edges[..] else {
        panic!("eight edges");
    };
    assert_eq!(probability(&model, &[], sa), fraction(2, 3));
    assert_eq!(probability(&model, &[], sb), fraction(1, 3));
    assert_eq!(probability(&model, &[sa], ab), fraction(0, 1));
    assert_eq!(probability(&model, &[sa], ac), fraction(1, 1));
    assert_eq!(probability(&model, &[sb], bc), fraction(1, 1));
    assert_eq!(probability(&model, &[sa, ac], cd), fraction(1, 2));
    assert_eq!(probability(&model, &[sa, ac], ct), fraction(1, 2));
    assert_eq!(probability(&model, &[sb, bc], ct), fraction(1, 1));
    assert_eq!(probability(&model, &[sa, ac, cd], dt), fraction(1, 1));
    // Example 4.2.3.
    assert_eq!(model.encode(&path(&cfg, &dag, "s a c t")), Some(big(1)));
    assert_eq!(model.encode(&path(&cfg, &dag, "s b c d t")), None);
    assert!((model.gamma() - 1.0).abs() < 1e-12);
}

/// A row of forks has two ways each: paths that are equally likely and as many bits as forks, beyond machine words too.
#[test]
fn the_entropy_of_equally_likely_paths_is_the_logarithm_of_their_count() {
    for count in [1, 60, 64, 65, 100, 300] {
        let model = Model::ball_larus(&forks::<2>(count));
        assert!((model.entropy() - count as f64).abs() < 1e-9, "{count}");
        assert!((model.gamma() - 1.0).abs() < 1e-9, "{count}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Under the Ball-Larus model a path's code is its Ball-Larus number, and decodes to the path.
    #[test]
    fn codes_are_ball_larus_numbers(cfg in graph(2..12)) {
        for dag in forms(&cfg) {
            let numbering = BallLarus::exact(&dag);
            prop_assume!(small(&numbering));
            let model = Model::ball_larus(&dag);
            prop_assert_eq!(model.codes(), numbering.paths());
            for path in all_paths(&dag) {
                let number = numbering.number(&path);
                prop_assert_eq!(model.encode(&path), Some(number.clone()));
                prop_assert_eq!(model.decode(&number), Some(path));
            }
            prop_assert_eq!(model.decode(&numbering.paths()), None);
            let bits = numbering.paths().to_f64().value().log2();
            prop_assert!((model.entropy() - bits).abs() < 1e-9);
        }
    }

    /// Under the preferential model a path's code is its preferential number; other paths have no
    /// code, and codes in holes no path. Gamma is delta.
    #[test]
    fn codes_are_preferential_numbers((cfg, picks) in with_picks(2..12, 1..20)) {
        for dag in forms(&cfg) {
            prop_assume!(small(&BallLarus::exact(&dag)));
            let all = all_paths(&dag);
            let paths: Interesting = pick(&dag, &all, &picks);
            let numbering = Preferential::new(&paths);
            let model = Model::preferential(&paths);
            prop_assert_eq!(&model.codes(), numbering.width());
            for path in &all {
                let position = paths.paths().iter().position(|p| p == path);
                let number = position.map(|p| numbering.numbers()[p].clone());
                prop_assert_eq!(model.encode(path), number);
            }
            let codes = u64::try_from(numbering.width()).expect("few");
            let decoded = (0..codes).filter_map(|code| Some((code, model.decode(&big(code))?)));
            let mut count = 0;
            for (code, path) in decoded {
                prop_assert_eq!(model.encode(&path), Some(big(code)));
                count += 1;
            }
            prop_assert_eq!(count, paths.count());
            prop_assert!((model.entropy() - (codes as f64).log2()).abs() < 1e-9);
            let delta = numbering.compactness().ratio();
            prop_assert!((model.gamma() - delta).abs() < 1e-9 * delta);
        }
    }
}
