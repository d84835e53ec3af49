//! The control-flow graph of a function of an assembly file.

use hpp_paths::graph::{BlockId, Cfg, CfgError, EdgeId};
use hpp_paths::petgraph::graph::DiGraph;

use crate::assembly::{Ending, Function};

/// Which way out of its block an edge is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// On to the next block, also where the block branches to just that.
    Fall,
    /// By the conditional branch.
    Taken,
    Jump,
    /// By these lines of the table.
    Table(Vec<usize>),
    /// Out of the function.
    Leave,
    Never,
}

/// The graph of a function: its blocks by their positions, and an exit. No two edges have the same ends, so the blocks of an execution tell it.
///
/// # Errors
///
/// If the blocks make no graph: the last one runs on, say.
pub fn graph(function: &Function) -> Result<Cfg<Option<usize>, Way>, CfgError> {
    let mut graph = DiGraph::new();
    let count = function.blocks.len();
    let blocks: Vec<BlockId> = (0..count).map(|at| graph.add_node(Some(at))).collect();
    let exit = graph.add_node(None);
    for (at, block) in function.blocks.iter().enumerate() {
        let next = at + 1;
        let mut ways: Vec<(usize, Way)> = match &block.ending {
            Ending::Fall => vec![(next, Way::Fall)],
            Ending::Branch(to) if *to == next => vec![(next, Way::Fall)],
            Ending::Branch(to) => vec![(next, Way::Fall), (*to, Way::Taken)],
            Ending::Jump(to) => vec![(*to, Way::Jump)],
            Ending::Table(words) => cases(words),
            Ending::Leave => vec![(count, Way::Leave)],
            Ending::Dead => vec![(count, Way::Never)],
        };
        for (to, way) in ways.drain(..) {
            let to = blocks.get(to).copied().unwrap_or(exit);
            graph.add_edge(blocks[at], to, way);
        }
    }
    Cfg::new(graph, blocks[0], exit)
}

/// One way for each block that a table leads to.
fn cases(words: &[(usize, usize)]) -> Vec<(usize, Way)> {
    let mut cases: Vec<(usize, Vec<usize>)> = Vec::new();
    for &(line, to) in words {
        match cases.iter_mut().find(|(block, _)| *block == to) {
            Some((_, lines)) => lines.push(line),
            None => cases.push((to, vec![line])),
        }
    }
    let way = |(to, lines)| (to, Way::Table(lines));
    cases.into_iter().map(way).collect()
}

/// The edge from a block to another, or out.
pub fn edge(cfg: &Cfg<Option<usize>, Way>, from: usize, to: Option<usize>) -> Option<EdgeId> {
    let to = to.map_or(cfg.exit(), BlockId::new);
    let mut out = cfg.successors(BlockId::new(from)).iter().copied();
    out.find(|&edge| cfg.ends(edge).1 == to)
}
