//! Truncation: breaking more edges until a graph has no more paths than a profiler can count.
//!
//! A profiler whose path register has 32 or 64 bits cannot number a procedure with more paths than
//! that. Ball and Larus's profiler then removes edges until the count fits ("Efficient Path
//! Profiling", 1996; Vaswani's thesis, section 3.4, step 5, calls it truncation). Removed edges are
//! treated as broken: the program still runs over them, a path ends there and the next begins.
//!
//! Which edges: blocks are visited in reverse topological order, and a block with more paths to the
//! exit than a bound loses the edges with the most paths, largest first, until the square root of
//! the bound is left. (Were it cut to the bound only, its predecessor would be above it again at
//! once.) The entry itself loses none, because it gains a start for each broken edge; where their
//! sum is above the limit, the bound is halved and the search begins again.
use std::collections::BTreeSet;

use num_bigint::BigUint;
use thiserror::Error;

use super::ball_larus::BallLarus;
use crate::graph::{Acyclic, BlockId, Cfg, DagEdge, DagEdgeId, EdgeId};

/// A graph cut until its paths fit.
#[derive(Clone, Debug)]
pub struct Truncation {
    /// The acyclic form with more broken edges.
    pub dag: Acyclic,
    /// Its numbering, with at most the limit's paths.
    pub numbering: BallLarus,
    /// The edges broken for it, in order; empty when everything fitted.
    pub removed: Vec<EdgeId>,
}

/// Even with every edge broken that helps, there are more paths than allowed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the graph cannot be cut down to {limit} paths; the least found is {least}")]
pub struct LimitTooSmall {
    /// The limit.
    pub limit: BigUint,
    /// The fewest paths any round came to.
    pub least: BigUint,
}

/// Breaks edges until at most `limit` paths are left. O((V + E) log limit).
pub fn truncate(cfg: &Cfg, dag: &Acyclic, limit: &BigUint) -> Result<Truncation, LimitTooSmall> {
    let mut bound = limit.clone();
    let mut least: Option<BigUint> = None;
    loop {
        let removed = excess(cfg, dag, &bound);
        let cut = dag.also_breaking(cfg, &removed);
        let numbering = BallLarus::new(&cut);
        if numbering.paths() <= limit {
            return Ok(Truncation {
                dag: cut,
                numbering,
                removed,
            });
        }
        let found = numbering.paths().clone();
        let fewest = least.map_or(found.clone(), |l| l.min(found));
        if bound == BigUint::ZERO {
            return Err(LimitTooSmall {
                limit: limit.clone(),
                least: fewest,
            });
        }
        least = Some(fewest);
        bound >>= 1;
    }
}

/// The edges to break so that no block but the entry has more than `bound` paths to the exit,
/// as far as breaking edges can do it.
fn excess(cfg: &Cfg, dag: &Acyclic, bound: &BigUint) -> Vec<EdgeId> {
    let enough = bound.sqrt();
    let mut removed = Vec::new();
    let mut counts = vec![BigUint::ZERO; dag.block_count()];
    counts[dag.exit().index()] = BigUint::from(1u32);
    let inner = |b: &&BlockId| **b != dag.exit() && **b != dag.entry();
    for &block in dag.topological().iter().rev().filter(inner) {
        let mut node = Node::new(cfg, dag, block, &counts);
        if node.count() > *bound {
            while node.count() > enough {
                let Some(edge) = node.cut_largest(cfg) else {
                    break;
                };
                removed.push(edge);
            }
        }
        counts[block.index()] = node.count();
    }
    removed.sort();
    removed
}

/// A block while its edges are being cut.
struct Node {
    /// Paths through edges that stay and cannot be cut.
    fixed: BigUint,
    /// Edges that can be cut, with their paths, the largest last.
    open: Vec<(BigUint, EdgeId)>,
    /// The outcomes of its stops, each of which is one path.
    stops: BTreeSet<Option<bool>>,
    sum: BigUint,
}

impl Node {
    fn new(cfg: &Cfg, dag: &Acyclic, block: BlockId, counts: &[BigUint]) -> Self {
        let mut node = Node {
            fixed: BigUint::ZERO,
            open: Vec::new(),
            stops: BTreeSet::new(),
            sum: BigUint::ZERO,
        };
        for &edge in dag.out(block) {
            node.add(cfg, dag, edge, counts);
        }
        node.open.sort();
        node
    }

    fn add(&mut self, cfg: &Cfg, dag: &Acyclic, edge: DagEdgeId, counts: &[BigUint]) {
        match dag.kind(edge) {
            DagEdge::Stop { outcome, .. } => {
                self.stops.insert(*outcome);
            }
            DagEdge::Real(real) if cfg.ends(*real).1 != cfg.exit() => {
                let count = counts[dag.ends(edge).1.index()].clone();
                self.sum += &count;
                self.open.push((count, *real));
            }
            DagEdge::Real(_) | DagEdge::Start { .. } => self.fixed += 1u32,
        }
    }

    fn count(&self) -> BigUint {
        &self.sum + &self.fixed + self.stops.len()
    }

    /// Cuts the edge with the most paths, if that makes the block's paths fewer.
    fn cut_largest(&mut self, cfg: &Cfg) -> Option<EdgeId> {
        let (count, edge) = self.open.last()?;
        let outcome = cfg.edge(*edge).outcome;
        let gain = BigUint::from(usize::from(!self.stops.contains(&outcome)));
        if *count <= gain {
            return None;
        }
        let (count, edge) = self.open.pop()?;
        self.sum -= count;
        self.stops.insert(outcome);
        Some(edge)
    }
}
