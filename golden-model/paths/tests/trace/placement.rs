use std::collections::HashSet;

use hpp_paths::counters::{EdgeCounters, PrunedEdgeCounters};
use hpp_paths::graph::{Acyclic, Cfg, EdgeId, Weights};
use hpp_paths::interprocedural::{Procedure, ProcedureId};
use hpp_paths::trace::Witnesses;
use proptest::prelude::*;

use crate::random_graphs::{graph, graph_of};
use crate::structured::structured;

/// Small graphs with weights, and an edge that calls.
fn small() -> impl Strategy<Value = (Cfg, Weights, EdgeId)> {
    let small = graph(2..6).prop_filter("few edges", |cfg| cfg.edges().len() <= 9);
    let weights = prop::collection::vec(0..9u32, 9);
    (small, weights, any::<prop::sample::Index>()).prop_map(|(cfg, values, call)| {
        let weights = Weights::from_fn(&cfg, |edge| f64::from(values[edge.index()]));
        let call = EdgeId::new(call.index(cfg.edges().len()));
        (cfg, weights, call)
    })
}

fn procedure(cfg: &Cfg) -> Procedure {
    Procedure::new("p", Acyclic::depth_first(cfg))
}

/// A procedure that calls itself on this edge.
fn calling(cfg: &Cfg, site: EdgeId) -> Procedure {
    procedure(cfg).calling(site, ProcedureId::new(0))
}

/// Small procedures of `if` and `while` alone.
fn small_structured() -> impl Strategy<Value = (Cfg, Weights)> {
    let small = structured(3, 6).prop_filter("few edges", |cfg| cfg.edges().len() <= 14);
    (small, prop::collection::vec(0..9u32, 14)).prop_map(|(cfg, values)| {
        let weights = Weights::from_fn(&cfg, |edge| f64::from(values[edge.index()]));
        (cfg, weights)
    })
}

fn subsets(cfg: &Cfg) -> impl Iterator<Item = Vec<EdgeId>> {
    let edges: Vec<EdgeId> = cfg.edges().collect();
    let chosen = move |mask: u32| {
        let has = |(i, &edge): (usize, &EdgeId)| (mask >> i & 1 == 1).then_some(edge);
        edges.iter().enumerate().filter_map(has).collect()
    };
    (0..1 << cfg.edges().len()).map(chosen)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn counters_that_solve_a_profiling_problem_solve_tracing((cfg, weights, _) in small()) {
        let procedure = procedure(&cfg);
        let reached = cfg.reachable();
        let unreachable = cfg.edges().filter(|&e| !reached[cfg.ends(e).0.index()]);
        let unreachable: Vec<EdgeId> = unreachable.collect();
        let edges = EdgeCounters::optimal(&cfg, &weights);
        let pruned = PrunedEdgeCounters::heuristic(&cfg, &weights);
        // Block profiles do not distinguish parallel edges; the executions here do.
        let ends: HashSet<_> = cfg.edges().map(|edge| cfg.ends(edge)).collect();
        let parallel = ends.len() < cfg.edges().len();
        for places in [edges.places(), pruned.places()].into_iter().take(2 - usize::from(parallel)) {
            let all: Vec<EdgeId> = places.edges().chain(unreachable.iter().copied()).collect();
            prop_assert!(Witnesses::at(&procedure, &all).is_ok());
        }
    }

    #[test]
    fn blocking_witnesses_block_and_cost_no_less_than_the_optimum((cfg, weights, call) in small()) {
        let procedure = calling(&cfg, call);
        let ours = Witnesses::optimal(&procedure, &weights);
        prop_assert_eq!(ours.unblocked_predicate(), None);
        let does = |edges: &Vec<EdgeId>| {
            let witnesses = Witnesses::at(&procedure, edges);
            witnesses.is_ok_and(|witnesses| witnesses.unblocked_predicate().is_none())
        };
        let cost = |edges: Vec<EdgeId>| edges.iter().map(|&e| weights.edge(e)).sum::<f64>();
        let least = subsets(&cfg).filter(does).map(cost).fold(f64::INFINITY, f64::min);
        prop_assert!(ours.cost(&weights) >= least);
    }

    #[test]
    fn no_cheaper_witnesses_tell_a_procedure_of_if_and_while((cfg, weights) in small_structured()) {
        let procedure = procedure(&cfg);
        let ours = Witnesses::unblocked(&procedure, &weights).cost(&weights);
        let cost = |edges: &[EdgeId]| edges.iter().map(|&e| weights.edge(e)).sum::<f64>();
        let cheaper = subsets(&cfg).filter(|edges| cost(edges) < ours);
        for edges in cheaper {
            prop_assert!(Witnesses::at(&procedure, &edges).is_err());
        }
    }

    #[test]
    fn reused_values_still_distinguish_the_ways_out_of_a_predicate((cfg, weights, call) in small()) {
        let distinct = Witnesses::optimal(&calling(&cfg, call), &weights);
        let reused = distinct.clone().reusing_values();
        prop_assert!(reused.edges().eq(distinct.edges()));
        // What is disjoint without reuse stays so: see what can follow each way, by walking.
        for block in cfg.blocks() {
            let mut seen = Vec::new();
            for &way in cfg.successors(block) {
                let values = following(&cfg, &reused, way);
                prop_assert!(values.iter().all(|value| !seen.contains(value)));
                seen.extend(values);
            }
        }
    }
}

/// The values of witnesses that control can meet next over this edge.
fn following(cfg: &Cfg, witnesses: &Witnesses, edge: EdgeId) -> Vec<u32> {
    match witnesses.value(edge) {
        Some(value) => vec![value],
        None => {
            let next = cfg.successors(cfg.ends(edge).1);
            next.iter()
                .flat_map(|&e| following(cfg, witnesses, e))
                .collect()
        }
    }
}

/// A fork whose two ways come together before a call: as in figure 16 of the document, the witness on the edge into
/// the call is not needed where the predicates before it are witnessed.
#[test]
fn blocking_witnesses_stand_as_far_from_calls_as_they_can() {
    let cfg = graph_of("p a, p b, a call, b call, call exit");
    let procedure = calling(&cfg, EdgeId::new(4));
    let witnesses = Witnesses::optimal(&procedure, &Weights::heuristic(&cfg));
    let edges: Vec<String> = witnesses.edges().map(|e| cfg.edge_name(e)).collect();
    assert_eq!(edges, ["p -> a", "p -> b"]);
}

#[test]
fn four_witnesses_of_one_predicate_need_two_bits() {
    let cfg = graph_of("p a, p b, p c, p d, a x, b x, c x, d x");
    let witnesses = Witnesses::optimal(&procedure(&cfg), &Weights::uniform(&cfg)).reusing_values();
    assert_eq!(witnesses.width(cfg.entry()), 2);
}

#[test]
fn what_witnesses_leave_open_is_named() {
    let procedure = procedure(&graph_of("a b, a c, b exit, c exit, a d, d d"));
    let error = |edges: &[usize]| {
        let edges: Vec<EdgeId> = edges.iter().map(|&edge| EdgeId::new(edge)).collect();
        let refused = Witnesses::at(&procedure, &edges).expect_err("it is open");
        refused.to_string()
    };
    assert_eq!(
        error(&[4, 5]),
        "what follows block `a` of `p` cannot be determined: witness another way out of it"
    );
    assert_eq!(
        error(&[0, 4]),
        "a loop of `p` writes no witness: witness one of its edges"
    );
}

#[test]
fn a_call_and_the_exit_each_need_blocking() {
    let cfg = graph_of("p a, p b, a b, b exit");
    let unblocked = |edges: &[usize], site: usize| {
        let edges: Vec<EdgeId> = edges.iter().map(|&edge| EdgeId::new(edge)).collect();
        let witnesses = Witnesses::at(&calling(&cfg, EdgeId::new(site)), &edges);
        witnesses.expect("no diamond").unblocked_predicate()
    };
    // All ways to the exit are witnessed after the call from a to b, or before it.
    assert_eq!(unblocked(&[1, 3], 2), cfg.find("p"));
    assert_eq!(unblocked(&[0, 1], 2), None);
    // The call is blocked; the exit is not.
    assert_eq!(unblocked(&[0], 2), cfg.find("p"));
}
