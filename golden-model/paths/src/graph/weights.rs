//! How often edges run, measured or guessed: what decides where probes are cheap.
use super::acyclic::Acyclic;
use super::cfg::Cfg;
use super::depth_first::back_edges;
use super::edge::Edge;
use super::flow::{BlockId, EdgeId, Flow};
use super::form::{DagEdge, DagEdgeId};

/// The greatest frequency the heuristic gives a block: what a hundred loops in one another multiply to. Beyond it they are no longer told apart, but sums
/// stay finite.
pub const MOST: f64 = 1e100;

/// How often the heuristic expects a loop to go round.
pub const LOOP_MULTIPLIER: f64 = 10.0;

/// A frequency, not negative, for every edge of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    edges: Vec<f64>,
}

impl Weights {
    /// The same frequency everywhere.
    pub fn uniform(flow: &Flow) -> Self {
        Weights {
            edges: vec![1.0; flow.edges().len()],
        }
    }

    /// Frequencies that the caller gives. O(E).
    pub fn from_fn(flow: &Flow, weight: impl FnMut(EdgeId) -> f64) -> Self {
        Weights {
            edges: flow.edges().map(weight).collect(),
        }
    }

    /// The frequencies measured and written on the edges ([`Edge::weight`]); `None`
    /// unless every edge control can reach has one.
    pub fn measured<N>(cfg: &Cfg<N, Edge>) -> Option<Self> {
        let reached = cfg.reachable();
        let weight = |e: EdgeId| match cfg.edge(e).weight {
            None if !reached[cfg.ends(e).0.index()] => Some(0.0),
            weight => weight.map(|w| w as f64),
        };
        let edges: Option<_> = cfg.edges().map(weight).collect();
        edges.map(|edges| Weights { edges })
    }

    /// The frequencies of these executions, counted edge by edge.
    pub fn counted<'a>(flow: &Flow, edges: impl IntoIterator<Item = &'a EdgeId>) -> Self {
        let mut counts = vec![0u64; flow.edges().len()];
        for edge in edges {
            counts[edge.index()] += 1;
        }
        Weights {
            edges: counts.into_iter().map(|c| c as f64).collect(),
        }
    }

    /// Frequencies guessed from the shape of the graph: a call comes once, and a loop goes round [`LOOP_MULTIPLIER`] times. It is left as
    /// often as it is entered, over each of its exits alike. Every way out of a branch that does not leave a loop is equally likely. From
    /// Ball and Larus, "Optimally Profiling and Tracing Programs", section 5.
    ///
    /// Where a loop has several entries or hides its exits deep in conditions, a block's exits can
    /// ask for more than the block gets; its other edges then have weight 0.
    ///
    /// O(V + E) and the sizes of all natural loops. No weight is above [`MOST`].
    ///
    /// The shape of the document's figure 1, a loop that is left at its header and in its middle:
    ///
    /// ```
    /// use hpp_paths::graph::{Cfg, Weights};
    /// let cfg = Cfg::from_edges([
    ///     ("P", "Q"), ("P", "EXIT"), ("Q", "A"), ("Q", "B"), ("A", "R"), ("B", "R"), ("R", "C"), ("R", "EXIT"), ("C", "P"),
    /// ])?;
    /// let weights = Weights::heuristic(&cfg);
    /// let weights: Vec<f64> = cfg.edges().map(|edge| weights.edge(edge)).collect();
    /// assert_eq!(weights, [9.5, 0.5, 4.75, 4.75, 4.75, 4.75, 9.0, 0.5, 9.0]);
    /// # Ok::<(), hpp_paths::graph::CfgError>(())
    /// ```
    pub fn heuristic(flow: &Flow) -> Self {
        Heuristic::new(flow).run()
    }

    /// The frequency of an edge.
    pub fn edge(&self, edge: EdgeId) -> f64 {
        self.edges[edge.index()]
    }

    /// The frequency of a block of the graph they belong to: what comes in or what goes out, whichever is more, since
    /// calls come in at the entry without an edge and go out at the exit. O(edges of the block).
    pub fn block(&self, flow: &Flow, block: BlockId) -> f64 {
        let sum = |edges: &[EdgeId]| edges.iter().map(|&e| self.edge(e)).sum::<f64>();
        sum(flow.predecessors(block)).max(sum(flow.successors(block)))
    }

    /// The frequency of an edge of the acyclic form: a dummy runs as often as the broken edges it
    /// stands for.
    pub fn dag_edge(&self, dag: &Acyclic, edge: DagEdgeId) -> f64 {
        match dag.kind(edge) {
            DagEdge::Real(edge) => self.edge(*edge),
            DagEdge::Stop { breaks, .. } | DagEdge::Start { breaks } => {
                breaks.iter().map(|&e| self.edge(e)).sum()
            }
        }
    }
}

struct Heuristic<'a> {
    flow: &'a Flow,
    reached: Vec<bool>,
    /// For each edge, whether it closes a loop.
    back: Vec<bool>,
    /// For each edge its weight, once it has one.
    weights: Vec<Option<f64>>,
    /// For each block, the header of the loop in whose search it was last seen.
    seen: Vec<Option<BlockId>>,
}

impl<'a> Heuristic<'a> {
    fn new(flow: &'a Flow) -> Self {
        let reached = flow.reachable();
        let mut back = vec![false; flow.edges().len()];
        for edge in back_edges(flow, &reached, |_| true) {
            back[edge.index()] = true;
        }
        Heuristic {
            flow,
            reached,
            back,
            weights: vec![None; flow.edges().len()],
            seen: vec![None; flow.blocks().len()],
        }
    }

    fn run(mut self) -> Weights {
        for &block in Acyclic::depth_first(self.flow).topological() {
            if self.reached[block.index()] {
                self.visit(block);
            }
        }
        Weights {
            edges: self.weights.into_iter().map(|w| w.unwrap_or(0.0)).collect(),
        }
    }

    /// The three rules at one block, all of whose predecessors but those in its loop are done.
    fn visit(&mut self, block: BlockId) {
        let into = self.incoming(block);
        // Rule 1.
        let calls = if block == self.flow.entry() { 1.0 } else { 0.0 };
        let forward = into.iter().filter(|e| !self.back[e.index()]);
        let mut weight: f64 = calls + forward.filter_map(|e| self.weights[e.index()]).sum::<f64>();
        weight = weight.min(MOST);
        // Rule 2.
        let latches: Vec<EdgeId> = into.into_iter().filter(|e| self.back[e.index()]).collect();
        if !latches.is_empty() {
            let exits = self.loop_exits(block, &latches);
            for exit in &exits {
                self.weights[exit.index()].get_or_insert(weight / exits.len() as f64);
            }
            weight = (weight * LOOP_MULTIPLIER).min(MOST);
        }
        // Rule 3.
        let out = self.flow.successors(block);
        let leaving: f64 = out.iter().filter_map(|e| self.weights[e.index()]).sum();
        let staying = out.iter().filter(|e| self.weights[e.index()].is_none());
        let share = (weight - leaving).max(0.0) / staying.count() as f64;
        for edge in out {
            self.weights[edge.index()].get_or_insert(share);
        }
    }

    /// The edges into a block from blocks control can reach.
    fn incoming(&self, block: BlockId) -> Vec<EdgeId> {
        let into = self.flow.predecessors(block).iter().copied();
        into.filter(|&e| self.reached[self.flow.ends(e).0.index()])
            .collect()
    }

    /// The edges that leave the natural loops of the back edges to a header: the blocks from which
    /// a back edge can be reached without passing the header.
    fn loop_exits(&mut self, header: BlockId, latches: &[EdgeId]) -> Vec<EdgeId> {
        self.seen[header.index()] = Some(header);
        let mut members = vec![header];
        let mut open: Vec<BlockId> = latches.iter().map(|&e| self.flow.ends(e).0).collect();
        while let Some(block) = open.pop() {
            if self.seen[block.index()].replace(header) == Some(header) {
                continue;
            }
            members.push(block);
            open.extend(self.incoming(block).iter().map(|&e| self.flow.ends(e).0));
        }
        let out = members.iter().flat_map(|&b| self.flow.successors(b));
        out.copied()
            .filter(|&e| self.seen[self.flow.ends(e).1.index()] != Some(header))
            .collect()
    }
}
