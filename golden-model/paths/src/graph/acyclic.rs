//! The acyclic form of a control-flow graph: loops cut, so that paths can be numbered.
//!
//! Some edges are *broken*: when control takes one, a path ends and another begins. In the acyclic
//! form each broken edge `v -> w` is replaced by two dummy edges, a *stop* `v -> EXIT` and a
//! *start* `ENTRY -> w` (Ball and Larus, "Efficient Path Profiling", 1996; summarised in Vaswani's
//! thesis, section 3.2.2, and in Apiwattanapong and Harrold, "Selective Path Profiling", section
//! 2). Every path from entry to exit of the result is one acyclic path of the program.
//!
//! Dummies are shared, because a path does not know by which broken edge it was entered:
//!
//! - one start per target. A broken edge to the entry needs none: its path begins like a call.
//! - one stop per source and recorded outcome, so that two paths are the same exactly when the
//!   hardware descriptors are the same: an indirect jump ends in one stop whatever its target,
//!   while a backward branch taken and not taken (where both break) end in two.
//!
//! Two notions say which edges break, see [`Breaks`]. An edge into the exit never breaks: the path
//! ends there anyway. An edge into the entry always must, because starts make every path begin
//! there; a graph whose control may come back to its first block within a path wants an entry of
//! its own before that block. Blocks that control cannot reach are left out.
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, EdgeIndex};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::cfg::{BlockId, Cfg, EdgeId};
use super::depth_first::back_edges;

/// Which edges end a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// The back edges of a depth-first search, as software path profilers do.
    DepthFirst,
    /// What the hardware breaks at: backward and indirect branches, by the class of the edge.
    Hardware,
}

/// What to do with a cycle that has no broken edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Refuse the graph.
    Refuse,
    /// Break the depth-first back edges of what is left.
    Break,
}

/// Why a graph has no acyclic form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AcyclicError {
    /// A cycle without a broken edge.
    #[error(
        "the edge `{edge}` closes a cycle in which no path ends; \
         class an edge of the cycle as backward or indirect, or break what is left"
    )]
    Cycle {
        /// The edge, as text.
        edge: String,
    },
}

/// An edge of an acyclic form; `index()` counts from 0: real edges, then stops, then starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DagEdgeId(u32);

impl DagEdgeId {
    /// The position, below [`Acyclic::edge_count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn new(edge: EdgeIndex<u32>) -> Self {
        DagEdgeId(edge.index() as u32)
    }
}

/// What an edge of the acyclic form stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DagEdge {
    /// An edge of the graph.
    Real(EdgeId),
    /// The end of paths at a block that broken edges leave.
    Stop {
        /// The outcome the hardware records with those edges.
        outcome: Option<bool>,
        /// The broken edges.
        breaks: Vec<EdgeId>,
    },
    /// The beginning of paths at a block that broken edges lead to.
    Start {
        /// The broken edges.
        breaks: Vec<EdgeId>,
    },
}

/// What happens to the path under way when control takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// It goes on along an edge of the acyclic form.
    Inside(DagEdgeId),
    /// It ends, and another begins.
    Break {
        /// The last edge of the path that ends.
        stop: DagEdgeId,
        /// The first edge of the path that begins; `None` when that begins at the entry.
        start: Option<DagEdgeId>,
    },
}

/// The acyclic form of a [`Cfg`], over the same blocks.
#[derive(Clone, Debug)]
pub struct Acyclic {
    graph: DiGraph<(), DagEdge, u32>,
    out: Vec<Vec<DagEdgeId>>,
    incoming: Vec<Vec<DagEdgeId>>,
    topological: Vec<BlockId>,
    crossings: Vec<Option<Crossing>>,
    broken: Vec<EdgeId>,
    leftover: Vec<EdgeId>,
    entry: BlockId,
    exit: BlockId,
}

impl Acyclic {
    /// The acyclic form under one of the two usual notions. O(V + E).
    ///
    /// ```
    /// use hpp_paths::graph::{Acyclic, Breaks, Cfg, Leftover};
    /// let cfg = Cfg::from_edges([("a", "b"), ("b", "b"), ("b", "c")])?;
    /// let dag = Acyclic::new(&cfg, Breaks::DepthFirst, Leftover::Refuse)?;
    /// assert_eq!(cfg.edge_name(dag.broken()[0]), "b -> b");
    /// // a -> b, b -> c, and the dummies b -> c and a -> b
    /// assert_eq!(dag.edge_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(cfg: &Cfg, breaks: Breaks, leftover: Leftover) -> Result<Self, AcyclicError> {
        match breaks {
            Breaks::DepthFirst => Ok(Self::depth_first(cfg)),
            Breaks::Hardware => Self::with_breaks(cfg, |e| cfg.edge(e).class.breaks(), leftover),
        }
    }

    /// The acyclic form with depth-first back edges broken, which every graph has.
    pub fn depth_first(cfg: &Cfg) -> Self {
        let broken = back_edges(cfg, &cfg.reachable(), |_| true);
        Self::build(cfg, broken, Vec::new())
    }

    /// The acyclic form with these edges broken. O(V + E).
    pub fn with_breaks(
        cfg: &Cfg,
        breaks: impl Fn(EdgeId) -> bool,
        leftover: Leftover,
    ) -> Result<Self, AcyclicError> {
        let reached = cfg.reachable();
        let breaks = |e: EdgeId| cfg.ends(e).1 != cfg.exit() && breaks(e);
        let left = back_edges(cfg, &reached, |e| !breaks(e));
        if let (Leftover::Refuse, Some(&edge)) = (leftover, left.first()) {
            let edge = cfg.edge_name(edge);
            return Err(AcyclicError::Cycle { edge });
        }
        let chosen = cfg
            .edges()
            .filter(|&e| reached[cfg.ends(e).0.index()] && breaks(e));
        let broken = chosen.chain(left.iter().copied()).collect();
        Ok(Self::build(cfg, broken, left))
    }

    /// The acyclic form that breaks what this one breaks and more. O(V + E).
    pub fn also_breaking(&self, cfg: &Cfg, more: &[EdgeId]) -> Self {
        let broken = self.broken.iter().chain(more).copied().collect();
        Self::build(cfg, broken, self.leftover.clone())
    }

    fn build(cfg: &Cfg, mut broken: Vec<EdgeId>, leftover: Vec<EdgeId>) -> Self {
        broken.sort();
        broken.dedup();
        let mut form = Assembly::new(cfg);
        form.add_real(cfg, &broken);
        form.add_dummies(cfg, &broken);
        form.finish(cfg, broken, leftover)
    }

    /// The underlying graph.
    pub(crate) fn graph(&self) -> &DiGraph<(), DagEdge, u32> {
        &self.graph
    }

    /// Where every path begins.
    pub fn entry(&self) -> BlockId {
        self.entry
    }

    /// Where every path ends.
    pub fn exit(&self) -> BlockId {
        self.exit
    }

    /// The number of blocks of the graph, reachable or not.
    pub fn block_count(&self) -> usize {
        self.out.len()
    }

    /// The number of edges, dummies included.
    pub fn edge_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// All edges, by index.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = DagEdgeId> + use<> {
        (0..self.graph.edge_count() as u32).map(DagEdgeId)
    }

    /// The reachable blocks, each before its successors: the entry first, the exit last.
    pub fn topological(&self) -> &[BlockId] {
        &self.topological
    }

    /// The edges out of a block, in the order they are numbered: real edges in the order of their
    /// declaration, then stops, then starts.
    pub fn out(&self, block: BlockId) -> &[DagEdgeId] {
        &self.out[block.index()]
    }

    /// The edges into a block.
    pub fn incoming(&self, block: BlockId) -> &[DagEdgeId] {
        &self.incoming[block.index()]
    }

    /// Source and target of an edge.
    pub fn ends(&self, edge: DagEdgeId) -> (BlockId, BlockId) {
        self.graph
            .edge_endpoints(EdgeIndex::new(edge.index()))
            .expect("edges are never removed")
    }

    /// What an edge stands for.
    pub fn kind(&self, edge: DagEdgeId) -> &DagEdge {
        &self.graph[EdgeIndex::new(edge.index())]
    }

    /// What taking an edge of the graph does to a path; `None` if control cannot reach the edge.
    pub fn crossing(&self, edge: EdgeId) -> Option<Crossing> {
        self.crossings[edge.index()]
    }

    /// The broken edges of the graph, in order.
    pub fn broken(&self) -> &[EdgeId] {
        &self.broken
    }

    /// Those broken only because [`Leftover::Break`] asked for it.
    pub fn leftover(&self) -> &[EdgeId] {
        &self.leftover
    }

    /// An edge as people write it: `a -> b`, with `(stop)` or `(start)` behind a dummy.
    pub fn edge_name(&self, cfg: &Cfg, edge: DagEdgeId) -> String {
        let (from, to) = self.ends(edge);
        let mark = match self.kind(edge) {
            DagEdge::Real(_) => "",
            DagEdge::Stop { outcome: None, .. } => " (stop)",
            DagEdge::Stop {
                outcome: Some(true),
                ..
            } => " (stop, taken)",
            DagEdge::Stop {
                outcome: Some(false),
                ..
            } => " (stop, not taken)",
            DagEdge::Start { .. } => " (start)",
        };
        format!("{} -> {}{mark}", cfg.name(from), cfg.name(to))
    }
}

/// An acyclic form being put together.
struct Assembly {
    graph: DiGraph<(), DagEdge, u32>,
    crossings: Vec<Option<Crossing>>,
    reached: Vec<bool>,
}

impl Assembly {
    fn new(cfg: &Cfg) -> Self {
        let mut graph = DiGraph::with_capacity(cfg.blocks().len(), cfg.edges().len());
        for _ in cfg.blocks() {
            graph.add_node(());
        }
        Assembly {
            graph,
            crossings: vec![None; cfg.edges().len()],
            reached: cfg.reachable(),
        }
    }

    fn add_real(&mut self, cfg: &Cfg, broken: &[EdgeId]) {
        let mut is_broken = vec![false; cfg.edges().len()];
        for edge in broken {
            is_broken[edge.index()] = true;
        }
        for edge in cfg.edges() {
            let (from, to) = cfg.ends(edge);
            if self.reached[from.index()] && !is_broken[edge.index()] {
                let dag = self.graph.add_edge(from, to, DagEdge::Real(edge));
                self.crossings[edge.index()] = Some(Crossing::Inside(DagEdgeId::new(dag)));
            }
        }
    }

    fn add_dummies(&mut self, cfg: &Cfg, broken: &[EdgeId]) {
        let mut stops: FxHashMap<(BlockId, Option<bool>), Vec<EdgeId>> = FxHashMap::default();
        let mut starts: FxHashMap<BlockId, Vec<EdgeId>> = FxHashMap::default();
        for &edge in broken {
            let (from, to) = cfg.ends(edge);
            let outcome = cfg.edge(edge).outcome;
            stops.entry((from, outcome)).or_default().push(edge);
            if to != cfg.entry() {
                starts.entry(to).or_default().push(edge);
            }
        }
        let mut stop_of: FxHashMap<EdgeId, DagEdgeId> = FxHashMap::default();
        let mut start_of = stop_of.clone();
        for ((from, outcome), breaks) in in_order(stops) {
            let kind = DagEdge::Stop {
                outcome,
                breaks: breaks.clone(),
            };
            let dag = DagEdgeId::new(self.graph.add_edge(from, cfg.exit(), kind));
            stop_of.extend(breaks.into_iter().map(|edge| (edge, dag)));
        }
        for (to, breaks) in in_order(starts) {
            let kind = DagEdge::Start {
                breaks: breaks.clone(),
            };
            let dag = DagEdgeId::new(self.graph.add_edge(cfg.entry(), to, kind));
            start_of.extend(breaks.into_iter().map(|edge| (edge, dag)));
        }
        for edge in broken {
            self.crossings[edge.index()] = Some(Crossing::Break {
                stop: stop_of[edge],
                start: start_of.get(edge).copied(),
            });
        }
    }

    fn finish(self, cfg: &Cfg, broken: Vec<EdgeId>, leftover: Vec<EdgeId>) -> Acyclic {
        let mut out = vec![Vec::new(); cfg.blocks().len()];
        let mut incoming = out.clone();
        for edge in self.graph.edge_indices() {
            let (from, to) = self
                .graph
                .edge_endpoints(edge)
                .expect("edges are never removed");
            out[from.index()].push(DagEdgeId::new(edge));
            incoming[to.index()].push(DagEdgeId::new(edge));
        }
        let mut topological = toposort(&self.graph, None).expect("every cycle has a broken edge");
        // Where the program never gets to the exit, stops still do.
        topological.retain(|b| self.reached[b.index()] || *b == cfg.exit());
        Acyclic {
            graph: self.graph,
            out,
            incoming,
            topological,
            crossings: self.crossings,
            broken,
            leftover,
            entry: cfg.entry(),
            exit: cfg.exit(),
        }
    }
}

/// The groups of dummies by their first broken edge, so that numbering does not hang on a hash.
fn in_order<K>(groups: FxHashMap<K, Vec<EdgeId>>) -> Vec<(K, Vec<EdgeId>)> {
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, edges)| edges[0]);
    groups
}
