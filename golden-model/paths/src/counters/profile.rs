use thiserror::Error;

use crate::graph::{BlockId, EdgeId, Flow};

/// Counts that no execution has.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InconsistentCounts {
    #[error("by the counts `{place}` ran {count} times; {HINT}")]
    Negative { place: String, count: i128 },
    #[error("by the counts control came {surplus} times more into `{block}` than out; {HINT}")]
    NotConserved { block: String, surplus: i128 },
}

const HINT: &str = "were the counters read while the program ran, or procedures ended early without being counted?";

/// A flow that was recovered as a count.
fn count(value: i128, place: impl FnOnce() -> String) -> Result<u64, InconsistentCounts> {
    u64::try_from(value).map_err(|_| InconsistentCounts::Negative {
        place: place(),
        count: value,
    })
}

/// How often each block ran.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct BlockProfile {
    blocks: Vec<u64>,
    calls: u64,
}

impl BlockProfile {
    pub(super) fn new(
        flow: &Flow,
        blocks: impl IntoIterator<Item = i128>,
        calls: i128,
    ) -> Result<Self, InconsistentCounts> {
        let named = flow.blocks().zip(blocks);
        let blocks = named.map(|(block, value)| count(value, || flow.name(block).into()));
        Ok(BlockProfile {
            blocks: blocks.collect::<Result<_, _>>()?,
            calls: count(calls, || "the procedure".into())?,
        })
    }

    /// How often control came into a block.
    pub fn block(&self, block: BlockId) -> u64 {
        self.blocks[block.index()]
    }

    /// How often the procedure was called.
    pub fn calls(&self) -> u64 {
        self.calls
    }
}

/// How often each edge ran, and so each block.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EdgeProfile {
    edges: Vec<u64>,
    blocks: BlockProfile,
}

impl EdgeProfile {
    pub(super) fn new(
        flow: &Flow,
        values: &[i128],
        calls: i128,
    ) -> Result<Self, InconsistentCounts> {
        let named = flow.edges().zip(values);
        let edges = named.map(|(edge, &value)| count(value, || flow.edge_name(edge)));
        Ok(EdgeProfile {
            edges: edges.collect::<Result<_, _>>()?,
            blocks: BlockProfile::new(flow, inflow(flow, values, calls), calls)?,
        })
    }

    /// How often control took an edge.
    pub fn edge(&self, edge: EdgeId) -> u64 {
        self.edges[edge.index()]
    }

    /// How often control came into a block.
    pub fn block(&self, block: BlockId) -> u64 {
        self.blocks.block(block)
    }

    /// How often the procedure was called.
    pub fn calls(&self) -> u64 {
        self.blocks.calls()
    }

    /// The same without the edges.
    pub fn into_block_profile(self) -> BlockProfile {
        self.blocks
    }
}

/// What comes into each block, calls included.
pub(super) fn inflow(flow: &Flow, edges: &[i128], calls: i128) -> Vec<i128> {
    let into = |block| {
        let edges = flow.predecessors(block).iter().map(|e| edges[e.index()]);
        let calls = if block == flow.entry() { calls } else { 0 };
        calls + edges.sum::<i128>()
    };
    flow.blocks().map(into).collect()
}
