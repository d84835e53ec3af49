//! What a compiler brings: its graphs, and edges that cannot carry code.
use std::collections::BTreeMap;

use hpp_paths::graph::{Acyclic, AcyclicError, Cfg, EdgeId, Origin, Weights};
use hpp_paths::numbering::BallLarus;
use hpp_paths::petgraph::stable_graph::StableGraph;
use hpp_paths::petgraph::visit::{IntoEdgeReferences, NodeIndexable};
use hpp_paths::placement::{Probe, Probes, Site};
use hpp_paths::runtime::Instrumented;
use proptest::prelude::*;

use crate::graphs::{execute, graph, graph_of};

/// How often each number is counted.
fn counted(probes: &Probes, executions: &[Vec<EdgeId>]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut procedure = Instrumented::new(probes);
    for execution in executions {
        let count =
            |number: &hpp_paths::Number| *counts.entry(number.to_string()).or_default() += 1;
        procedure.call(execution, count).expect("edges in a row");
    }
    counts
}

proptest! {
    /// Nodes, edges and calls of a graph with holes are all there, and control that leaves comes to the exit.
    #[test]
    fn an_imported_graph_is_the_compilers(
        count in 1..12usize,
        edges in prop::collection::vec((0..12usize, 0..12usize), 0..30),
        gone in prop::collection::vec(0..12usize, 0..4),
        calls in prop::collection::vec(0..3usize, 12),
    ) {
        let mut code = StableGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..count).map(|at| code.add_node(at)).collect();
        for (from, to) in edges {
            code.add_edge(nodes[from % count], nodes[to % count], ());
        }
        for node in gone.into_iter().filter(|&at| at != 0 && at < count) {
            code.remove_node(nodes[node]);
        }
        let cfg = Cfg::import(&code, nodes[0], |node| calls[node.index()]).expect("the entry is there");
        let mut found = 0;
        for edge in cfg.edges() {
            let (from, to) = cfg.ends(edge);
            let (source, target) = (*cfg.block(from), *cfg.block(to));
            match *cfg.edge(edge) {
                Origin::Edge(edge) => {
                    found += 1;
                    prop_assert_eq!(Some(source).zip(Some(target)), code.edge_endpoints(edge).map(|(a, b)| (Some(a), Some(b))));
                }
                Origin::Call(at) => {
                    let node = source.expect("a node calls");
                    prop_assert!(at < calls[node.index()] && target == source);
                    prop_assert_eq!(cfg.successors(from).len(), 1);
                }
                Origin::End => {
                    prop_assert_eq!(to, cfg.exit());
                    prop_assert!(code.edges(source.expect("a node ends")).next().is_none());
                }
            }
        }
        prop_assert_eq!(found, code.edge_references().count());
        let called: usize = code.node_indices().map(|node| calls[node.index()]).sum();
        prop_assert_eq!(cfg.blocks().len(), code.node_count() + called + 1);
        prop_assert_eq!(cfg.name(cfg.entry()), code.to_index(nodes[0]).to_string());
    }

    /// Probes keep off the edges that cannot carry code and count what others count, or say why not.
    #[test]
    fn probes_keep_off_edges_that_cannot_carry_code(
        cfg in graph(2..14),
        bare in prop::collection::vec(prop::bool::weighted(0.2), 60),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..60), 1..5),
    ) {
        let carries = |edge: EdgeId| !bare[edge.index() % bare.len()];
        let Ok(dag) = Acyclic::keeping(&cfg, |edge| !carries(edge)) else {
            let all = Acyclic::with_breaks(&cfg, carries, hpp_paths::graph::Leftover::Refuse);
            prop_assert!(all.is_err(), "there was a way to keep them");
            return Ok(());
        };
        prop_assert!(dag.broken().iter().all(|&edge| carries(edge)));
        let values = BallLarus::exact(&dag).values();
        let weights = Weights::heuristic(&cfg);
        let executions: Vec<_> = choices.iter().map(|choices| execute(&cfg, choices)).collect();
        let executions: Vec<_> = executions.into_iter().filter(|execution| {
            execution.last().is_some_and(|&last| cfg.ends(last).1 == cfg.exit())
        }).collect();
        match Probes::within(&values, &weights, carries) {
            Err(error) => prop_assert!(error.to_string().contains("cannot carry code")),
            Ok(probes) => {
                for edge in dag.edges().filter(|&edge| probes.on(edge).is_some()) {
                    if let hpp_paths::graph::DagEdge::Real(real) = dag.kind(edge) {
                        prop_assert!(carries(*real), "{}", dag.edge_name(edge));
                    }
                }
                prop_assert_eq!(counted(&probes, &executions), counted(&Probes::naive(&values), &executions));
            }
        }
    }

    /// Where every edge carries code nothing is different.
    #[test]
    fn nothing_to_keep_off_changes_nothing(cfg in graph(1..14)) {
        let dag = Acyclic::depth_first(&cfg);
        let kept = Acyclic::keeping(&cfg, |_| false).expect("nothing is kept");
        let sorted = |dag: &Acyclic| { let mut broken = dag.broken().to_vec(); broken.sort(); broken };
        prop_assert_eq!(sorted(&kept), sorted(&dag));
        let (values, weights) = (BallLarus::exact(&dag).values(), Weights::heuristic(&cfg));
        let all = Probes::within(&values, &weights, |_| true).expect("every edge carries code");
        prop_assert_eq!(all, Probes::optimised(&values, &weights));
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

    /// Machine words are the values.
    #[test]
    fn words_are_the_values(cfg in graph(1..14)) {
        let numbering = BallLarus::exact(&Acyclic::depth_first(&cfg));
        let words = numbering.words().expect("small graphs");
        let values = numbering.dag().edges().map(|edge| numbering.value(edge).to_u64());
        prop_assert!(values.eq(words.iter().copied().map(Some)));
    }
}

#[test]
fn a_loop_that_cannot_be_cut_is_refused() {
    let cfg = graph_of("a b, b c, c b, c d");
    let error = Acyclic::keeping(&cfg, |edge| [1, 2].contains(&edge.index()));
    assert!(matches!(error, Err(AcyclicError::Cycle { .. })));
    let dag = Acyclic::depth_first(&cfg);
    let values = BallLarus::exact(&dag).values();
    let error = Probes::within(&values, &Weights::heuristic(&cfg), |edge| edge.index() != 2);
    let error = error.expect_err("paths end there").to_string();
    assert!(
        error.starts_with("the edge `c -> d (stop)` needs a probe"),
        "{error}"
    );
}

#[test]
fn paths_are_counted_in_the_exit_where_an_edge_to_it_cannot_carry_code() {
    let cfg = graph_of("a b, a x, b c, b x, c x");
    let values = BallLarus::exact(&Acyclic::depth_first(&cfg)).values();
    let probes = Probes::within(&values, &Weights::heuristic(&cfg), |e| e.index() != 3);
    let probes = probes.expect("the exit block counts");
    assert_eq!(probes.at_exit(), Some(&Probe::Count(0.into())));
    let counts = counted(
        &probes,
        &[[1].map(EdgeId::new).into(), [0, 3].map(EdgeId::new).into()],
    );
    assert_eq!(counts.len(), 2);
}
