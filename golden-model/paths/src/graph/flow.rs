//! The flow of control through a procedure: blocks, edges, an entry and an exit, without any data on them.
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use rustc_hash::FxHashMap;

/// A basic block of a graph; `index()` counts from 0 in the order of declaration.
pub type BlockId = NodeIndex<u32>;

/// An edge of a graph; `index()` counts from 0 in the order of declaration.
pub type EdgeId = EdgeIndex<u32>;

/// The shape of a [`Cfg`](super::Cfg) and the names of its blocks: what every algorithm here works on. Checked, never
/// changed, and cheap to clone.
#[derive(Clone)]
pub struct Flow(Arc<Shape>);

struct Shape {
    ends: Vec<(BlockId, BlockId)>,
    successors: Vec<Vec<EdgeId>>,
    predecessors: Vec<Vec<EdgeId>>,
    entry: BlockId,
    exit: BlockId,
    names: Names,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Names {
    #[default]
    Positions,
    /// By name; the map leads back.
    Given(Vec<String>, FxHashMap<String, BlockId>),
}

impl Names {
    pub(crate) fn given(names: Vec<String>) -> Self {
        // Backwards, so that of two blocks with one name the first is found.
        let by_name = names.iter().cloned().enumerate().rev();
        let found = by_name.map(|(at, name)| (name, BlockId::new(at))).collect();
        Names::Given(names, found)
    }

    pub(crate) fn of(&self, block: BlockId) -> Cow<'_, str> {
        match self {
            Names::Positions => block.index().to_string().into(),
            Names::Given(names, _) => names[block.index()].as_str().into(),
        }
    }
}

impl Flow {
    pub(crate) fn new<N, E>(
        graph: &DiGraph<N, E, u32>,
        entry: BlockId,
        exit: BlockId,
        names: Names,
    ) -> Self {
        let mut successors = vec![Vec::new(); graph.node_count()];
        let mut predecessors = successors.clone();
        let mut ends = Vec::with_capacity(graph.edge_count());
        for edge in graph.raw_edges() {
            let id = EdgeId::new(ends.len());
            successors[edge.source().index()].push(id);
            predecessors[edge.target().index()].push(id);
            ends.push((edge.source(), edge.target()));
        }
        Flow(Arc::new(Shape {
            ends,
            successors,
            predecessors,
            entry,
            exit,
            names,
        }))
    }

    /// Where control comes in.
    pub fn entry(&self) -> BlockId {
        self.0.entry
    }

    /// Where control goes out.
    pub fn exit(&self) -> BlockId {
        self.0.exit
    }

    /// All blocks, in the order of declaration.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockId> + use<> {
        (0..self.0.successors.len()).map(BlockId::new)
    }

    /// All edges, in the order of declaration.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeId> + use<> {
        (0..self.0.ends.len()).map(EdgeId::new)
    }

    /// The edges out of a block, in the order of declaration.
    pub fn successors(&self, block: BlockId) -> &[EdgeId] {
        &self.0.successors[block.index()]
    }

    /// The edges into a block, in the order of declaration.
    pub fn predecessors(&self, block: BlockId) -> &[EdgeId] {
        &self.0.predecessors[block.index()]
    }

    /// Source and target of an edge.
    pub fn ends(&self, edge: EdgeId) -> (BlockId, BlockId) {
        self.0.ends[edge.index()]
    }

    /// The name of a block; its position in a graph without names.
    pub fn name(&self, block: BlockId) -> Cow<'_, str> {
        self.0.names.of(block)
    }

    /// The block of this name. O(1).
    pub fn find(&self, name: &str) -> Option<BlockId> {
        match &self.0.names {
            Names::Given(_, found) => found.get(name).copied(),
            Names::Positions => {
                let position: usize = name.parse().ok()?;
                let is_there = position < self.0.successors.len();
                let block = is_there.then(|| BlockId::new(position))?;
                // Neither `+1` nor `01` is what block 1 is called.
                (self.name(block) == name).then_some(block)
            }
        }
    }

    /// An edge as people write it: `a -> b`.
    pub fn edge_name(&self, edge: EdgeId) -> String {
        let (from, to) = self.ends(edge);
        format!("{} -> {}", self.name(from), self.name(to))
    }

    /// For each block, by index, whether control can reach it from the entry. O(V + E).
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.0.successors.len()];
        reached[self.entry().index()] = true;
        let mut open = vec![self.entry()];
        while let Some(block) = open.pop() {
            for &edge in self.successors(block) {
                let to = self.ends(edge).1;
                if !std::mem::replace(&mut reached[to.index()], true) {
                    open.push(to);
                }
            }
        }
        reached
    }
}

/// Shows the edges as text, so that a failed property can be read.
impl fmt::Debug for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [entry, exit] = [self.entry(), self.exit()].map(|block| self.name(block));
        write!(f, "Flow {entry} to {exit}: ")?;
        let edges = self.edges().map(|edge| self.edge_name(edge));
        f.debug_list().entries(edges).finish()
    }
}
