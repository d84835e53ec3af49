//! The acyclic form of a control-flow graph: loops cut, so that paths can be numbered.
//!
//! Some edges are *broken*: when control takes one, a path ends and another begins. In the acyclic
//! form each broken edge `v -> w` is replaced by two dummy edges, a *stop* `v -> EXIT` and a
//! *start* `ENTRY -> w` (Ball and Larus, "Efficient Path Profiling", 1996; summarised in Vaswani's
//! thesis, section 3.2.2, and in Apiwattanapong and Harrold, "Selective Path Profiling", section
//! 2). Every path from entry to exit of the result is one acyclic path of the program.
//!
//! # Dummies
//!
//! As in the literature, each broken edge has dummies of its own, so that the counts of paths determine the count of
//! every edge. A broken edge to the entry needs no start: its path begins like a call.
//!
//! A profiler that only records branches knows less, see [`Acyclic::recorded`]: a path does not tell by which broken
//! edge it was entered, nor where an indirect jump went that ended it. There dummies are shared, and two paths are the
//! same exactly when the records are:
//!
//! - one start per target;
//! - one stop per source and recorded outcome: an indirect jump ends in one stop whatever its target,
//!   while a backward branch taken and not taken (where both break) end in two.
//!
//! # What breaks
//!
//! An edge into the exit never breaks: the path
//! ends there anyway. An edge into the entry always must, because starts make every path begin
//! there; a graph whose control may come back to its first block within a path wants an entry of
//! its own before that block. Blocks that control cannot reach are left out.
use std::fmt;
use std::sync::Arc;

use petgraph::graph::{DiGraph, EdgeIndex};
use thiserror::Error;

use super::assembly::Assembly;
use super::cfg::Cfg;
use super::depth_first::back_edges;
use super::edge::Edge;
use super::flow::{BlockId, EdgeId, Flow};
use super::form::{Crossing, DagEdge, DagEdgeId, Form, Sharing};

/// What to do with a cycle that has no broken edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Refuse the graph.
    Refuse,
    /// Break the depth-first back edges of what is left.
    Break,
}

/// Why a graph has no acyclic form.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AcyclicError {
    #[error(
        "the edge `{edge}` closes a cycle in which no path ends; \
         class an edge of the cycle as backward or indirect, or break at the back edges of a depth-first search"
    )]
    Cycle { edge: String },
    #[error(
        "the edge `{edge}` leads to the entry and ends no path; \
         class it as backward or indirect, or add a block before the entry"
    )]
    Entry { edge: String },
}

/// The acyclic form of a [`Cfg`], over the same blocks. Cheap to clone.
#[derive(Clone)]
pub struct Acyclic(Arc<Form>);

impl Acyclic {
    fn of(form: Form) -> Self {
        Acyclic(Arc::new(form))
    }

    /// The acyclic form with depth-first back edges broken, which every graph has. O(V + E).
    ///
    /// ```
    /// use hpp_paths::graph::{Acyclic, Cfg};
    /// let cfg = Cfg::from_edges([("a", "b"), ("b", "b"), ("b", "c")])?;
    /// let dag = Acyclic::depth_first(&cfg);
    /// assert_eq!(cfg.edge_name(dag.broken()[0]), "b -> b");
    /// // a -> b, b -> c, and the dummies b -> c and a -> b
    /// assert_eq!(dag.edge_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn depth_first(flow: &Flow) -> Self {
        let broken = back_edges(flow, &flow.reachable(), |_| true);
        Self::of(Assembly::build(flow, Sharing::Own, broken))
    }

    /// The acyclic form with these edges broken, each by dummies of its own. O(V + E).
    ///
    /// # Errors
    ///
    /// If a cycle, or an edge to the entry, is left and may not be broken.
    pub fn with_breaks(
        flow: &Flow,
        breaks: impl Fn(EdgeId) -> bool,
        leftover: Leftover,
    ) -> Result<Self, AcyclicError> {
        Self::breaking(flow, Sharing::Own, breaks, leftover)
    }

    /// The acyclic form as a profiler sees it that records branches and their outcomes and nothing else: paths break at
    /// backward and indirect branches, and dummies are shared by what is recorded. O(V + E).
    ///
    /// # Errors
    ///
    /// If a cycle, or an edge to the entry, is left and may not be broken.
    pub fn recorded<N>(cfg: &Cfg<N, Edge>, leftover: Leftover) -> Result<Self, AcyclicError> {
        let breaks = |edge: EdgeId| cfg.edge(edge).class.breaks();
        let outcome = |edge: EdgeId| cfg.edge(edge).outcome;
        Self::shared(cfg, breaks, outcome, leftover)
    }

    /// The acyclic form with these edges broken, and dummies shared by these outcomes: for graphs with other data than
    /// [`recorded`](Self::recorded) wants. O(V + E).
    ///
    /// # Errors
    ///
    /// If a cycle, or an edge to the entry, is left and may not be broken.
    pub fn shared(
        flow: &Flow,
        breaks: impl Fn(EdgeId) -> bool,
        outcome: impl Fn(EdgeId) -> Option<bool>,
        leftover: Leftover,
    ) -> Result<Self, AcyclicError> {
        let sharing = Sharing::ByOutcome(flow.edges().map(outcome).collect());
        Self::breaking(flow, sharing, breaks, leftover)
    }

    fn breaking(
        flow: &Flow,
        sharing: Sharing,
        breaks: impl Fn(EdgeId) -> bool,
        leftover: Leftover,
    ) -> Result<Self, AcyclicError> {
        let reached = flow.reachable();
        let breaks = |e: EdgeId| flow.ends(e).1 != flow.exit() && breaks(e);
        let left = back_edges(flow, &reached, |e| !breaks(e));
        if let (Leftover::Refuse, Some(&edge)) = (leftover, left.first()) {
            let to_entry = flow.ends(edge).1 == flow.entry();
            let edge = flow.edge_name(edge);
            return Err(match to_entry {
                true => AcyclicError::Entry { edge },
                false => AcyclicError::Cycle { edge },
            });
        }
        let chosen = flow
            .edges()
            .filter(|&e| reached[flow.ends(e).0.index()] && breaks(e));
        let broken = chosen.chain(left).collect();
        Ok(Self::of(Assembly::build(flow, sharing, broken)))
    }

    /// The acyclic form that breaks what this one breaks and more. Edges that never break, those into the exit and those that
    /// control cannot reach, are passed over. O(V + E).
    pub(crate) fn also_breaking(&self, more: &[EdgeId]) -> Self {
        let breaks =
            |e: &&EdgeId| self.crossing(**e).is_some() && self.flow().ends(**e).1 != self.exit();
        let more = more.iter().filter(breaks);
        let broken = self.broken().iter().chain(more).copied().collect();
        let sharing = self.0.sharing.clone();
        Self::of(Assembly::build(self.flow(), sharing, broken))
    }

    /// The shape of the graph it is the acyclic form of.
    pub fn flow(&self) -> &Flow {
        &self.0.flow
    }

    /// The underlying graph.
    pub fn graph(&self) -> &DiGraph<(), DagEdge, u32> {
        &self.0.graph
    }

    pub(crate) fn sharing(&self) -> &Sharing {
        &self.0.sharing
    }

    /// Where every path begins.
    pub fn entry(&self) -> BlockId {
        self.0.flow.entry()
    }

    /// Where every path ends.
    pub fn exit(&self) -> BlockId {
        self.0.flow.exit()
    }

    /// The number of blocks of the graph, reachable or not.
    pub fn block_count(&self) -> usize {
        self.0.out.len()
    }

    /// The number of edges, dummies included.
    pub fn edge_count(&self) -> usize {
        self.0.graph.edge_count()
    }

    /// All edges, by index.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = DagEdgeId> + use<> {
        self.0.graph.edge_indices().map(DagEdgeId::new)
    }

    /// The reachable blocks, each before its successors: the entry first, the exit last.
    pub fn topological(&self) -> &[BlockId] {
        &self.0.topological
    }

    /// The edges out of a block, in the order they are numbered: real edges in the order of their
    /// declaration, then stops, then starts.
    pub fn out(&self, block: BlockId) -> &[DagEdgeId] {
        &self.0.out[block.index()]
    }

    /// The edges into a block.
    pub fn incoming(&self, block: BlockId) -> &[DagEdgeId] {
        &self.0.incoming[block.index()]
    }

    /// Source and target of an edge.
    pub fn ends(&self, edge: DagEdgeId) -> (BlockId, BlockId) {
        let edge = &self.0.graph.raw_edges()[edge.index()];
        (edge.source(), edge.target())
    }

    /// What an edge stands for.
    pub fn kind(&self, edge: DagEdgeId) -> &DagEdge {
        &self.0.graph[EdgeIndex::new(edge.index())]
    }

    /// What taking an edge of the graph does to a path; `None` if control cannot reach the edge.
    pub fn crossing(&self, edge: EdgeId) -> Option<Crossing> {
        self.0.crossings[edge.index()]
    }

    /// The broken edges of the graph, in order.
    pub fn broken(&self) -> &[EdgeId] {
        &self.0.broken
    }

    /// An edge as people write it: `a -> b`, with `(stop)` or `(start)` after a dummy, and the broken edge too where
    /// several such dummies lead from `a` to `b`.
    pub fn edge_name(&self, edge: DagEdgeId) -> String {
        let (from, to) = self.ends(edge);
        let flow = self.flow();
        let mark = match self.kind(edge) {
            DagEdge::Real(_) => String::new(),
            DagEdge::Stop { outcome, breaks } => match outcome {
                Some(true) => " (stop, taken)".into(),
                Some(false) => " (stop, not taken)".into(),
                None => match self.is_only(edge, self.out(from)) {
                    true => " (stop)".into(),
                    false => format!(" (stop, to {})", flow.name(flow.ends(breaks[0]).1)),
                },
            },
            DagEdge::Start { breaks } => match self.is_only(edge, self.incoming(to)) {
                true => " (start)".into(),
                false => format!(" (start, from {})", flow.name(flow.ends(breaks[0]).0)),
            },
        };
        format!("{} -> {}{mark}", flow.name(from), flow.name(to))
    }

    /// Whether a stop is the only stop between its two blocks, or a start the only start. `near` are the edges at the block that tells stops or
    /// starts apart.
    fn is_only(&self, edge: DagEdgeId, near: &[DagEdgeId]) -> bool {
        let sort = std::mem::discriminant(self.kind(edge));
        let alike = |e: &&DagEdgeId| {
            self.ends(**e) == self.ends(edge) && std::mem::discriminant(self.kind(**e)) == sort
        };
        near.iter().filter(alike).count() == 1
    }
}

/// Shows the edges as text.
impl fmt::Debug for Acyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Acyclic ")?;
        let edges = self.edges().map(|edge| self.edge_name(edge));
        f.debug_list().entries(edges).finish()
    }
}
