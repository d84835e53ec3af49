//! Few values for the witnesses of a procedure.
use petgraph::algo::coloring::dsatur_coloring;
use petgraph::graph::UnGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{BlockId, EdgeId};

/// The witnesses that may come next when control takes an edge out of a predicate.
#[derive(Clone, Debug)]
pub(super) struct WitnessSet {
    pub predicate: BlockId,
    pub edge: EdgeId,
    pub witnesses: Vec<EdgeId>,
}

/// Colours the witnessed edges so that two differ wherever they tell ways out of one predicate apart; and how many
/// colours there are. Petgraph's DSATUR, a heuristic: fewest colours are hard to find.
pub(super) fn reuse(edges: usize, sets: &[WitnessSet]) -> (Vec<Option<u32>>, u32) {
    let mut graph = UnGraph::<EdgeId, ()>::new_undirected();
    let mut nodes = FxHashMap::default();
    for &witness in sets.iter().flat_map(|set| &set.witnesses) {
        nodes
            .entry(witness)
            .or_insert_with(|| graph.add_node(witness));
    }
    let mut joined = FxHashSet::default();
    for of_one in sets.chunk_by(|a, b| a.predicate == b.predicate) {
        for (position, one) in of_one.iter().enumerate() {
            let others = of_one[position + 1..].iter().flat_map(|set| &set.witnesses);
            for other in others {
                for witness in &one.witnesses {
                    let pair = (witness.min(other), witness.max(other));
                    if joined.insert(pair) {
                        graph.add_edge(nodes[witness], nodes[other], ());
                    }
                }
            }
        }
    }
    let (colours, count) = dsatur_coloring(&graph);
    let mut values = vec![None; edges];
    for (node, colour) in colours {
        values[graph[node].index()] = Some(colour as u32);
    }
    (values, count as u32)
}
