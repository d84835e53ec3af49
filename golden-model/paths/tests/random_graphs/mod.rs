//! Graphs: random ones, and those of a few edges.
use hpp_paths::graph::{BlockId, Cfg, CfgBuilder, Edge, EdgeClass};
use proptest::prelude::*;

fn edge() -> impl Strategy<Value = Edge> {
    let class = prop_oneof![
        6 => Just(EdgeClass::Forward),
        1 => Just(EdgeClass::Backward),
        1 => Just(EdgeClass::Indirect),
    ];
    (class, prop::option::of(any::<bool>())).prop_map(|(class, outcome)| Edge {
        class,
        outcome,
        weight: None,
    })
}

/// Random graphs: parallel edges, self loops, irreducible loops, loops to the entry, unreachable
/// blocks and exits. Each block prefers a target further on, so that paths grow long.
pub fn graph(blocks: std::ops::Range<usize>) -> impl Strategy<Value = Cfg> {
    blocks
        .prop_flat_map(|count| {
            let target = prop_oneof![2 => 0..count, 5 => 1..4usize];
            let out = prop::collection::vec((any::<bool>(), target, edge()), 1..4);
            prop::collection::vec(out, count - 1)
        })
        .prop_map(|out| {
            let mut builder = CfgBuilder::default();
            let last = out.len();
            let blocks: Vec<BlockId> = (0..=last).map(|i| builder.block(&i.to_string())).collect();
            for (from, edges) in out.into_iter().enumerate() {
                for (near, target, edge) in edges {
                    let to = if near { from + 1 + target % 3 } else { target };
                    builder.edge(blocks[from], blocks[to.min(last)], edge);
                }
            }
            builder.exit(blocks[last]);
            builder.build().expect("every block goes on")
        })
}

/// The graph of these edges: `a b, b c` are two.
pub fn graph_of(edges: &str) -> Cfg {
    let edges = edges.split(", ").filter_map(|edge| edge.split_once(' '));
    Cfg::from_edges(edges).expect("a graph")
}
