//! Block profiles by block counters, Vprof(Vcnt).
//!
//! Give each block an *in* port and an *out* port. An edge joins the out port of its source with the in port of its
//! target: ports that are joined, directly or by others, form a class, and what comes out of blocks into a class goes
//! from there into blocks. So the counts of blocks are a flow on another graph, whose vertices are the classes and
//! whose edges are the blocks:
//!
//! ```text
//!     a -> c, b -> c, b -> d        {out a, out b, in c, in d} is a class:  a + b = c + d
//! ```
//!
//! As with edge counters, the blocks without a counter must form no cycle there, and the cheapest counters are in the
//! chords of a spanning tree of maximal weight. The out port of the exit is joined with the in port of the entry.
//!
//! From Knuth and Stevenson, "Optimal Measurement Points for Program Frequency Counts" (1973); the document's section
//! 3.1 compares.
use petgraph::unionfind::UnionFind;

use super::circulation::Circulation;
use super::places::{CounterPlaces, Counters};
use super::profile::{BlockProfile, InconsistentCounts};
use crate::graph::{BlockId, Flow, Weights};

/// Counters in blocks that determine a block profile. See the [module](super) for the document's example.
#[derive(Clone, Debug)]
pub struct BlockCounters {
    places: CounterPlaces,
    circulation: Circulation,
    classes: usize,
}

impl BlockCounters {
    /// The cheapest ones under these frequencies, which for this must themselves conserve flow. O(E log E).
    pub fn optimal(flow: &Flow, weights: &Weights) -> Self {
        let mut reached = flow.reachable();
        // Early exits lead there.
        reached[flow.exit().index()] = true;
        let (classes, ends) = classes(flow, &reached);
        let circulation = Circulation::maximal(classes, ends, |block| {
            reached[block].then(|| weights.block(flow, BlockId::new(block)))
        });
        let has = |block: BlockId| reached[block.index()] && !circulation.in_forest(block.index());
        let places = CounterPlaces::new(flow, |_| false, has);
        BlockCounters {
            places,
            circulation,
            classes,
        }
    }

    /// Where they stand.
    pub fn places(&self) -> &CounterPlaces {
        &self.places
    }

    /// The profile that the counts determine. O(V + E).
    ///
    /// # Errors
    ///
    /// If no execution has these counts.
    pub fn profile(&self, counters: &Counters) -> Result<BlockProfile, InconsistentCounts> {
        let flow = self.places.flow();
        let exit = flow.exit().index();
        let counted = flow.blocks().map(|block| i128::from(counters.block(block)));
        let mut values: Vec<i128> = counted.collect();
        let early: i128 = flow
            .blocks()
            .map(|b| i128::from(counters.early_exits(b)))
            .sum();
        // A call that ends early goes through the exit, too, as far as the law is concerned.
        if self.places.has_block(flow.exit()) {
            values[exit] += early;
        }
        let mut supply = vec![0; self.classes];
        for block in flow.blocks() {
            let early = i128::from(counters.early_exits(block));
            supply[self.circulation.ends(block.index()).1] -= early;
        }
        supply[self.circulation.ends(exit).0] += early;
        if let Some((class, surplus)) = self.circulation.propagate(&mut values, supply) {
            return Err(self.not_conserved(class, surplus));
        }
        let calls = values[exit];
        values[exit] -= early;
        BlockProfile::new(flow, values, calls)
    }

    /// The classes of what control can reach are in one tree, so this comes of an early exit elsewhere.
    fn not_conserved(&self, class: usize, surplus: i128) -> InconsistentCounts {
        let flow = self.places.flow();
        let touches = |block: &BlockId| {
            let (into, out) = self.circulation.ends(block.index());
            [into, out].contains(&class)
        };
        let block = flow.blocks().find(touches).unwrap_or(flow.entry());
        let block = flow.name(block).into();
        InconsistentCounts::NotConserved { block, surplus }
    }
}

/// The number of classes of ports, and for each block the classes of its in port and its out port.
fn classes(flow: &Flow, reached: &[bool]) -> (usize, Vec<(usize, usize)>) {
    let count = flow.blocks().len();
    let mut joined = UnionFind::new(2 * count);
    let into = |block: BlockId| block.index();
    let out = |block: BlockId| count + block.index();
    joined.union(out(flow.exit()), into(flow.entry()));
    for edge in flow.edges() {
        let (from, to) = flow.ends(edge);
        if reached[from.index()] {
            joined.union(out(from), into(to));
        }
    }
    let labels = joined.into_labeling();
    let mut numbers = vec![None; labels.len()];
    let mut classes = 0;
    let mut number = |port: usize| {
        *numbers[labels[port]].get_or_insert_with(|| {
            classes += 1;
            classes - 1
        })
    };
    let ends = flow.blocks().map(|b| (number(into(b)), number(out(b))));
    let ends = ends.collect();
    (classes, ends)
}
