//! Preferential path profiling: the thesis's example number for number, then properties.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, CfgBuilder, Edge, Segments, Weights};
use hpp_paths::metrics::Compactness;
use hpp_paths::numbering::arithmetic::Model;
use hpp_paths::numbering::{BallLarus, Class, EdgeOrder, Interesting, Preferential, Profile};
use hpp_paths::placement::Probes;
use hpp_paths::runtime::Instrumented;
use proptest::prelude::*;

use crate::graphs::{
    Pick, all_paths, big, executed, forms, graph, graph_of, interesting, path, pick, small,
    vaswani, with_picks,
};

#[test]
fn the_thesis_example_number_for_number() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let paths = interesting(&cfg, &dag, &["s a c d t", "s a c t", "s b c t"]);
    let numbering = Preferential::new(&paths);
    let values: Vec<String> = dag
        .edges()
        .map(|e| format!("{}: {}", dag.edge_name(e), numbering.values().get(e)))
        .collect();
    // Steps 2 to 6 of section 3.3.2; a -> b is on no interesting path.
    assert_eq!(
        values,
        [
            "s -> a: 0",
            "s -> b: 2",
            "a -> c: 0",
            "a -> b: 0",
            "b -> c: -1",
            "c -> d: 0",
            "c -> t: 1",
            "d -> t: 0",
        ]
    );
    assert_eq!(numbering.numbers(), [0.into(), 1.into(), 2.into()]);
    assert_eq!(numbering.compactness().to_string(), "3/3");
    let second = BallLarus::exact(&dag);
    let by_ball_larus = paths.paths().iter().map(|p| second.number(p));
    let delta = Compactness::of(&by_ball_larus.collect::<Vec<_>>()).expect("some");
    assert_eq!(delta.to_string(), "6/3");

    // The second counter resolves the aliases.
    let classifier = numbering.classifier(&paths, &second);
    let class = |blocks| {
        let path = path(&cfg, &dag, blocks);
        classifier.classify(&numbering.values().sum(&path), &second.number(&path))
    };
    assert_eq!(class("s a c t"), Class::Interesting(1));
    assert_eq!(class("s a b c t"), Class::Alias(0));
    assert_eq!(class("s b c d t"), Class::Alias(1));
    assert_eq!(class("s a b c d t"), Class::OutOfRange);

    // An array of one counter gives up the paths after it.
    let limited = classifier.clone().limited(1);
    assert_eq!(limited.classify(&0.into(), &big(0)), Class::Interesting(0));
    assert_eq!(limited.classify(&1.into(), &big(1)), Class::OutOfRange);
}

#[test]
fn interesting_paths_may_be_given_by_number() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let numbering = BallLarus::exact(&dag);
    let by_number = Interesting::from_numbers(&numbering, &[big(0), big(1), big(5)]);
    let by_blocks = interesting(&cfg, &dag, &["s a c d t", "s a c t", "s b c t"]);
    let by_number = by_number.expect("numbers of paths");
    assert_eq!(by_number.paths(), by_blocks.paths());
    let error = |numbers: &[Number]| {
        Interesting::from_numbers(&numbering, numbers)
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(
        error(&[]),
        "no interesting path is given; give at least one"
    );
    assert_eq!(
        error(&[big(3), big(1), big(3)]),
        "the interesting paths at positions 0 and 2 of the list (from 0) are the same; give it once"
    );
    assert_eq!(
        error(&[big(6)]),
        "there is no path 6; paths are numbered from 0, and there are 6"
    );
}

/// Levels that double the interval with three paths more: two ways, a and b, lead to the next
/// level down, and all paths but b's two take way a. The value that keeps a's short cut `v -> t` after
/// a's many paths spreads b's two paths just as far.
#[test]
fn numbers_beyond_machine_words_are_exact() {
    const LEVELS: usize = 70;
    let name = |kind: &str, level: usize| format!("{kind}{level}");
    let mut builder = CfgBuilder::default();
    let exit = builder.block("t");
    for level in (1..=LEVELS).rev() {
        let [u, a, b, v] = ["u", "a", "b", "v"].map(|kind| builder.block(&name(kind, level)));
        let below = builder.block(&name("u", level - 1));
        for (from, to) in [(u, a), (u, b), (a, v), (b, v), (v, below), (v, exit)] {
            builder.edge(from, to, Edge::default());
        }
    }
    let [top, bottom] = [LEVELS, 0].map(|level| builder.block(&name("u", level)));
    builder.edge(bottom, exit, Edge::default());
    builder.entry(top);
    builder.exit(exit);
    let cfg = builder.build().expect("a graph");
    let dag = Acyclic::depth_first(&cfg);

    let mut lists = vec!["u0 t".to_string()];
    for level in 1..=LEVELS {
        let by = |way: &str, rest: &str| format!("u{level} {way}{level} v{level} {rest}");
        let mut longer: Vec<String> = lists.iter().map(|rest| by("a", rest)).collect();
        longer.extend([by("a", "t"), by("b", &lists[0]), by("b", "t")]);
        lists = longer;
    }
    let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
    let paths = interesting(&cfg, &dag, &lists);
    let numbering = Preferential::in_order(&paths, EdgeOrder::Given);
    // w(0) = 1, w(n) = 2 w(n - 1) + 2.
    assert_eq!(*numbering.width(), (Number::from(3) << LEVELS) - 2);
    let mut numbers: Vec<Number> = paths
        .paths()
        .iter()
        .map(|p| numbering.values().sum(p))
        .collect();
    assert_eq!(numbers, numbering.numbers());
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), 3 * LEVELS + 1);
    // With v's edge to the exit first, nothing doubles. The coder, which never uses machine words, finds the same.
    let numbering = Preferential::new(&paths);
    assert!(*numbering.width() < 2_500u32.into());
    let model = Model::preferential(&paths);
    for (path, number) in paths.paths().iter().zip(numbering.numbers()) {
        assert_eq!(model.encode(path).as_ref(), Some(number));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Interesting paths get distinct numbers from 0 up, and every path is classed for what it is.
    #[test]
    fn numbers_are_unique_and_classes_right((cfg, picks) in with_picks(2..12, 1..20)) {
        for dag in forms(&cfg) {
            let second = BallLarus::exact(&dag);
            prop_assume!(small(&second));
            let all = all_paths(&dag);
            let paths = pick(&dag, &all, &picks);
            let numbering = Preferential::new(&paths);
            let mut numbers = numbering.numbers().to_vec();
            for (path, number) in paths.paths().iter().zip(&numbers) {
                prop_assert_eq!(&numbering.values().sum(path), number);
            }
            prop_assert_eq!(Compactness::of(&numbers), Some(numbering.compactness()));
            numbers.sort();
            prop_assert_eq!(&numbers[0], &Number::ZERO);
            numbers.dedup();
            prop_assert_eq!(numbers.len(), paths.count());
            prop_assert!(*numbering.width() <= second.paths());
            let classifier = numbering.classifier(&paths, &second);
            for path in &all {
                let sum = numbering.values().sum(path);
                let class = classifier.classify(&sum, &second.number(path));
                let taken = numbering.numbers().iter().position(|n| *n == sum);
                let inside = sum >= Number::ZERO && &sum < numbering.width();
                let right = match paths.paths().iter().position(|p| p == path) {
                    Some(position) => Class::Interesting(position),
                    None => match taken {
                        Some(position) => Class::Alias(position),
                        None if inside => Class::Hole,
                        None => Class::OutOfRange,
                    },
                };
                prop_assert_eq!(class, right);
            }
        }
    }

    /// Two instrumented registers, each with its own probes, count what ran: the interesting paths one by
    /// one and the others together.
    #[test]
    fn two_counters_profile_a_run(
        (cfg, execution) in executed(2..10, 200), picks in prop::collection::vec(any::<Pick>(), 1..6),
    ) {
        for dag in forms(&cfg) {
            let second = BallLarus::exact(&dag);
            prop_assume!(small(&second));
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let numbering = Preferential::new(&paths);
            let weights = Weights::heuristic(&cfg);
            let [sums, numbers] = [numbering.values(), &second.values()].map(|values| {
                let probes = Probes::optimised(values, &weights);
                let mut counted = Vec::new();
                Instrumented::new(&probes)
                    .call(&execution, |n| counted.push(n.clone()))
                    .expect("an execution");
                counted
            });
            let ran = Segments::of(&dag, &execution).expect("an execution").paths;
            let classifier = numbering.classifier(&paths, &second);
            let mut profile = Profile::new(paths.count());
            for (sum, number) in sums.iter().zip(&numbers).take(ran.len()) {
                profile.record(classifier.classify(sum, number));
            }
            for (path, count) in paths.paths().iter().zip(&profile.interesting) {
                prop_assert_eq!(ran.iter().filter(|p| *p == path).count() as u64, *count);
            }
            let others = profile.aliases + profile.holes + profile.out_of_range;
            prop_assert_eq!(profile.interesting.iter().sum::<u64>() + others, ran.len() as u64);
        }
    }

    /// With all paths interesting the numbering is perfect, and the same as Ball and Larus's.
    #[test]
    fn all_paths_interesting_is_ball_larus(cfg in graph(2..10)) {
        for dag in forms(&cfg) {
            let second = BallLarus::exact(&dag);
            prop_assume!(small(&second));
            let paths = Interesting::new(&dag, all_paths(&dag)).expect("distinct");
            let numbering = Preferential::new(&paths);
            prop_assert_eq!(numbering.values(), &second.values());
            prop_assert_eq!(numbering.compactness().ratio(), 1.0);
        }
    }
}

/// The order in which the edges of `v` get their values decides how many holes there are.
#[test]
fn the_order_of_edges_decides_the_width() {
    let cfg = graph_of("s a, s b, a v, b v, v x, v y, x x1, x x2, x x3, x1 t, x2 t, x3 t, y t");
    let dag = Acyclic::depth_first(&cfg);
    let paths = [
        "s a v x x1 t",
        "s a v y t",
        "s b v x x1 t",
        "s b v x x2 t",
        "s b v x x3 t",
        "s b v y t",
    ];
    let paths = interesting(&cfg, &dag, &paths);
    let width = |order| {
        let numbering = Preferential::in_order(&paths, order);
        numbering.width().clone()
    };
    assert_eq!(width(EdgeOrder::Given), big(8));
    assert_eq!(width(EdgeOrder::Chosen), big(6));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The chosen order never leaves more holes than the graph's.
    #[test]
    fn the_chosen_order_is_never_wider((cfg, picks) in with_picks(2..12, 1..20)) {
        for dag in forms(&cfg) {
            prop_assume!(small(&BallLarus::exact(&dag)));
            let paths = pick(&dag, &all_paths(&dag), &picks);
            let width = |order| {
                let numbering = Preferential::in_order(&paths, order);
                numbering.width().clone()
            };
            prop_assert!(width(EdgeOrder::Chosen) <= width(EdgeOrder::Given));
        }
    }
}
