//! Probes and the instrumented run.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, EdgeId, Segments, Weights};
use hpp_paths::numbering::*;
use hpp_paths::placement::*;
use hpp_paths::runtime::*;
use proptest::prelude::*;

use crate::graphs::{
    Pick, all_paths, big, executed, forms, graph, graph_of, pick, read, small, vaswani, with_picks,
};

/// Probes as text, by edge.
fn text(dag: &Acyclic, probes: &Probes) -> Vec<String> {
    let line = |e| Some(format!("{}: {}", dag.edge_name(e), probes.on(e)?));
    dag.edges().filter_map(line).collect()
}

#[test]
fn probes_of_the_thesis_example() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let values = BallLarus::exact(&dag).values();
    assert_eq!(
        text(&dag, &Probes::naive(&values)),
        [
            "s -> a: r = 0",
            "s -> b: r = 4",
            "a -> b: r += 2",
            "c -> t: count[r + 1]++",
            "d -> t: count[r]++",
        ]
    );
    let optimised = Probes::optimised(&values, &Weights::uniform(&cfg));
    // The tree takes the first edges: s -> a, s -> b, a -> c and c -> d. Setting merges into the
    // chord a -> b, counting into the chords c -> t and d -> t.
    assert_eq!(
        text(&dag, &optimised),
        [
            "s -> b: r = 0",
            "a -> c: r = 0",
            "a -> b: r = -2",
            "b -> c: r += 4",
            "c -> t: count[r + 1]++",
            "d -> t: count[r]++",
        ]
    );
    // When s b c d t ran, its edges come first into the tree: two probes on it, not three.
    let execution = [1, 4, 5, 7].map(EdgeId::new);
    let weights = Weights::counted(&cfg, &execution);
    let measured = Probes::optimised(&values, &weights);
    assert_eq!(
        text(&dag, &measured),
        [
            "s -> b: r = 0",
            "a -> c: r = -4",
            "a -> b: r = -2",
            "c -> t: count[r + 5]++",
            "d -> t: count[r + 4]++",
        ]
    );
}

#[test]
fn a_single_path_needs_no_register() {
    let cfg = graph_of("a b, b c");
    let values = BallLarus::exact(&Acyclic::depth_first(&cfg)).values();
    let probes = Probes::optimised(&values, &Weights::heuristic(&cfg));
    assert_eq!(probes.count(), 1);
    assert_eq!(counts(&probes, &[0, 1].map(EdgeId::new)), [Number::ZERO]);
}

#[test]
fn a_single_block_is_counted_at_its_entry() {
    let cfg = read("block only");
    let dag = Acyclic::depth_first(&cfg);
    let numbering = BallLarus::exact(&dag);
    assert_eq!(numbering.paths(), big(1));
    let probes = Probes::optimised(&numbering.values(), &Weights::heuristic(&cfg));
    assert_eq!(probes.at_entry(), Some(&Probe::CountAt(0.into())));
    assert_eq!(counts(&probes, &[]), [Number::ZERO]);
}

#[test]
fn an_execution_with_a_gap_is_refused() {
    let cfg = vaswani();
    let dag = Acyclic::depth_first(&cfg);
    let probes = Probes::naive(&BallLarus::exact(&dag).values());
    let edges: Vec<EdgeId> = cfg.edges().collect();
    let error = Instrumented::new(&probes)
        .call(&[edges[0], edges[4]], |_| ())
        .expect_err("a gap");
    assert_eq!(
        error.to_string(),
        "edge 1 of the sequence leaves `b`, but control is in `a`"
    );
}

/// The numbers counted over an execution.
fn counts(probes: &Probes, execution: &[EdgeId]) -> Vec<Number> {
    let mut counted = Vec::new();
    Instrumented::new(probes)
        .call(execution, |n| counted.push(n.clone()))
        .expect("an execution");
    counted
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The instrumented run counts each path the execution completes, in order, with its number,
    /// however the probes are placed; at most the path under way may be counted ahead.
    #[test]
    fn every_placement_counts_the_paths_that_ran(
        (cfg, execution) in executed(2..12, 60), picks in prop::collection::vec(any::<Pick>(), 1..6),
    ) {
        for dag in forms(&cfg) {
            let segments = Segments::of(&dag, &execution).expect("an execution");
            let ball_larus = BallLarus::exact(&dag);
            prop_assume!(small(&ball_larus));
            let chosen = pick(&dag, &all_paths(&dag), &picks);
            let selective = Selective::exact(&chosen, Pushing::Restricted).values;
            let preferential = Preferential::new(&chosen).values().clone();
            for values in [ball_larus.values(), selective, preferential] {
                let right: Vec<Number> = segments.paths.iter().map(|p| values.sum(p)).collect();
                let mut placements = vec![Probes::naive(&values), Probes::kept(&values)];
                for weights in [
                    Weights::uniform(&cfg),
                    Weights::heuristic(&cfg),
                    Weights::counted(&cfg, &execution),
                ] {
                    placements.push(Probes::optimised(&values, &weights));
                }
                for probes in placements {
                    let counted = counts(&probes, &execution);
                    prop_assert!(counted.len() <= right.len() + usize::from(execution.last().is_none_or(|&e| cfg.ends(e).1 != cfg.exit())));
                    prop_assert_eq!(&counted[..right.len()], &right[..]);
                }
            }
        }
    }

    /// Increments keep every sum, and only chords have any.
    #[test]
    fn increments_keep_sums(cfg in graph(2..12)) {
        for dag in forms(&cfg) {
            let numbering = BallLarus::exact(&dag);
            prop_assume!(small(&numbering));
            let tree = SpanningTree::maximal(&dag, &Weights::heuristic(&cfg));
            let increments = tree.increments(&numbering.values());
            for path in all_paths(&dag) {
                prop_assert_eq!(increments.sum(&path), numbering.number(&path));
            }
            let reached = dag.topological().len();
            let chords = dag.edges().filter(|&e| tree.is_chord(e)).count();
            // With the closing edge, a tree over n blocks has n - 2 others.
            if reached > 1 {
                prop_assert_eq!(dag.edge_count() - chords, reached - 2);
            }
            for edge in dag.edges().filter(|&e| !tree.is_chord(e)) {
                prop_assert_eq!(increments.get(edge), &Number::ZERO);
            }
        }
    }

    /// Values are equal exactly if they are so on each edge; those other than 0 are what a probe is needed for.
    #[test]
    fn values_are_told_apart_by_each_edge(
        cfg in graph(2..10), drawn in prop::collection::vec(-2..3i64, 8),
        edge in any::<prop::sample::Index>(), other in -2..3i64,
    ) {
        let dag = Acyclic::depth_first(&cfg);
        let value = |at: usize| Number::from(drawn[at % drawn.len()]);
        let values = EdgeValues::from_fn(&dag, |edge| value(edge.index()));
        let edge = dag.edges().nth(edge.index(dag.edge_count())).expect("an edge");
        let mut changed = values.clone();
        changed.set(edge, other.into());
        prop_assert_eq!(changed == values, value(edge.index()) == other.into());
        prop_assert_eq!(changed.get(edge), &other.into());
        let zeros = dag.edges().filter(|&edge| values.get(edge).is_zero()).count();
        prop_assert_eq!(values.probes(), dag.edge_count() - zeros);
    }

    /// No other edge leads through the place of an edge's code.
    #[test]
    fn a_site_is_of_one_edge(cfg in graph(2..14)) {
        for edge in cfg.edges() {
            let (from, to) = cfg.ends(edge);
            match Site::of(&cfg, edge) {
                Site::Source => prop_assert_eq!(cfg.successors(from), [edge]),
                Site::Target => {
                    prop_assert_eq!(cfg.predecessors(to), [edge]);
                    prop_assert!(to != cfg.entry() && to != cfg.exit());
                }
                Site::Split => prop_assert!(cfg.successors(from).len() > 1),
            }
        }
    }

    /// The probes of two numberings set and count on the same edges.
    #[test]
    fn two_numberings_share_their_probes((cfg, picks) in with_picks(2..12, 1..6)) {
        let weights = Weights::heuristic(&cfg);
        for dag in forms(&cfg) {
            let first = BallLarus::exact(&dag);
            prop_assume!(small(&first));
            let chosen = pick(&dag, &all_paths(&dag), &picks);
            let second = Preferential::new(&chosen);
            let [first, second] = [&first.values(), second.values()]
                .map(|values| Probes::optimised(values, &weights));
            for edge in dag.edges() {
                let [one, other] = [&first, &second].map(|p| match p.on(edge) {
                    Some(Probe::Add(_)) | None => None,
                    Some(probe) => Some(std::mem::discriminant(probe)),
                });
                prop_assert_eq!(one, other);
            }
        }
    }

    /// The cost foretold from the frequencies of a run is the number of probes that run.
    #[test]
    fn the_cost_is_what_runs((cfg, execution) in executed(2..12, 80)) {
        let weights = Weights::counted(&cfg, &execution);
        for dag in forms(&cfg) {
            let values = BallLarus::exact(&dag).values();
            let optimised = Probes::optimised(&values, &weights);
            for probes in [Probes::naive(&values), optimised, Probes::kept(&values)] {
                let mut procedure = Instrumented::new(&probes);
                procedure.call(&execution, |_| ()).expect("an execution");
                prop_assert_eq!(procedure.executed() as f64, probes.cost(&weights, 1.0));
                let on_edges = dag.edges().filter(|&edge| probes.on(edge).is_some()).count();
                let in_blocks = [probes.at_entry(), probes.at_exit()].into_iter().flatten().count();
                prop_assert_eq!(probes.count(), on_edges + in_blocks);
            }
        }
    }
}
