//! The Ball-Larus numbering: every path of an acyclic form gets its own number, from 0 without
//! gaps.
//!
//! Let N(v) be the number of paths from block v to the exit: 1 for the exit, otherwise the sum of
//! N over the targets of v's edges. Blocks are visited in reverse topological order; each edge of
//! v gets as its value the sum of N over the targets of the edges before it. Then the numbers of
//! the paths through one edge of v lie after those through the edge before, without a gap.
//!
//! From Ball and Larus, "Efficient Path Profiling" (1996), as Vaswani's thesis gives it in section
//! 3.2.2, figure 3.1.
use thiserror::Error;

use super::values::EdgeValues;
use crate::Number;
use crate::graph::{Acyclic, BlockId, DagEdgeId, DagPath};

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
/// let numbering = BallLarus::new(&dag)?;
/// assert_eq!(numbering.paths(), 6u32.into());
/// let sbcdt = ["s", "b", "c", "d", "t"].map(|n| cfg.find(n).unwrap());
/// let path = DagPath::from_blocks(&dag, &sbcdt)?;
/// assert_eq!(numbering.number(&path), 4u32.into());
/// assert_eq!(numbering.path(&4u32.into())?, path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BallLarus {
    dag: Acyclic,
    numbers: Numbers,
}

/// Values by edge and counts of paths by block.
#[derive(Clone, Debug)]
enum Numbers {
    Words(Counted<u64>),
    Big(Counted<Number>),
}

#[derive(Clone, Debug)]
struct Counted<T> {
    values: Vec<T>,
    counts: Vec<T>,
}

/// A graph has more paths than allowed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "more than {limit} paths lead from block `{block}` to the exit; \
     raise the limit, count exactly, or truncate the graph"
)]
pub struct TooManyPaths {
    /// Name of the first block found beyond the limit.
    pub block: String,
    /// The limit.
    pub limit: u64,
}

/// A number that no path has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no path {number}; paths are numbered from 0, and there are {paths}")]
pub struct NoSuchPath {
    /// The number.
    pub number: Number,
    /// How many paths there are.
    pub paths: Number,
}

impl BallLarus {
    /// Numbers all paths in machine words. O(V + E).
    ///
    /// # Errors
    ///
    /// If more than 2^64 - 1 paths lead from a block.
    pub fn new(dag: &Acyclic) -> Result<Self, TooManyPaths> {
        Self::limited(dag, u64::MAX)
    }

    /// Numbers all paths if there are at most `limit` from any block. O(V + E).
    ///
    /// # Errors
    ///
    /// If there are more.
    pub fn limited(dag: &Acyclic, limit: u64) -> Result<Self, TooManyPaths> {
        let counted = count(
            dag,
            |one: &u64, other| one.checked_add(*other),
            |count| *count <= limit,
        );
        let counted = counted.map_err(|block| TooManyPaths {
            block: dag.flow().name(block).into(),
            limit,
        })?;
        Ok(BallLarus {
            dag: dag.clone(),
            numbers: Numbers::Words(counted),
        })
    }

    /// Numbers all paths, however many: in machine words as long as they do, in big integers from then on. O(V + E)
    /// additions of numbers as long as the counts are: n diamonds in a row need numbers of n bits.
    pub fn exact(dag: &Acyclic) -> Self {
        Self::new(dag).unwrap_or_else(|_| BallLarus {
            dag: dag.clone(),
            numbers: Numbers::Big(
                count(dag, |one: &Number, other| Some(one + other), |_| true)
                    .expect("any count fits"),
            ),
        })
    }

    /// What is numbered.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
    }

    /// How many paths there are.
    pub fn paths(&self) -> Number {
        let entry = self.dag.entry().index();
        match &self.numbers {
            Numbers::Words(words) => words.counts[entry].into(),
            Numbers::Big(big) => big.counts[entry].clone(),
        }
    }

    /// The value of an edge.
    pub fn value(&self, edge: DagEdgeId) -> Number {
        match &self.numbers {
            Numbers::Words(words) => words.values[edge.index()].into(),
            Numbers::Big(big) => big.values[edge.index()].clone(),
        }
    }

    /// The values of all edges.
    pub fn values(&self) -> EdgeValues {
        EdgeValues::from_fn(&self.dag, |edge| self.value(edge))
    }

    /// The number of a path. O(length).
    pub fn number(&self, path: &DagPath) -> Number {
        match &self.numbers {
            Numbers::Words(words) => {
                let values = path.edges().iter().map(|e| words.values[e.index()]);
                values.sum::<u64>().into()
            }
            Numbers::Big(big) => {
                let values = path.edges().iter().map(|e| &big.values[e.index()]);
                values.sum()
            }
        }
    }

    /// The path of a number. At each block the last edge whose value is not above what remains of
    /// the number is the one the path took. O(length), and log of the branches of a switch.
    ///
    /// # Errors
    ///
    /// If there are not so many paths.
    pub fn path(&self, number: &Number) -> Result<DagPath, NoSuchPath> {
        if *number >= self.paths() || *number < Number::ZERO {
            return Err(NoSuchPath {
                number: number.clone(),
                paths: self.paths(),
            });
        }
        let edges = match &self.numbers {
            Numbers::Words(words) => {
                let number = u64::try_from(number).expect("it is below a count of paths");
                regenerate(&self.dag, &words.values, number)
            }
            Numbers::Big(big) => regenerate(&self.dag, &big.values, number.clone()),
        };
        Ok(DagPath::from_trusted(edges))
    }
}

/// Figure 3.1, in integers of type T; the block at which a count does not fit, if one does not.
fn count<T>(
    dag: &Acyclic,
    add: impl Fn(&T, &T) -> Option<T>,
    fits: impl Fn(&T) -> bool,
) -> Result<Counted<T>, BlockId>
where
    T: Clone + Default + From<u8>,
{
    let mut values = vec![T::default(); dag.edge_count()];
    let mut counts = vec![T::default(); dag.block_count()];
    counts[dag.exit().index()] = T::from(1);
    if !fits(&T::from(1)) {
        return Err(dag.exit());
    }
    for &block in dag.topological().iter().rev() {
        if block == dag.exit() {
            continue;
        }
        let mut count = T::default();
        for &edge in dag.out(block) {
            let through = add(&count, &counts[dag.ends(edge).1.index()]).ok_or(block)?;
            values[edge.index()] = std::mem::replace(&mut count, through);
        }
        if !fits(&count) {
            return Err(block);
        }
        counts[block.index()] = count;
    }
    Ok(Counted { values, counts })
}

/// The edges of the path whose values add up to a number below the number of paths.
fn regenerate<T>(dag: &Acyclic, values: &[T], mut rest: T) -> Vec<DagEdgeId>
where
    T: Ord + Clone + std::ops::Sub<Output = T>,
{
    let mut edges = Vec::new();
    let mut block = dag.entry();
    while block != dag.exit() {
        let out = dag.out(block);
        let after = out.partition_point(|&e| values[e.index()] <= rest);
        let edge = out[after - 1];
        rest = rest - values[edge.index()].clone();
        edges.push(edge);
        block = dag.ends(edge).1;
    }
    edges
}

/// The values when each block's edges are numbered in an order that the caller chooses. O(V + E), and the
/// cost of the order.
pub(super) fn assign(dag: &Acyclic, order: impl Fn(&[DagEdgeId]) -> Vec<DagEdgeId>) -> EdgeValues {
    let mut values = EdgeValues::zero(dag);
    let mut counts = vec![Number::ZERO; dag.block_count()];
    for &block in dag.topological().iter().rev() {
        let mut count = Number::from(u32::from(block == dag.exit()));
        for edge in order(dag.out(block)) {
            values.set(edge, count.clone());
            count += &counts[dag.ends(edge).1.index()];
        }
        counts[block.index()] = count;
    }
    values
}
