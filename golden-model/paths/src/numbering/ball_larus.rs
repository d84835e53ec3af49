//! The Ball-Larus numbering: every path of an acyclic form gets its own number, from 0 without
//! gaps.
//!
//! Let N(v) be the number of paths from block v to the exit: 1 for the exit, otherwise the sum of
//! N over the targets of v's edges. Blocks are visited in reverse topological order; each edge of
//! v gets as its value the sum of N over the targets of the edges before it. Then the numbers of
//! the paths through one edge of v lie behind those through the edge before, without a gap.
//!
//! From Ball and Larus, "Efficient Path Profiling" (1996), as Vaswani's thesis gives it in section
//! 3.2.2, figure 3.1.
use num_bigint::{BigInt, BigUint};
use thiserror::Error;

use super::values::EdgeValues;
use crate::graph::{Acyclic, BlockId, Cfg, DagEdgeId, DagPath};

/// The Ball-Larus numbering of an [`Acyclic`].
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, DagPath};
/// use hpp_paths::numbering::BallLarus;
/// // Figure 3.4 (a) of Vaswani's thesis.
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// let numbering = BallLarus::new(&dag);
/// assert_eq!(*numbering.paths(), 6u32.into());
/// let sbcdt = ["s", "b", "c", "d", "t"].map(|n| cfg.find(n).unwrap());
/// let path = DagPath::from_blocks(&dag, &cfg, &sbcdt)?;
/// assert_eq!(numbering.number(&path), 4u32.into());
/// assert_eq!(numbering.path(&dag, &4u32.into())?, path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BallLarus {
    values: Vec<BigUint>,
    counts: Vec<BigUint>,
    entry: BlockId,
}

/// A graph has more paths than allowed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{count} paths lead from block `{block}` to the exit, more than the limit of {limit}; \
     raise the limit, count exactly, or truncate the graph"
)]
pub struct TooManyPaths {
    /// Name of the first block found beyond the limit.
    pub block: String,
    /// Its paths.
    pub count: BigUint,
    /// The limit.
    pub limit: BigUint,
}

/// A number that no path has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no path {number}; paths are numbered from 0, and there are {paths}")]
pub struct NoSuchPath {
    /// The number.
    pub number: BigUint,
    /// How many paths there are.
    pub paths: BigUint,
}

impl BallLarus {
    /// Numbers all paths, however many. O(V + E) additions of numbers as long as the counts are:
    /// n diamonds in a row need numbers of n bits.
    pub fn new(dag: &Acyclic) -> Self {
        Self::count(dag, |_, _| Ok(()))
            .unwrap_or_else(|never: std::convert::Infallible| match never {})
    }

    /// Numbers all paths if there are at most `limit`. O(V + E).
    pub fn limited(dag: &Acyclic, cfg: &Cfg, limit: &BigUint) -> Result<Self, TooManyPaths> {
        Self::count(dag, |block, count| match count > limit {
            false => Ok(()),
            true => Err(TooManyPaths {
                block: cfg.name(block).into(),
                count: count.clone(),
                limit: limit.clone(),
            }),
        })
    }

    fn count<E>(
        dag: &Acyclic,
        check: impl Fn(BlockId, &BigUint) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut values = vec![BigUint::ZERO; dag.edge_count()];
        let mut counts = vec![BigUint::ZERO; dag.block_count()];
        counts[dag.exit().index()] = BigUint::from(1u32);
        for &block in dag.topological().iter().rev() {
            if block == dag.exit() {
                continue;
            }
            let mut count = BigUint::ZERO;
            for &edge in dag.out(block) {
                let through = &counts[dag.ends(edge).1.index()];
                values[edge.index()] = count.clone();
                count += through;
            }
            check(block, &count)?;
            counts[block.index()] = count;
        }
        Ok(BallLarus {
            values,
            counts,
            entry: dag.entry(),
        })
    }

    /// How many paths there are.
    pub fn paths(&self) -> &BigUint {
        self.paths_from(self.entry)
    }

    /// How many paths lead from a block to the exit; 0 for a block control cannot reach.
    pub fn paths_from(&self, block: BlockId) -> &BigUint {
        &self.counts[block.index()]
    }

    /// The value of an edge.
    pub fn value(&self, edge: DagEdgeId) -> &BigUint {
        &self.values[edge.index()]
    }

    /// The values of all edges.
    pub fn values(&self) -> EdgeValues {
        EdgeValues::new(self.values.iter().map(|v| v.clone().into()).collect())
    }

    /// The number of a path. O(length).
    pub fn number(&self, path: &DagPath) -> BigUint {
        path.edges().iter().map(|&e| self.value(e)).sum()
    }

    /// The path of a number. At each block the last edge whose value is not above what remains of
    /// the number is the one the path took. O(length), and log of the branches of a switch.
    pub fn path(&self, dag: &Acyclic, number: &BigUint) -> Result<DagPath, NoSuchPath> {
        if number >= self.paths() {
            return Err(NoSuchPath {
                number: number.clone(),
                paths: self.paths().clone(),
            });
        }
        let mut rest = number.clone();
        let mut edges = Vec::new();
        let mut block = self.entry;
        while block != dag.exit() {
            let out = dag.out(block);
            let behind = out.partition_point(|&e| *self.value(e) <= rest);
            let edge = out[behind - 1];
            rest -= self.value(edge);
            edges.push(edge);
            block = dag.ends(edge).1;
        }
        Ok(DagPath::from_trusted(edges))
    }
}

/// The values when each block's edges are numbered in an order of one's own. O(V + E), and the
/// cost of the order.
pub(super) fn assign(dag: &Acyclic, order: impl Fn(&[DagEdgeId]) -> Vec<DagEdgeId>) -> EdgeValues {
    let mut values = EdgeValues::zero(dag);
    let mut counts = vec![BigInt::ZERO; dag.block_count()];
    for &block in dag.topological().iter().rev() {
        let mut count = BigInt::from(u32::from(block == dag.exit()));
        for edge in order(dag.out(block)) {
            values.set(edge, count.clone());
            count += &counts[dag.ends(edge).1.index()];
        }
        counts[block.index()] = count;
    }
    values
}
