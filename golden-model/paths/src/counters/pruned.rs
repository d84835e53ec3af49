//! Block profiles by edge counters, Vprof(Ecnt).
//!
//! For the blocks alone fewer counters do. Flow can be added unseen along a cycle of edges without counters: to those
//! in its direction, and taken from those against it. Where two edges meet in a *fork* (both leave the block) or a
//! *join* (both enter it), the block does not notice, for one gains what the other loses; where they form a *pipe*
//! (one enters, one leaves) the block's own frequency changes. So cycles without a pipe need no counter, and all
//! others do:
//!
//! ```text
//!      a --> f <-- e --> b <-- a        forks at a and e, joins at f and b
//! ```
//!
//! To find the cheapest such counters seems to be hard. The heuristic of the document's figure 11 begins with those for
//! an edge profile and takes away each whose edge closes a cycle without a pipe with the tree.
//!
//! # A restriction that is not needed
//!
//! As printed, the heuristic takes a counter away only if the cycle has no block in common with those of the counters taken away before.
//! So two of them do not make a simple cycle with a pipe. They never do. A simple cycle among the
//! tree and the edges added to it is the sum of the cycles that these edges close with the tree, where an edge in two of
//! them drops out. A cycle without a pipe enters each block over no edge or over two, so a sum of such cycles enters it over
//! an even number; at a pipe it would be one. So here all of them are taken away.
//!
//! From the document, section 3.3.
use super::circulation::{Circulation, Walked};
use super::edge_counters::{EdgeCounters, Undetermined, closed, recover, without};
use super::places::{CounterPlaces, Counters};
use super::profile::{BlockProfile, InconsistentCounts, inflow};
use crate::graph::{EdgeId, Flow, Weights};

/// Counters on edges that determine a block profile. See the [module](super) for the document's example.
#[derive(Clone, Debug)]
pub struct PrunedEdgeCounters {
    places: CounterPlaces,
    circulation: Circulation,
    removed: Vec<EdgeId>,
}

impl PrunedEdgeCounters {
    /// The counters of [`EdgeCounters::optimal`] but for those whose edge closes a cycle without a pipe. O(E log E) for the
    /// tree, and O(V) for each of its chords.
    pub fn heuristic(flow: &Flow, weights: &Weights) -> Self {
        let all = EdgeCounters::optimal(flow, weights);
        let circulation = all.circulation().clone();
        let parents = circulation.parents();
        let pipeless = |edge: &EdgeId| is_pipeless(&circulation.cycle(edge.index(), &parents));
        let removed: Vec<EdgeId> = all.places().edges().filter(pipeless).collect();
        let mut has = vec![false; flow.edges().len()];
        all.places()
            .edges()
            .for_each(|edge| has[edge.index()] = true);
        removed.iter().for_each(|edge| has[edge.index()] = false);
        let places = CounterPlaces::new(
            flow,
            |edge| has[edge.index()],
            |block| all.places().has_block(block),
        );
        PrunedEdgeCounters {
            places,
            circulation,
            removed,
        }
    }

    /// Counters in places that the caller chooses, as few as do or more. They determine a block profile exactly if every simple cycle without a
    /// counter is without a pipe (the theorem of section 3.3.1). Those that single edges close with a spanning forest tell: see the module on sums
    /// of cycles. O(V + E), and O(V) for each edge off the forest.
    ///
    /// ```
    /// use hpp_paths::counters::PrunedEdgeCounters;
    /// use hpp_paths::graph::{Cfg, EdgeId};
    /// // As in figure 10: a cycle with a pipe at b, neither a diamond nor directed all the way round.
    /// let cfg = Cfg::from_edges([
    ///     ("s", "a"), ("s", "d"), ("a", "b"), ("b", "c"), ("d", "c"), ("d", "e"), ("a", "e"), ("c", "t"), ("e", "t"),
    /// ])?;
    /// let [x, y, z] = [0, 1, 7].map(EdgeId::new);
    /// assert!(PrunedEdgeCounters::at(&cfg, &[x, y, z]).is_err());
    /// assert!(PrunedEdgeCounters::at(&cfg, &[x, y, z, EdgeId::new(2)]).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If they do not determine a profile.
    ///
    /// # Panics
    ///
    /// If an edge is not of this graph.
    pub fn at(flow: &Flow, counted: &[EdgeId]) -> Result<Self, Undetermined> {
        let is_free = without(flow, counted);
        let circulation = closed(flow, |edge| is_free(edge).then_some(0.0));
        let parents = circulation.parents();
        let removed = flow
            .edges()
            .filter(|&edge| is_free(edge) && !circulation.in_forest(edge.index()));
        let removed: Vec<EdgeId> = removed.collect();
        let piped = |edge: &&EdgeId| !is_pipeless(&circulation.cycle(edge.index(), &parents));
        if let Some(&edge) = removed.iter().find(piped) {
            let edge = flow.edge_name(edge);
            return Err(Undetermined { edge });
        }
        let reached = flow.reachable();
        let has = |edge: EdgeId| !is_free(edge) && reached[flow.ends(edge).0.index()];
        let alone = flow.entry() == flow.exit();
        let places = CounterPlaces::new(flow, has, |block| alone && block == flow.entry());
        Ok(PrunedEdgeCounters {
            places,
            circulation,
            removed,
        })
    }

    /// Where they stand.
    pub fn places(&self) -> &CounterPlaces {
        &self.places
    }

    /// The chords of the tree that have no counter.
    pub fn removed(&self) -> &[EdgeId] {
        &self.removed
    }

    /// The block profile that the counts determine: figure 8, in which each removed chord breaks its cycle with a
    /// count of 0. The flow of edges on such a cycle is not that of the execution and may be negative; that of blocks
    /// is right. O(V + E).
    ///
    /// # Errors
    ///
    /// If no execution has these counts.
    pub fn profile(&self, counters: &Counters) -> Result<BlockProfile, InconsistentCounts> {
        let flow = self.places.flow();
        let (edges, calls) = recover(flow, &self.circulation, counters)?;
        BlockProfile::new(flow, inflow(flow, &edges, calls), calls)
    }
}

/// Whether the directions along a cycle alternate.
fn is_pipeless(cycle: &[Walked]) -> bool {
    let next = cycle.iter().cycle().skip(1);
    cycle.iter().zip(next).all(|(one, next)| one.1 != next.1)
}
