//! Selective path profiling: unique path sums for some paths, with few probes.
//!
//! Where preferential profiling wants small numbers, selective profiling wants few edges that need
//! any code. It runs in three phases, each linear in the edges of the acyclic form:
//!
//! 1. **Values.** Number as Ball and Larus do, but at each block take the edges no path of interest
//!    uses first. Then a path that leaves the paths of interest has a smaller sum than those
//!    that stay at that block.
//! 2. **Pushing.** In topological order, the value of a block's only incoming edge moves to all its
//!    outgoing edges. Path sums stay; values meet and merge, or end up where phase 3 drops them.
//! 3. **Removal.** Edges no path of interest uses get the value 0. Only sums of other paths fall.
//!
//! The result: each path of interest has a sum that no other path, of interest or not, has.
//!
//! From Apiwattanapong and Harrold, "Selective Path Profiling" (2002), figure 4.
//!
//! # A restriction the paper lacks
//!
//! As printed, phases 2 and 3 together can break that promise. Let block u have two edges of
//! interest, and let the one with the higher value d lead to a block with no other way in. Phase 2 moves d to the edges
//! out of that block, one of which no path of interest uses; phase 3 drops it there. A path that
//! goes that way has now lost d, the very amount that kept it above the paths through u's lower
//! edge, and may meet one of their sums. So here d moves only if none of the edges it would move to is dropped. It also moves if it stands
//! on the lowest edge of interest of its block, where it separates no path of interest from another. [`Pushing::AsPrinted`] leaves the restriction out, to compare.
use rustc_hash::FxHashMap;

use super::ball_larus::{self, BallLarus, TooManyPaths};
use super::interesting::Interesting;
use super::values::EdgeValues;
use crate::Number;
use crate::graph::{Acyclic, DagEdgeId};

/// Which values phase 2 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushing {
    /// Those whose removal in phase 3 keeps sums of interest unique.
    Restricted,
    /// All, as in the paper.
    AsPrinted,
}

/// The selective numbering of some paths of an [`Acyclic`].
///
/// The paper's example, figures 1 and 5 (c): a loop from block 7 to block 4.
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, DagPath};
/// use hpp_paths::numbering::{Interesting, Pushing, Selective};
/// let cfg = Cfg::from_edges([
///     ("1", "3"), ("1", "2"), ("2", "4"), ("3", "4"), ("4", "5"), ("4", "8"), ("5", "6"), ("5", "7"), ("6", "7"), ("7", "4"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// let path = |blocks: &str| {
///     let blocks = blocks.split(' ').map(|name| cfg.find(name).unwrap());
///     DagPath::from_blocks(&dag, &blocks.collect::<Vec<_>>())
/// };
/// let interesting = Interesting::new(&dag, vec![path("1 2 4 5 7 8")?, path("1 4 5 7 8")?])?;
/// let selective = Selective::new(&interesting, Pushing::Restricted)?;
/// // 2 -> 4 has 3, 5 -> 7 has 2 and the start at 4 has 6; all other edges have 0.
/// assert_eq!(selective.sums(), [5.into(), 8.into()]);
/// assert_eq!(selective.values.probes(), 3);
/// assert_eq!(selective.position(&8.into()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selective {
    /// The values after phase 1.
    pub assigned: EdgeValues,
    /// The values after phase 2.
    pub pushed: EdgeValues,
    /// The values after phase 3: the result.
    pub values: EdgeValues,
    sums: Vec<Number>,
    positions: FxHashMap<Number, usize>,
}

impl Selective {
    /// Numbers the paths of interest in machine words. O(E) additions, after marking their edges.
    ///
    /// # Errors
    ///
    /// If the graph has more than 2^64 - 1 paths.
    pub fn new(interesting: &Interesting, pushing: Pushing) -> Result<Self, TooManyPaths> {
        BallLarus::new(interesting.dag())?;
        Ok(Self::number(interesting, pushing))
    }

    /// Numbers the paths of interest, however many paths the graph has. O(E) additions of numbers as long as the count
    /// of paths, after marking their edges.
    pub fn exact(interesting: &Interesting, pushing: Pushing) -> Self {
        Self::number(interesting, pushing)
    }

    fn number(interesting: &Interesting, pushing: Pushing) -> Self {
        let dag = interesting.dag();
        let used = interesting.edges();
        let order = |edges: &[DagEdgeId]| {
            let mut edges = edges.to_vec();
            edges.sort_by_key(|e| used[e.index()]);
            edges
        };
        let assigned = ball_larus::assign(dag, order);
        let mut pushed = assigned.clone();
        Push::new(dag, &used, pushing).run(&mut pushed);
        let mut values = pushed.clone();
        for edge in dag.edges().filter(|e| !used[e.index()]) {
            values.set(edge, Number::ZERO);
        }
        let sums: Vec<Number> = interesting.paths().iter().map(|p| values.sum(p)).collect();
        let positions = sums.iter().cloned().zip(0..).collect();
        Selective {
            assigned,
            pushed,
            values,
            sums,
            positions,
        }
    }

    /// The sums of the paths of interest, in the order of the set.
    pub fn sums(&self) -> &[Number] {
        &self.sums
    }

    /// The path of interest a sum belongs to, as its position in the set. Every other path's sum
    /// gives `None`; no second counter is needed. O(1).
    pub fn position(&self, sum: &Number) -> Option<usize> {
        self.positions.get(sum).copied()
    }
}

/// Phase 2.
struct Push<'a> {
    dag: &'a Acyclic,
    used: &'a [bool],
    /// For each edge, whether its value has a part that must not be dropped.
    needed: Vec<bool>,
}

impl<'a> Push<'a> {
    fn new(dag: &'a Acyclic, used: &'a [bool], pushing: Pushing) -> Self {
        let mut needed = vec![false; dag.edge_count()];
        if pushing == Pushing::Restricted {
            for &block in dag.topological() {
                let of_interest = dag.out(block).iter().filter(|e| used[e.index()]);
                // Phase 1 gave the first of them the lowest value.
                for edge in of_interest.skip(1) {
                    needed[edge.index()] = true;
                }
            }
        }
        Push { dag, used, needed }
    }

    fn run(mut self, values: &mut EdgeValues) {
        for &block in self.dag.topological() {
            let ([into], true) = (self.dag.incoming(block), block != self.dag.exit()) else {
                continue;
            };
            if self.may_leave(*into) {
                self.push(*into, values);
            }
        }
    }

    /// Whether the value of an edge may move on to the edges after it.
    fn may_leave(&self, edge: DagEdgeId) -> bool {
        let mut after = self.dag.out(self.dag.ends(edge).1).iter();
        !self.needed[edge.index()] || after.all(|e| self.used[e.index()])
    }

    fn push(&mut self, edge: DagEdgeId, values: &mut EdgeValues) {
        let moved = values.get(edge).clone();
        for &after in self.dag.out(self.dag.ends(edge).1) {
            values.set(after, values.get(after) + &moved);
            self.needed[after.index()] |= self.needed[edge.index()];
        }
        values.set(edge, Number::ZERO);
    }
}
