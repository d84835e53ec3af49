//! An acyclic form while it is built.
use std::hash::Hash;

use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

use super::flow::{BlockId, EdgeId, Flow};
use super::form::{Crossing, DagEdge, DagEdgeId, Form, Sharing};

pub(super) struct Assembly<'a> {
    flow: &'a Flow,
    sharing: Sharing,
    graph: DiGraph<(), DagEdge, u32>,
    crossings: Vec<Option<Crossing>>,
    reached: Vec<bool>,
}

impl<'a> Assembly<'a> {
    /// The form that breaks these edges; without them the graph has no cycle.
    pub(super) fn build(flow: &'a Flow, sharing: Sharing, mut broken: Vec<EdgeId>) -> Form {
        broken.sort();
        broken.dedup();
        let mut form = Self::new(flow, sharing);
        form.add_real(&broken);
        form.add_dummies(&broken);
        form.finish(broken)
    }

    fn new(flow: &'a Flow, sharing: Sharing) -> Self {
        let mut graph = DiGraph::with_capacity(flow.blocks().len(), flow.edges().len());
        for _ in flow.blocks() {
            graph.add_node(());
        }
        Assembly {
            flow,
            sharing,
            graph,
            crossings: vec![None; flow.edges().len()],
            reached: flow.reachable(),
        }
    }

    fn add_real(&mut self, broken: &[EdgeId]) {
        let mut is_broken = vec![false; self.flow.edges().len()];
        for edge in broken {
            is_broken[edge.index()] = true;
        }
        for edge in self.flow.edges() {
            let (from, to) = self.flow.ends(edge);
            if self.reached[from.index()] && !is_broken[edge.index()] {
                let dag = self.graph.add_edge(from, to, DagEdge::Real(edge));
                self.crossings[edge.index()] = Some(Crossing::Inside(DagEdgeId::new(dag)));
            }
        }
    }

    fn add_dummies(&mut self, broken: &[EdgeId]) {
        let flow = self.flow;
        let stops = grouped(broken.iter().copied(), |edge| {
            (flow.ends(edge).0, self.sharing.stop_key(edge))
        });
        let begun_apart = broken.iter().copied();
        let begun_apart = begun_apart.filter(|&edge| flow.ends(edge).1 != flow.entry());
        let starts = grouped(begun_apart, |edge| {
            (flow.ends(edge).1, self.sharing.start_key(edge))
        });
        let mut stop_of: FxHashMap<EdgeId, DagEdgeId> = FxHashMap::default();
        for ((from, (_, outcome)), breaks) in stops {
            let kind = DagEdge::Stop {
                outcome,
                breaks: breaks.clone(),
            };
            let dag = DagEdgeId::new(self.graph.add_edge(from, flow.exit(), kind));
            stop_of.extend(breaks.into_iter().map(|edge| (edge, dag)));
        }
        let mut start_of: FxHashMap<EdgeId, DagEdgeId> = FxHashMap::default();
        for ((to, _), breaks) in starts {
            let kind = DagEdge::Start {
                breaks: breaks.clone(),
            };
            let dag = DagEdgeId::new(self.graph.add_edge(flow.entry(), to, kind));
            start_of.extend(breaks.into_iter().map(|edge| (edge, dag)));
        }
        for edge in broken {
            self.crossings[edge.index()] = Some(Crossing::Break {
                stop: stop_of[edge],
                start: start_of.get(edge).copied(),
            });
        }
    }

    fn finish(self, broken: Vec<EdgeId>) -> Form {
        let mut out = vec![Vec::new(); self.flow.blocks().len()];
        let mut incoming = out.clone();
        for (edge, ends) in self.graph.edge_indices().zip(self.graph.raw_edges()) {
            out[ends.source().index()].push(DagEdgeId::new(edge));
            incoming[ends.target().index()].push(DagEdgeId::new(edge));
        }
        let mut topological: Vec<BlockId> =
            toposort(&self.graph, None).expect("every cycle has a broken edge");
        // Where the program never gets to the exit, stops still do.
        topological.retain(|b| self.reached[b.index()] || *b == self.flow.exit());
        Form {
            flow: self.flow.clone(),
            sharing: self.sharing,
            graph: self.graph,
            out,
            incoming,
            topological,
            crossings: self.crossings,
            broken,
        }
    }
}

/// The edges by a key, in the order of each group's first edge, so that numbering does not hang on a hash.
fn grouped<K: Eq + Hash + Copy>(
    edges: impl Iterator<Item = EdgeId>,
    key: impl Fn(EdgeId) -> K,
) -> Vec<(K, Vec<EdgeId>)> {
    let mut position: FxHashMap<K, usize> = FxHashMap::default();
    let mut groups: Vec<(K, Vec<EdgeId>)> = Vec::new();
    for edge in edges {
        let key = key(edge);
        let at = *position.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(edge);
    }
    groups
}
