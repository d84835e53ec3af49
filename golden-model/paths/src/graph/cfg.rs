//! The control-flow graph of one procedure.
//!
//! Blocks are vertices and transfers of control are edges of a petgraph [`DiGraph`]. The graph has
//! one entry and one exit; parallel edges (the cases of a switch), self loops, irreducible loops
//! and unreachable blocks are all allowed. What is checked when the graph is built: every block
//! that control can reach either is the exit or has a successor, and the exit has none. (Ball and
//! Larus, "Optimally Profiling and Tracing Programs", section 2, also ask that the exit can be
//! reached from every block; a procedure that never returns is fine here, because its paths end
//! where its loops are cut.)
use std::fmt;

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::Dfs;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A basic block of a [`Cfg`]; `index()` counts from 0 in the order of declaration.
pub type BlockId = NodeIndex<u32>;

/// An edge of a [`Cfg`]; `index()` counts from 0 in the order of declaration.
pub type EdgeId = EdgeIndex<u32>;

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name, unique in its graph.
    pub name: String,
    /// Byte address of the first instruction, for blocks that come from machine code.
    pub address: Option<u64>,
}

/// How the branch that takes an edge looks to the hardware profiler.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EdgeClass {
    /// A direct branch to a higher address, or falling through.
    #[default]
    Forward,
    /// A direct branch to its own or a lower address.
    Backward,
    /// A computed jump.
    Indirect,
}

impl EdgeClass {
    /// Whether the hardware ends a path when control takes an edge of this class.
    pub fn breaks(self) -> bool {
        self != EdgeClass::Forward
    }
}

/// A transfer of control from one block to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// How the hardware sees the branch.
    pub class: EdgeClass,
    /// The outcome bit the hardware records with it; `None` where nothing branches or nobody asks.
    pub outcome: Option<bool>,
    /// How often the edge ran, where that was measured.
    pub weight: Option<u64>,
}

/// Why blocks and edges do not make a control-flow graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CfgError {
    /// There is no block at all.
    #[error("the graph has no blocks; declare at least its entry")]
    NoBlocks,
    /// No exit was named and every block has a successor.
    #[error("every block has a successor, so no block can be the exit; name the exit")]
    NoExit,
    /// No exit was named and several blocks could be it.
    #[error("{} blocks have no successor ({}); name one as the exit and lead the others to it",
        .0.len(), list(.0))]
    ManyExits(Vec<String>),
    /// Control leaves the exit.
    #[error("the exit `{exit}` has an edge to `{to}`; add a block for the exit alone")]
    ExitHasSuccessor {
        /// Name of the exit.
        exit: String,
        /// Name of its successor.
        to: String,
    },
    /// Control can reach a block and never leave it.
    #[error("block `{0}` has no successor and is not the exit; add an edge from it to the exit")]
    DeadEnd(String),
}

/// Quotes the first few names.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    if names.len() > SHOWN {
        text.push("...".into());
    }
    text.join(", ")
}

/// A checked control-flow graph. Built by a [`CfgBuilder`], or read from text or JSON.
///
/// ```
/// use hpp_paths::graph::Cfg;
/// let cfg = Cfg::from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])?;
/// assert_eq!(cfg.name(cfg.exit()), "d");
/// # Ok::<(), hpp_paths::graph::CfgError>(())
/// ```
#[derive(Clone)]
pub struct Cfg {
    graph: DiGraph<Block, Edge, u32>,
    successors: Vec<Vec<EdgeId>>,
    names: FxHashMap<String, BlockId>,
    entry: BlockId,
    exit: BlockId,
}

impl Cfg {
    /// The graph of these edges, in this order; the entry is the first block, the exit the only
    /// one without a successor.
    pub fn from_edges<'a>(
        edges: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, CfgError> {
        let mut builder = CfgBuilder::default();
        for (from, to) in edges {
            let (from, to) = (builder.block(from), builder.block(to));
            builder.edge(from, to, Edge::default());
        }
        builder.build()
    }

    /// The underlying graph.
    pub fn graph(&self) -> &DiGraph<Block, Edge, u32> {
        &self.graph
    }

    /// Where control comes in.
    pub fn entry(&self) -> BlockId {
        self.entry
    }

    /// Where control goes out.
    pub fn exit(&self) -> BlockId {
        self.exit
    }

    /// All blocks, in the order of declaration.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockId> + use<> {
        self.graph.node_indices()
    }

    /// All edges, in the order of declaration.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeId> + use<> {
        self.graph.edge_indices()
    }

    /// The edges out of a block, in the order of declaration.
    pub fn successors(&self, block: BlockId) -> &[EdgeId] {
        &self.successors[block.index()]
    }

    /// Source and target of an edge.
    pub fn ends(&self, edge: EdgeId) -> (BlockId, BlockId) {
        self.graph
            .edge_endpoints(edge)
            .expect("edges are never removed")
    }

    /// What is known of a block.
    pub fn block(&self, block: BlockId) -> &Block {
        &self.graph[block]
    }

    /// What is known of an edge.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.graph[edge]
    }

    /// The name of a block.
    pub fn name(&self, block: BlockId) -> &str {
        &self.graph[block].name
    }

    /// An edge as people write it: `a -> b`.
    pub fn edge_name(&self, edge: EdgeId) -> String {
        let (from, to) = self.ends(edge);
        format!("{} -> {}", self.name(from), self.name(to))
    }

    /// The block of this name.
    pub fn find(&self, name: &str) -> Option<BlockId> {
        self.names.get(name).copied()
    }

    /// For each block, by index, whether control can reach it from the entry. O(V + E).
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.graph.node_count()];
        let mut dfs = Dfs::new(&self.graph, self.entry);
        while let Some(block) = dfs.next(&self.graph) {
            reached[block.index()] = true;
        }
        reached
    }
}

/// Shows the edges as text, so that a failed property can be read.
impl fmt::Debug for Cfg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Cfg {} to {}: ",
            self.name(self.entry),
            self.name(self.exit)
        )?;
        f.debug_list()
            .entries(self.edges().map(|e| (self.edge_name(e), self.edge(e))))
            .finish()
    }
}

/// Collects blocks and edges, then checks them.
#[derive(Clone, Debug, Default)]
pub struct CfgBuilder {
    graph: DiGraph<Block, Edge, u32>,
    names: FxHashMap<String, BlockId>,
    entry: Option<BlockId>,
    exit: Option<BlockId>,
}

impl CfgBuilder {
    /// The block of this name, declared now if it is new.
    pub fn block(&mut self, name: &str) -> BlockId {
        if let Some(&block) = self.names.get(name) {
            return block;
        }
        let block = self.graph.add_node(Block {
            name: name.into(),
            address: None,
        });
        self.names.insert(name.into(), block);
        block
    }

    /// The block of this name, if it was declared.
    pub fn find(&self, name: &str) -> Option<BlockId> {
        self.names.get(name).copied()
    }

    /// Gives a block its address.
    pub fn address(&mut self, block: BlockId, address: u64) {
        self.graph[block].address = Some(address);
    }

    /// Adds an edge; one beside an equal edge is a second, parallel edge.
    pub fn edge(&mut self, from: BlockId, to: BlockId, edge: Edge) -> EdgeId {
        self.graph.add_edge(from, to, edge)
    }

    /// The class an edge has by the addresses of its ends: backward when the target does not lie
    /// behind the source. Blocks without addresses make it forward.
    pub fn class_by_address(&self, from: BlockId, to: BlockId) -> EdgeClass {
        match (self.graph[from].address, self.graph[to].address) {
            (Some(from), Some(to)) if to <= from => EdgeClass::Backward,
            _ => EdgeClass::Forward,
        }
    }

    /// Gives an edge its [class by address](Self::class_by_address).
    pub fn classify_by_address(&mut self, edge: EdgeId) {
        let ends = self.graph.edge_endpoints(edge);
        let (from, to) = ends.expect("edges are never removed");
        self.graph[edge].class = self.class_by_address(from, to);
    }

    /// Names the entry; otherwise it is the first block.
    pub fn entry(&mut self, block: BlockId) {
        self.entry = Some(block);
    }

    /// Names the exit; otherwise it is the only block without a successor.
    pub fn exit(&mut self, block: BlockId) {
        self.exit = Some(block);
    }

    /// Checks the graph. O(V + E).
    pub fn build(self) -> Result<Cfg, CfgError> {
        let entry = match self.entry.or_else(|| self.graph.node_indices().next()) {
            Some(entry) => entry,
            None => return Err(CfgError::NoBlocks),
        };
        let mut successors = vec![Vec::new(); self.graph.node_count()];
        for edge in self.graph.edge_indices() {
            let (from, _) = self
                .graph
                .edge_endpoints(edge)
                .expect("edges are never removed");
            successors[from.index()].push(edge);
        }
        let exit = match self.exit {
            Some(exit) => exit,
            None => only_sink(&self.graph, &successors)?,
        };
        let cfg = Cfg {
            graph: self.graph,
            successors,
            names: self.names,
            entry,
            exit,
        };
        check(&cfg)?;
        Ok(cfg)
    }
}

/// The one block without successors.
fn only_sink(
    graph: &DiGraph<Block, Edge, u32>,
    successors: &[Vec<EdgeId>],
) -> Result<BlockId, CfgError> {
    let sinks: Vec<BlockId> = graph
        .node_indices()
        .filter(|b| successors[b.index()].is_empty())
        .collect();
    match sinks[..] {
        [] => Err(CfgError::NoExit),
        [exit] => Ok(exit),
        _ => Err(CfgError::ManyExits(
            sinks.iter().map(|&b| graph[b].name.clone()).collect(),
        )),
    }
}

/// Control ends at the exit and nowhere else.
fn check(cfg: &Cfg) -> Result<(), CfgError> {
    if let Some(&edge) = cfg.successors(cfg.exit).first() {
        return Err(CfgError::ExitHasSuccessor {
            exit: cfg.name(cfg.exit).into(),
            to: cfg.name(cfg.ends(edge).1).into(),
        });
    }
    let reached = cfg.reachable();
    let stuck = |b: &BlockId| reached[b.index()] && *b != cfg.exit && cfg.successors(*b).is_empty();
    match cfg.blocks().find(stuck) {
        Some(block) => Err(CfgError::DeadEnd(cfg.name(block).into())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_would_have_been_right() {
        let error = |edges: &[(&'static str, &'static str)]| {
            Cfg::from_edges(edges.iter().copied())
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            error(&[]),
            "the graph has no blocks; declare at least its entry"
        );
        assert_eq!(
            error(&[("a", "b"), ("b", "a")]),
            "every block has a successor, so no block can be the exit; name the exit"
        );
        assert_eq!(
            error(&[("a", "b"), ("a", "c")]),
            "2 blocks have no successor (`b`, `c`); name one as the exit and lead the others to it"
        );
    }

    #[test]
    fn the_exit_ends_control_and_nothing_else_does() {
        let mut builder = CfgBuilder::default();
        let [a, b, c] = ["a", "b", "c"].map(|n| builder.block(n));
        builder.edge(a, b, Edge::default());
        builder.edge(a, c, Edge::default());
        builder.exit(b);
        let dead_end = builder.clone().build().expect_err("c is a dead end");
        assert_eq!(dead_end, CfgError::DeadEnd("c".into()));
        builder.edge(c, b, Edge::default());
        assert!(builder.clone().build().is_ok());
        builder.edge(b, a, Edge::default());
        let error = builder.build().expect_err("the exit has a successor");
        assert_eq!(
            error.to_string(),
            "the exit `b` has an edge to `a`; add a block for the exit alone"
        );
    }

    #[test]
    fn blocks_nothing_reaches_may_be_anything() {
        let mut builder = CfgBuilder::default();
        let [a, b, lost] = ["a", "b", "lost"].map(|n| builder.block(n));
        builder.edge(a, b, Edge::default());
        builder.edge(lost, lost, Edge::default());
        let cfg = builder.build().expect("a graph");
        assert_eq!(cfg.reachable(), [true, true, false]);
    }

    #[test]
    fn addresses_tell_backward_edges() {
        let mut builder = CfgBuilder::default();
        let [a, b] = ["a", "b"].map(|n| builder.block(n));
        builder.address(a, 0x100);
        builder.address(b, 0x108);
        assert_eq!(builder.class_by_address(a, b), EdgeClass::Forward);
        assert_eq!(builder.class_by_address(b, a), EdgeClass::Backward);
        assert_eq!(builder.class_by_address(a, a), EdgeClass::Backward);
    }
}
