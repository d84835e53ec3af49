//! Truncation: breaking more edges until a graph has no more paths than a profiler can count.
//!
//! A profiler whose path register has 32 or 64 bits cannot number a procedure with more paths than
//! that. Ball and Larus's profiler then removes edges until the count fits ("Efficient Path
//! Profiling", 1996; Vaswani's thesis, section 3.4.4, step 5, calls it truncation). Removed edges are
//! treated as broken: the program still runs over them, a path ends there and the next begins.
//!
//! Blocks are visited in reverse topological order. A block with more paths to the exit than a bound loses the
//! edges with the most paths, largest first, until the square root of the bound is left. (With the bound itself,
//! its predecessor would exceed it at once.) The entry loses none, because it gains a start for each broken edge.
//! If their sum exceeds the limit, the bound is halved and the search begins again.
//!
//! Important paths remain complete if their edges are kept: step 5 of the thesis's interprocedural algorithm.
use std::collections::BTreeSet;

use thiserror::Error;

use super::ball_larus::BallLarus;
use crate::graph::{Acyclic, BlockId, DagEdge, DagEdgeId, EdgeId};

/// A graph cut until its paths fit.
#[derive(Clone, Debug)]
pub struct Truncation {
    /// The numbering, with at most the limit's paths, of an acyclic form with more broken edges.
    pub numbering: BallLarus,
    /// The edges broken for it, in order; empty when everything fitted.
    pub removed: Vec<EdgeId>,
}

/// No edges were found whose breaking leaves as few paths as allowed. Which to break is a heuristic, and those out of the entry never
/// are, so there may be some.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no edges were found to cut the graph down to {limit} paths; the least that was left is {}", counted(*.least))]
pub struct LimitTooSmall {
    /// The limit.
    pub limit: u64,
    /// The fewest paths any round came to; 2^128 - 1 where they are no fewer.
    pub least: u128,
}

/// A count of paths as text. The greatest number stands for itself and all beyond.
fn counted(paths: u128) -> String {
    match paths {
        u128::MAX => "2^128 - 1 or more".into(),
        paths => paths.to_string(),
    }
}

/// Breaks edges until at most `limit` paths are left. O((V + E) log limit), and sorting the edges of blocks that are cut.
///
/// ```
/// use hpp_paths::graph::{Acyclic, CfgBuilder, Edge};
/// use hpp_paths::numbering::{BallLarus, truncate};
/// // Seventy ways to branch and join in a row: 2^70 paths.
/// let mut cfg = CfgBuilder::default();
/// for at in 0..70 {
///     let [here, next] = [at, at + 1].map(|at| cfg.block(&at.to_string()));
///     cfg.edge(here, next, Edge::default());
///     cfg.edge(here, next, Edge::default());
/// }
/// let cfg = cfg.build()?;
/// let dag = Acyclic::depth_first(&cfg);
/// assert!(BallLarus::new(&dag).is_err());
/// let cut = truncate(&dag, u64::MAX)?;
/// assert!(cut.numbering.paths() <= u64::MAX.into());
/// assert!(!cut.removed.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If no edges are found that do it.
pub fn truncate(dag: &Acyclic, limit: u64) -> Result<Truncation, LimitTooSmall> {
    truncate_keeping(dag, limit, |_| false)
}

/// The same, but the edges of the graph to be kept are never broken: paths over kept edges alone stay
/// [what they are](crate::graph::DagPath::carried).
///
/// ```
/// use hpp_paths::graph::{Acyclic, CfgBuilder, DagPath, Edge};
/// use hpp_paths::numbering::truncate_keeping;
/// // Eight diamonds in a row: 256 paths. The one that always goes left is to stay.
/// let mut cfg = CfgBuilder::default();
/// for at in 0..8 {
///     let names = [format!("d{at}"), format!("l{at}"), format!("r{at}"), format!("d{}", at + 1)];
///     let [top, left, right, bottom] = names.map(|name| cfg.block(&name));
///     for (from, to) in [(top, left), (left, bottom), (top, right), (right, bottom)] {
///         cfg.edge(from, to, Edge::default());
///     }
/// }
/// let cfg = cfg.build()?;
/// let dag = Acyclic::depth_first(&cfg);
/// let left = |edge: usize| edge % 4 < 2;
/// let path = dag.edges().filter(|edge| left(edge.index())).collect();
/// let path = DagPath::new(&dag, path)?;
/// let cut = truncate_keeping(&dag, 100, |edge| left(edge.index()))?;
/// let same = path.carried(&dag, cut.numbering.dag()).ok_or("it is kept")?;
/// assert!(cut.numbering.number(&same) < 100u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If no other edges are found that do it.
pub fn truncate_keeping(
    dag: &Acyclic,
    limit: u64,
    kept: impl Fn(EdgeId) -> bool,
) -> Result<Truncation, LimitTooSmall> {
    let mut bound = limit;
    let mut least = u128::MAX;
    loop {
        let removed = excess(dag, bound.into(), &kept);
        let cut = match removed[..] {
            [] => dag.clone(),
            _ => dag.also_breaking(&removed),
        };
        if let Ok(numbering) = BallLarus::limited(&cut, limit) {
            return Ok(Truncation { numbering, removed });
        }
        least = least.min(paths(&cut));
        if bound == 0 {
            return Err(LimitTooSmall { limit, least });
        }
        bound >>= 1;
    }
}

/// How many paths there are, as far as a long word goes.
fn paths(dag: &Acyclic) -> u128 {
    let mut counts = vec![0u128; dag.block_count()];
    counts[dag.exit().index()] = 1;
    for &block in dag.topological().iter().rev().skip(1) {
        let through = dag
            .out(block)
            .iter()
            .map(|&e| counts[dag.ends(e).1.index()]);
        counts[block.index()] = through.fold(0, u128::saturating_add);
    }
    counts[dag.entry().index()]
}

/// The edges to break so that no block but the entry has more than `bound` paths to the exit,
/// as far as breaking edges that are not kept can do it.
fn excess(dag: &Acyclic, bound: u128, kept: &impl Fn(EdgeId) -> bool) -> Vec<EdgeId> {
    let enough = bound.isqrt();
    let mut removed = Vec::new();
    let mut counts = vec![0u128; dag.block_count()];
    counts[dag.exit().index()] = 1;
    let inner = |b: &&BlockId| **b != dag.exit() && **b != dag.entry();
    for &block in dag.topological().iter().rev().filter(inner) {
        let mut node = Node::new(dag, block, &counts, kept);
        if node.count() > bound {
            while node.count() > enough {
                let Some(edge) = node.cut_largest(dag) else {
                    break;
                };
                removed.push(edge);
            }
        }
        counts[block.index()] = node.count().min(MANY);
    }
    removed.sort();
    removed
}

/// Counts go up to this, which is above any limit, so that those of 2^32 edges add up in a long word.
const MANY: u128 = 1 << 90;

/// A block while its edges are being cut.
struct Node {
    /// Paths through edges that stay and cannot be cut.
    fixed: u128,
    /// Edges that can be cut, with their paths, the largest last.
    open: Vec<(u128, EdgeId)>,
    /// The keys of its stops. Each stop is one path.
    stops: BTreeSet<(Option<EdgeId>, Option<bool>)>,
    sum: u128,
}

impl Node {
    fn new(dag: &Acyclic, block: BlockId, counts: &[u128], kept: &impl Fn(EdgeId) -> bool) -> Self {
        let mut node = Node {
            fixed: 0,
            open: Vec::new(),
            stops: BTreeSet::new(),
            sum: 0,
        };
        for &edge in dag.out(block) {
            node.add(dag, edge, counts, kept);
        }
        node.open.sort_unstable();
        node
    }

    fn add(
        &mut self,
        dag: &Acyclic,
        edge: DagEdgeId,
        counts: &[u128],
        kept: &impl Fn(EdgeId) -> bool,
    ) {
        let count = counts[dag.ends(edge).1.index()];
        match dag.kind(edge) {
            DagEdge::Stop { breaks, .. } => {
                self.stops.insert(dag.sharing().stop_key(breaks[0]));
            }
            DagEdge::Real(real) if dag.ends(edge).1 != dag.exit() && !kept(*real) => {
                self.sum += count;
                self.open.push((count, *real));
            }
            DagEdge::Real(_) | DagEdge::Start { .. } => self.fixed += count,
        }
    }

    fn count(&self) -> u128 {
        self.sum + self.fixed + self.stops.len() as u128
    }

    /// Cuts the edge with the most paths, if that makes the block's paths fewer.
    fn cut_largest(&mut self, dag: &Acyclic) -> Option<EdgeId> {
        let &(count, edge) = self.open.last()?;
        let stop = dag.sharing().stop_key(edge);
        let gain = u128::from(!self.stops.contains(&stop));
        if count <= gain {
            return None;
        }
        self.open.pop();
        self.sum -= count;
        self.stops.insert(stop);
        Some(edge)
    }
}
