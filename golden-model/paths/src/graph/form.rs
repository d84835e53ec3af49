use std::sync::Arc;

use petgraph::graph::{DiGraph, EdgeIndex};

use super::flow::{BlockId, EdgeId, Flow};

/// An edge of an acyclic form; `index()` counts from 0: real edges, then stops, then starts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct DagEdgeId(u32);

impl DagEdgeId {
    /// The position, below [`Acyclic::edge_count`](super::Acyclic::edge_count).
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
        /// The outcome recorded with those edges, where dummies are shared by it.
        outcome: Option<bool>,
        /// The broken edges: one, unless dummies are shared.
        breaks: Vec<EdgeId>,
    },
    /// The beginning of paths at a block that broken edges lead to.
    Start {
        /// The broken edges: one, unless dummies are shared.
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

/// Which broken edges have a dummy in common.
#[derive(Clone, Debug)]
pub(crate) enum Sharing {
    Own,
    /// Stops by source and outcome, starts by target. The outcomes are by edge.
    ByOutcome(Arc<[Option<bool>]>),
}

impl Sharing {
    /// Two broken edges out of one block have the same stop exactly if this is equal.
    pub(crate) fn stop_key(&self, edge: EdgeId) -> (Option<EdgeId>, Option<bool>) {
        match self {
            Sharing::Own => (Some(edge), None),
            Sharing::ByOutcome(outcomes) => (None, outcomes[edge.index()]),
        }
    }

    /// Two broken edges into one block have the same start exactly if this is equal.
    pub(crate) fn start_key(&self, edge: EdgeId) -> Option<EdgeId> {
        match self {
            Sharing::Own => Some(edge),
            Sharing::ByOutcome(_) => None,
        }
    }
}

/// What an [`Acyclic`](super::Acyclic) shares with its clones.
pub(super) struct Form {
    pub flow: Flow,
    pub sharing: Sharing,
    pub graph: DiGraph<(), DagEdge, u32>,
    pub out: Vec<Vec<DagEdgeId>>,
    pub incoming: Vec<Vec<DagEdgeId>>,
    pub topological: Vec<BlockId>,
    pub crossings: Vec<Option<Crossing>>,
    pub broken: Vec<EdgeId>,
}
