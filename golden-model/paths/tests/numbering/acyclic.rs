//! The acyclic form, and the way back from its paths.
use hpp_paths::graph::*;
use hpp_paths::numbering::BallLarus;
use proptest::prelude::*;

use crate::graphs::{executed, forms, graph, graph_of, path, read};

/// Names of the broken edges.
fn broken(cfg: &Cfg, dag: &Acyclic) -> Vec<String> {
    dag.broken().iter().map(|&e| cfg.edge_name(e)).collect()
}

#[test]
fn irreducible_loops_break_where_the_search_closes_them() {
    // Two entries into the loop b <-> c.
    let cfg = graph_of("a b, a c, b c, c b, b d");
    let dag = Acyclic::depth_first(&cfg);
    assert_eq!(broken(&cfg, &dag), ["c -> b"]);
}

#[test]
fn a_loop_to_the_entry_has_no_start() {
    let cfg = graph_of("a a, a b");
    let dag = Acyclic::depth_first(&cfg);
    let repeat = cfg.successors(cfg.entry())[0];
    let Some(Crossing::Break { stop, start: None }) = dag.crossing(repeat) else {
        panic!("the loop is broken and begins at the entry");
    };
    let again = DagPath::new(&dag, vec![stop]).expect("a path");
    assert_eq!(again.text(&dag), "a ...");
}

#[test]
fn dummies_are_shared_by_target_and_by_source_and_outcome() {
    let cfg = read(
        "a -> b
         b -> c
         # An indirect jump with two targets, and a branch that breaks both ways.
         c -> b indirect taken
         c -> x indirect taken
         x -> b backward taken
         x -> c backward not-taken
         x -> exit",
    );
    let dag = Acyclic::recorded(&cfg, Leftover::Refuse).expect("all loops break");
    let names: Vec<String> = dag.edges().map(|e| dag.edge_name(e)).collect();
    assert_eq!(
        names,
        [
            "a -> b",
            "b -> c",
            "x -> exit",
            "c -> exit (stop, taken)",
            "x -> exit (stop, taken)",
            "x -> exit (stop, not taken)",
            "a -> b (start)",
            "a -> x (start)",
            "a -> c (start)",
        ]
    );
}

/// Two back edges out of one block, v -> h1 and v -> h2. A path begins at the entry or after one of them and ends at the exit or with one of them: 9
/// paths. A record of outcomes alone distinguishes 6 of them.
#[test]
fn every_back_edge_has_its_own_dummies() {
    let cfg = graph_of("entry h1, h1 h2, h2 v, v h1, v h2, v exit");
    let dag = Acyclic::depth_first(&cfg);
    assert_eq!(BallLarus::exact(&dag).paths(), 9u32.into());
    let names: Vec<String> = dag.edges().skip(4).map(|e| dag.edge_name(e)).collect();
    assert_eq!(
        names,
        [
            "v -> exit (stop, to h1)",
            "v -> exit (stop, to h2)",
            "entry -> h1 (start)",
            "entry -> h2 (start)",
        ]
    );
    let breaks = |edge| dag.broken().contains(&edge);
    let recorded = Acyclic::shared(&cfg, breaks, |_| None, Leftover::Refuse).expect("no cycle");
    assert_eq!(BallLarus::exact(&recorded).paths(), 6u32.into());
}

#[test]
fn a_cycle_the_hardware_never_breaks_is_refused_or_broken() {
    let cfg = graph_of("a b, b a2, a2 b, b c");
    let error = Acyclic::recorded(&cfg, Leftover::Refuse).expect_err("a cycle");
    assert_eq!(
        error.to_string(),
        "the edge `a2 -> b` closes a cycle in which no path ends; \
         class an edge of the cycle as backward or indirect, or break at the back edges of a depth-first search"
    );
    let dag = Acyclic::recorded(&cfg, Leftover::Break).expect("broken");
    assert_eq!(broken(&cfg, &dag), ["a2 -> b"]);
}

#[test]
fn an_edge_to_the_entry_is_distinguished_from_a_cycle_without_a_break() {
    let cfg = read("entry -> a indirect\na -> entry\na -> exit");
    // The cycle has a break; it is the entry that no edge may lead to unbroken.
    let error = Acyclic::recorded(&cfg, Leftover::Refuse).expect_err("leads to the entry");
    assert_eq!(
        error.to_string(),
        "the edge `a -> entry` leads to the entry and ends no path; \
         class it as backward or indirect, or add a block before the entry"
    );
}

#[test]
fn an_indirect_edge_into_the_exit_ends_the_path_anyhow() {
    let cfg = read("a -> b indirect");
    let dag = Acyclic::recorded(&cfg, Leftover::Refuse).expect("no cycle");
    assert!(dag.broken().is_empty());
}

#[test]
fn block_lists_that_are_no_paths_are_refused_with_the_reason() {
    let cfg = graph_of("a b, a b, b c, c b, c d, b d");
    let dag = Acyclic::depth_first(&cfg);
    let error = |blocks: &str| {
        let blocks: Vec<BlockId> = blocks
            .split_whitespace()
            .map(|n| cfg.find(n).expect("a block"))
            .collect();
        DagPath::from_blocks(&dag, &blocks)
            .expect_err("no path")
            .to_string()
    };
    assert_eq!(error(""), "a path has at least one block");
    assert_eq!(
        error("a b d"),
        "2 edges lead from `a` to `b`, so blocks do not tell the path; give its number instead"
    );
    assert_eq!(
        error("c d"),
        "no path begins at `c`; paths begin at the entry and at targets of broken edges"
    );
    assert_eq!(
        error("b"),
        "no path ends at `b`; paths end at the exit and at sources of broken edges"
    );
    assert_eq!(
        error("b c b"),
        "there is no edge from `c` to `b` that stays on one path"
    );
    // The walk alone, and with entry and exit around it, is the same path.
    assert_eq!(path(&cfg, &dag, "b c").text(&dag), "... b c ...");
}

proptest! {
    /// Cutting an execution into paths loses nothing: the walks, end to end, are the execution.
    #[test]
    fn segments_walk_back_to_the_execution((cfg, execution) in executed(2..14, 60)) {
        for dag in forms(&cfg) {
            let segments = Segments::of(&dag, &execution).expect("an execution");
            let mut rest = execution.as_slice();
            for path in &segments.paths {
                let walk = path.route(&dag);
                let from = rest.first().map_or(cfg.exit(), |&e| cfg.ends(e).0);
                prop_assert_eq!(walk.blocks[0], from);
                let (inside, after) = rest.split_at(walk.edges.len());
                prop_assert_eq!(inside, walk.edges.as_slice());
                rest = match walk.end {
                    PathEnd::Exit => after,
                    PathEnd::Break(edges) => {
                        prop_assert!(edges.contains(&after[0]));
                        &after[1..]
                    }
                };
                // A path is identified by the blocks of its walk unless edges run in parallel.
                if let Ok(again) = DagPath::from_blocks(&dag, &walk.blocks) {
                    prop_assert_eq!(&again, path);
                }
            }
            prop_assert!(rest.len() <= segments.unfinished.len());
        }
    }

    /// With dummies of its own for each broken edge, a profile of paths tells how often every edge ran.
    #[test]
    fn counts_of_paths_determine_counts_of_edges((cfg, execution) in executed(2..14, 60)) {
        let dag = Acyclic::depth_first(&cfg);
        let segments = Segments::of(&dag, &execution).expect("an execution");
        let mut counts = vec![0.0; cfg.edges().len()];
        let paths = segments.paths.iter().flat_map(DagPath::edges);
        for &edge in paths.chain(&segments.unfinished) {
            match dag.kind(edge) {
                DagEdge::Real(edge) => counts[edge.index()] += 1.0,
                DagEdge::Stop { breaks, .. } => {
                    prop_assert_eq!(breaks.len(), 1);
                    counts[breaks[0].index()] += 1.0;
                }
                DagEdge::Start { breaks } => prop_assert_eq!(breaks.len(), 1),
            }
        }
        let ran = Weights::counted(&cfg, &execution);
        let ran: Vec<f64> = cfg.edges().map(|e| ran.edge(e)).collect();
        prop_assert_eq!(counts, ran);
    }

    /// The topological order is one, and holds exactly the blocks control can reach and the exit.
    #[test]
    fn the_order_is_topological(cfg in graph(2..20)) {
        for dag in forms(&cfg) {
            let mut position = vec![None; cfg.blocks().len()];
            for (at, block) in dag.topological().iter().enumerate() {
                position[block.index()] = Some(at);
            }
            for edge in dag.edges() {
                let (from, to) = dag.ends(edge);
                prop_assert!(position[from.index()].expect("reached") < position[to.index()].expect("reached"));
            }
            let reached = cfg.reachable();
            for block in cfg.blocks().filter(|&b| b != cfg.exit()) {
                prop_assert_eq!(position[block.index()].is_some(), reached[block.index()]);
            }
            prop_assert_eq!(dag.topological().first(), Some(&cfg.entry()));
            prop_assert_eq!(dag.topological().last(), Some(&cfg.exit()));
        }
    }
}

/// Found by the property below: the edge from `b` closes no cycle once `a -> b` is broken, but
/// paths that start at `b` begin with a dummy from the entry, so going to the entry must break.
#[test]
fn going_to_the_entry_always_breaks() {
    let cfg = read("a -> b indirect\nb -> a\nb -> c");
    let dag = Acyclic::recorded(&cfg, Leftover::Break).expect("all loops break");
    assert_eq!(broken(&cfg, &dag), ["a -> b", "b -> a"]);
}
