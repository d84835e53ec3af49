//! The Ball-Larus numbering: worked examples, then properties of random graphs.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, Cfg};
use hpp_paths::numbering::{BallLarus, truncate, truncate_keeping};
use proptest::prelude::*;

use crate::graphs::{all_paths, big, diamonds, forms, graph, read, small};

/// 2^64 paths are one too many for a word, and the first block that has them is named.
#[test]
fn words_are_checked_and_big_integers_go_on() {
    let fits = Acyclic::depth_first(&diamonds(63));
    assert_eq!(
        BallLarus::new(&fits).expect("2^63").paths(),
        (1u64 << 63).into()
    );
    let dag = Acyclic::depth_first(&diamonds(64));
    let error = BallLarus::new(&dag).expect_err("2^64");
    assert_eq!((error.block.as_str(), error.limit), ("j0", u64::MAX));
    for count in [64, 300] {
        let exact = BallLarus::exact(&Acyclic::depth_first(&diamonds(count)));
        assert_eq!(exact.paths(), Number::ONE << count);
        let last = exact.paths() - Number::ONE;
        let path = exact.path(&last).expect("the last path");
        assert_eq!(exact.number(&path), last);
    }
}

#[test]
fn too_many_paths_can_be_an_error() {
    let cfg = diamonds(3);
    let dag = Acyclic::depth_first(&cfg);
    assert!(BallLarus::limited(&dag, 8).is_ok());
    let error = BallLarus::limited(&dag, 7).expect_err("8 paths");
    assert_eq!(
        error.to_string(),
        "more than 7 paths lead from block `j0` to the exit; \
         raise the limit, count exactly, or truncate the graph"
    );
}

#[test]
fn the_one_path_of_a_single_block_counts() {
    let dag = Acyclic::depth_first(&read("block only"));
    assert!(BallLarus::limited(&dag, 1).is_ok());
    let error = BallLarus::limited(&dag, 0).expect_err("one path");
    assert_eq!((error.block.as_str(), error.limit), ("only", 0));
    let error = truncate(&dag, 0).expect_err("one path");
    assert_eq!((error.limit, error.least), (0, 1));
}

#[test]
fn a_number_too_large_is_no_path() {
    let cfg = diamonds(1);
    let dag = Acyclic::depth_first(&cfg);
    let error = BallLarus::exact(&dag).path(&big(2)).expect_err("2 paths");
    assert_eq!(
        error.to_string(),
        "there is no path 2; paths are numbered from 0, and there are 2"
    );
}

#[test]
fn truncation_meets_the_limit_and_says_what_it_broke() {
    let cfg = diamonds(100);
    let dag = Acyclic::depth_first(&cfg);
    let limit = u64::from(u32::MAX);
    let cut = truncate(&dag, limit).expect("can be cut");
    assert!(cut.numbering.paths() <= limit.into());
    assert_eq!(cut.numbering.dag().broken(), cut.removed);
    // Not to shreds, either: a handful of pieces of some 2^28 paths.
    assert!(cut.removed.len() < 20, "{} edges", cut.removed.len());
    let error = truncate(&dag, 3).expect_err("more blocks than paths");
    assert_eq!(error.limit, 3);
}

/// Five cases of a switch with one path each: breaking them would only add starts.
#[test]
fn edges_are_not_broken_in_vain() {
    let cases = ["1", "2", "3", "4", "5"].into_iter();
    let edges = cases.flat_map(|case| [("switch", case), (case, "exit")]);
    let cfg = Cfg::from_edges([("entry", "switch")].into_iter().chain(edges)).expect("a graph");
    let error = truncate(&Acyclic::depth_first(&cfg), 3).expect_err("5 paths");
    assert_eq!(
        error.to_string(),
        "no edges were found to cut the graph down to 3 paths; the least that was left is 5"
    );
}

#[test]
fn a_least_count_beyond_a_long_word_is_said_to_be() {
    let dag = Acyclic::depth_first(&diamonds(130));
    let error = truncate_keeping(&dag, 3, |_| true).expect_err("nothing may be broken");
    assert_eq!(
        error.to_string(),
        "no edges were found to cut the graph down to 3 paths; the least that was left is 2^128 - 1 or more"
    );
}

/// Two ways lead to `s`, which has 14 paths over `a` and 3 over `b`. That makes 34 paths, and 32 are allowed. The bound is then 16, and `s` keeps its
/// root, 4 paths: the stop of `s -> a` and the three over `b`.
#[test]
fn a_block_is_cut_to_the_root_of_the_bound_and_no_further() {
    let heads = [("entry", "l"), ("entry", "r"), ("l", "s"), ("r", "s")];
    let forks = [("s", "a"), ("s", "b")];
    let tails = [[("a", "exit"); 14].to_vec(), [("b", "exit"); 3].to_vec()].concat();
    let edges = heads.into_iter().chain(forks).chain(tails);
    let cfg = Cfg::from_edges(edges).expect("a graph");
    let cut = truncate(&Acyclic::depth_first(&cfg), 32).expect("can be cut");
    let removed: Vec<String> = cut.removed.iter().map(|&e| cfg.edge_name(e)).collect();
    assert_eq!(removed, ["s -> a"]);
    // Two ways of four, and the 14 that begin at `a`.
    assert_eq!(cut.numbering.paths(), big(22));
}

proptest! {
    /// Unique and dense: the paths, in the order of their edges, are numbered 0, 1, 2, ...; and
    /// every number gives back its path.
    #[test]
    fn numbers_are_unique_dense_and_regenerate(cfg in graph(2..12)) {
        for dag in forms(&cfg) {
            let numbering = BallLarus::exact(&dag);
            prop_assume!(small(&numbering));
            let paths = all_paths(&dag);
            prop_assert_eq!(numbering.paths(), Number::from(paths.len()));
            for (number, path) in paths.iter().enumerate() {
                let number = Number::from(number);
                prop_assert_eq!(&numbering.number(path), &number);
                prop_assert_eq!(&numbering.path(&number).expect("a path"), path);
            }
        }
    }

    /// Beyond what can be listed, sampled numbers give paths that give the numbers.
    #[test]
    fn large_graphs_regenerate_samples(cfg in graph(60..200), seed in any::<u128>()) {
        for dag in forms(&cfg) {
            let numbering = BallLarus::exact(&dag);
            let spread = Number::from(seed).pow(3) % numbering.paths();
            for number in [Number::ZERO, spread, numbering.paths() - Number::ONE] {
                let path = numbering.path(&number).expect("a path");
                prop_assert_eq!(numbering.number(&path), number);
            }
        }
    }

    /// Where the limit is the count of paths nothing is broken.
    #[test]
    fn a_graph_that_just_fits_is_left_alone(cfg in graph(2..14)) {
        for dag in forms(&cfg) {
            let paths = u64::try_from(BallLarus::exact(&dag).paths());
            let Ok(paths) = paths else { continue };
            prop_assert_eq!(truncate(&dag, paths).expect("it fits").removed, []);
        }
    }

    /// A truncated graph keeps the limit and numbers its paths as densely as any other.
    #[test]
    fn truncated_graphs_are_numbered_too(cfg in graph(4..14), limit in 1u64..200) {
        for dag in forms(&cfg) {
            match truncate(&dag, limit) {
                Ok(cut) => {
                    prop_assert!(cut.numbering.paths() <= big(limit));
                    prop_assert_eq!(all_paths(cut.numbering.dag()).len(), usize::try_from(cut.numbering.paths()).expect("few"));
                    for edge in &cut.removed {
                        prop_assert!(cut.numbering.dag().broken().contains(edge) && !dag.broken().contains(edge));
                    }
                }
                Err(error) => prop_assert!(error.least > u128::from(limit)),
            }
        }
    }
}
