//! Recovered counts are those of the execution.
use hpp_paths::counters::{BlockCounters, CounterPlaces, EdgeCounters, PrunedEdgeCounters};
use hpp_paths::graph::{BlockId, Cfg, EdgeId, Weights};
use proptest::prelude::*;

use crate::random_executions::execute;
use crate::random_graphs::{graph, graph_of};

/// Counts of a few calls, every edge and block by itself.
pub struct Exact {
    pub edges: Vec<u64>,
    pub blocks: Vec<u64>,
    pub calls: u64,
}

impl Exact {
    pub fn of(cfg: &Cfg, calls: &[Vec<EdgeId>]) -> Self {
        let mut exact = Exact {
            edges: vec![0; cfg.edges().len()],
            blocks: vec![0; cfg.blocks().len()],
            calls: calls.len() as u64,
        };
        for call in calls {
            exact.blocks[cfg.entry().index()] += 1;
            for &edge in call {
                exact.edges[edge.index()] += 1;
                exact.blocks[cfg.ends(edge).1.index()] += 1;
            }
        }
        exact
    }
}

/// A graph with random weights, and calls. Some calls stop short of the exit.
fn runs() -> impl Strategy<Value = (Cfg, Vec<f64>, Vec<Vec<EdgeId>>)> {
    let choices = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..6);
    let weights = prop::collection::vec(0.0..9.0, 60);
    (graph(1..14), weights, choices).prop_map(|(cfg, weights, choices)| {
        let calls = choices.iter().map(|choices| execute(&cfg, choices));
        let calls = calls.collect();
        (cfg, weights, calls)
    })
}

fn weights(cfg: &Cfg, values: &[f64]) -> Weights {
    Weights::from_fn(cfg, |edge| values[edge.index()])
}

/// The counters of all calls.
fn run(places: &CounterPlaces, calls: &[Vec<EdgeId>]) -> hpp_paths::counters::Counters {
    let mut counters = places.counters();
    for call in calls {
        counters.call(call).expect("an execution");
    }
    counters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn edge_counters_tell_every_edge((cfg, values, calls) in runs()) {
        let exact = Exact::of(&cfg, &calls);
        let weights = weights(&cfg, &values);
        for placement in [EdgeCounters::optimal(&cfg, &weights), EdgeCounters::worst(&cfg, &weights)] {
            let profile = placement.profile(&run(placement.places(), &calls));
            let profile = profile.expect("counts of an execution");
            prop_assert!(cfg.edges().map(|e| profile.edge(e)).eq(exact.edges.iter().copied()));
            prop_assert!(cfg.blocks().map(|b| profile.block(b)).eq(exact.blocks.iter().copied()));
            prop_assert_eq!(profile.calls(), exact.calls);
        }
    }

    #[test]
    fn pruned_edge_counters_and_block_counters_tell_every_block((cfg, values, calls) in runs()) {
        let exact = Exact::of(&cfg, &calls);
        let weights = weights(&cfg, &values);
        let pruned = PrunedEdgeCounters::heuristic(&cfg, &weights);
        let blocks = BlockCounters::optimal(&cfg, &weights);
        let profiles = [
            pruned.profile(&run(pruned.places(), &calls)),
            blocks.profile(&run(blocks.places(), &calls)),
        ];
        for profile in profiles {
            let profile = profile.expect("counts of an execution");
            prop_assert!(cfg.blocks().map(|b| profile.block(b)).eq(exact.blocks.iter().copied()));
            prop_assert_eq!(profile.calls(), exact.calls);
        }
    }

    #[test]
    fn a_call_is_the_same_whole_and_edge_by_edge((cfg, values, calls) in runs()) {
        let weights = weights(&cfg, &values);
        let edges = EdgeCounters::optimal(&cfg, &weights);
        let blocks = BlockCounters::optimal(&cfg, &weights);
        for places in [edges.places(), blocks.places(), &CounterPlaces::redundant(&cfg)] {
            let (of_edges, of_blocks) = (places.edges().count(), places.blocks().count());
            prop_assert_eq!(places.count(), of_edges + of_blocks);
            let whole = run(places, &calls);
            let mut steps = places.counters();
            for call in &calls {
                steps.begin();
                call.iter().for_each(|&edge| steps.take(edge));
                let last = call.last().map_or(cfg.entry(), |&edge| cfg.ends(edge).1);
                if last != cfg.exit() {
                    steps.exit_early(last);
                }
            }
            prop_assert!(cfg.edges().all(|edge| whole.edge(edge) == steps.edge(edge)));
            for block in cfg.blocks() {
                prop_assert_eq!(whole.block(block), steps.block(block));
                prop_assert_eq!(whole.early_exits(block), steps.early_exits(block));
            }
        }
    }

    #[test]
    fn counters_cost_what_they_increment((cfg, values, calls) in runs()) {
        let ended = |call: &&Vec<EdgeId>| cfg.ends(*call.last().expect("not empty")).1 == cfg.exit();
        let calls: Vec<Vec<EdgeId>> =
            calls.iter().filter(|c| !c.is_empty()).filter(ended).cloned().collect();
        let measured = Weights::counted(&cfg, calls.iter().flatten());
        let weights = weights(&cfg, &values);
        let edges = EdgeCounters::optimal(&cfg, &weights);
        let blocks = BlockCounters::optimal(&cfg, &weights);
        for places in [edges.places(), blocks.places(), &CounterPlaces::redundant(&cfg)] {
            prop_assert_eq!(places.cost(&measured), run(places, &calls).increments() as f64);
        }
    }
}

/// The part of the document's figure 4 around the cycle without a pipe, with weights.
fn figure_4() -> (Cfg, Weights) {
    let edges = [
        ("a", "b", 3.0),
        ("a", "f", 1.0),
        ("b", "e", 4.0),
        ("e", "b", 5.0),
        ("e", "f", 3.0),
        ("f", "EXIT", 2.0),
    ];
    let cfg = Cfg::from_edges(edges.map(|(from, to, _)| (from, to))).expect("a graph");
    let weights = Weights::from_fn(&cfg, |edge| edges[edge.index()].2);
    (cfg, weights)
}

#[test]
fn the_flow_of_edges_under_pruned_counters_may_be_negative() {
    // a -> f counts 0, so that e -> b comes out as -1. By the absolute difference that figure 6 prints it would be 1,
    // and b would have run.
    let (cfg, weights) = figure_4();
    let placement = PrunedEdgeCounters::heuristic(&cfg, &weights);
    assert_eq!(placement.removed(), [EdgeId::new(1)]);
    let execution = [1, 5].map(EdgeId::new);
    let mut counters = placement.places().counters();
    counters.call(&execution).expect("an execution");
    let profile = placement.profile(&counters).expect("counts of it");
    let counts: Vec<u64> = cfg.blocks().map(|block| profile.block(block)).collect();
    assert_eq!(counts, [1, 0, 1, 0, 1]);
}

/// Two switches with the same three cases: two cycles without a pipe that have blocks and edges in common.
#[test]
fn cycles_without_a_pipe_may_have_blocks_in_common() {
    let mut edges = vec![("entry", "one"), ("entry", "two")];
    for case in ["a", "b", "c"] {
        edges.extend([("one", case), ("two", case)]);
    }
    edges.extend([("a", "exit"), ("b", "exit"), ("c", "exit")]);
    let cfg = Cfg::from_edges(edges).expect("a graph");
    let in_switch = |edge: EdgeId| f64::from(u8::from((2..8).contains(&edge.index())));
    let weights = Weights::from_fn(&cfg, in_switch);
    assert_eq!(EdgeCounters::optimal(&cfg, &weights).places().count(), 6);
    let placement = PrunedEdgeCounters::heuristic(&cfg, &weights);
    assert_eq!(placement.removed().len(), 2);
    let calls = [[0, 2, 8], [1, 3, 8], [0, 4, 9], [1, 7, 10], [1, 7, 10]];
    let calls = calls.map(|call| call.map(EdgeId::new).to_vec());
    let profile = placement
        .profile(&run(placement.places(), &calls))
        .expect("counts");
    let exact = Exact::of(&cfg, &calls);
    assert!(cfg.blocks().map(|b| profile.block(b)).eq(exact.blocks));
}

#[test]
fn counts_that_no_execution_has_are_found_out() {
    let cfg = graph_of("a b, a c, b c");
    let error = |places: &[usize]| {
        let counted: Vec<EdgeId> = places.iter().map(|&e| EdgeId::new(e)).collect();
        let placement = EdgeCounters::at(&cfg, &counted).expect("a tree is free");
        let mut counters = placement.places().counters();
        counters.exit_early(BlockId::new(1));
        let error = placement.profile(&counters).expect_err("never called");
        error.to_string()
    };
    assert_eq!(
        error(&[0, 1]),
        "by the counts `b -> c` ran -1 times; were the counters read while the program ran, \
         or procedures ended early without being counted?"
    );
    assert_eq!(
        error(&[0, 1, 2]),
        "by the counts control came 1 times more into `a` than out; were the counters read while the program ran, \
         or procedures ended early without being counted?"
    );
}

#[test]
fn edges_of_infinite_weight_leave_the_calls_known() {
    let cfg = graph_of("a b, a c, b d, c d");
    let endless = Weights::from_fn(&cfg, |_| f64::INFINITY);
    let placement = EdgeCounters::optimal(&cfg, &endless);
    let mut counters = placement.places().counters();
    for execution in [[0, 2], [0, 2], [1, 3]] {
        counters
            .call(&execution.map(EdgeId::new))
            .expect("an execution");
    }
    let profile = placement.profile(&counters).expect("counts of it");
    let edges: Vec<u64> = cfg.edges().map(|edge| profile.edge(edge)).collect();
    assert_eq!((profile.calls(), edges), (3, vec![2, 1, 2, 1]));
}

#[test]
fn an_early_exit_where_control_cannot_be_is_found_out() {
    let cfg = graph_of("entry exit, lost exit");
    let lost = cfg.find("lost").expect("a block");
    let weights = Weights::heuristic(&cfg);
    let blocks = BlockCounters::optimal(&cfg, &weights);
    let edges = EdgeCounters::optimal(&cfg, &weights);
    let counters = |places: &CounterPlaces| {
        let mut counters = places.counters();
        counters.call(&[EdgeId::new(0)]).expect("an execution");
        counters.exit_early(lost);
        counters
    };
    assert!(blocks.profile(&counters(blocks.places())).is_err());
    assert!(edges.profile(&counters(edges.places())).is_err());
}

#[test]
fn counters_that_leave_a_cycle_are_refused() {
    let cfg = graph_of("a b, b b, b c, a c");
    let error = EdgeCounters::at(&cfg, &[EdgeId::new(0)]).expect_err("b -> b is free");
    assert_eq!(
        error.to_string(),
        "the edge `b -> b` and others without a counter form a cycle; count one of them"
    );
}

#[test]
fn an_edge_that_does_not_go_on_is_an_error() {
    let (cfg, weights) = figure_4();
    let placement = EdgeCounters::optimal(&cfg, &weights);
    let mut counters = placement.places().counters();
    let error = counters.call(&[0, 5].map(EdgeId::new)).expect_err("a gap");
    assert_eq!(
        error.to_string(),
        "edge 1 of the sequence leaves `f`, but control is in `b`"
    );
    assert_eq!(counters.early_exits(BlockId::new(1)), 0);
}
