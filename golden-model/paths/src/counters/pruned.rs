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
//! To find the cheapest such counters seems to be hard. The heuristic of the document's figure 11 begins with those
//! for an edge profile and takes them away, the dearest first, where the one cycle that the edge closes with the tree
//! has no pipe. So that two such cycles do not make one with a pipe, they may have no block in common.
//!
//! From the document, section 3.3.
use super::circulation::Circulation;
use super::edge_counters::{EdgeCounters, recover};
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
    /// The counters of [`EdgeCounters::optimal`] but for those that the heuristic finds not to be needed. O(E log E)
    /// for the tree, and O(V) for each of its chords.
    #[must_use]
    pub fn heuristic(flow: &Flow, weights: &Weights) -> Self {
        let all = EdgeCounters::optimal(flow, weights);
        let circulation = all.circulation();
        let mut chords: Vec<EdgeId> = all.places().edges().collect();
        chords.sort_by(|&a, &b| weights.edge(b).total_cmp(&weights.edge(a)));
        let parents = circulation.parents();
        let mut marked = vec![false; flow.blocks().len()];
        let mut removed = Vec::new();
        for chord in chords {
            let cycle = circulation.cycle(chord.index(), &parents);
            let directions: Vec<bool> = cycle.iter().map(|&(_, along)| along).collect();
            let vertices: Vec<usize> = cycle
                .iter()
                .flat_map(|&(edge, _)| <[usize; 2]>::from(circulation.ends(edge)))
                .collect();
            if is_pipeless(&directions) && !vertices.iter().any(|&v| marked[v]) {
                vertices.iter().for_each(|&v| marked[v] = true);
                removed.push(chord);
            }
        }
        let has = |edge: EdgeId| all.places().has_edge(edge) && !removed.contains(&edge);
        let places = CounterPlaces::new(flow, has, |block| all.places().has_block(block));
        PrunedEdgeCounters {
            places,
            circulation: circulation.clone(),
            removed,
        }
    }

    /// Where they stand.
    #[must_use]
    pub fn places(&self) -> &CounterPlaces {
        &self.places
    }

    /// The chords of the tree that have no counter.
    #[must_use]
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
fn is_pipeless(directions: &[bool]) -> bool {
    let next = directions.iter().cycle().skip(1);
    directions.iter().zip(next).all(|(one, next)| one != next)
}
