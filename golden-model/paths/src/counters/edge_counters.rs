//! Edge profiles by edge counters, Eprof(Ecnt).
//!
//! Close the graph by an edge from the exit to the entry, which runs once a call. Edges without a counter must form
//! no undirected cycle: along a cycle flow could be added unseen. Where they form none, a leaf of the forest has one
//! edge without a count, which the others around the leaf determine; take it away, and go on. So the cheapest
//! counters are those on the chords of a spanning tree of maximal weight that holds the closing edge.
//!
//! From the document, section 3.2; the characterisation is Knuth's.
use thiserror::Error;

use super::circulation::Circulation;
use super::places::{CounterPlaces, Counters};
use super::profile::{EdgeProfile, InconsistentCounts};
use crate::graph::{BlockId, EdgeId, Flow, Weights};

/// Counters on edges that determine an edge profile.
///
/// The document's figure 5, on its figure 1 with that weighting: an arbitrary spanning tree costs 16.75, a maximal
/// one 11.5.
///
/// ```
/// use hpp_paths::counters::EdgeCounters;
/// use hpp_paths::graph::{Cfg, EdgeId, Weights};
/// let edges = [
///     ("P", "Q", 10.5), ("P", "EXIT", 0.5), ("Q", "A", 5.25), ("Q", "B", 5.25), ("A", "R", 5.25), ("B", "R", 5.25),
///     ("R", "C", 10.0), ("R", "EXIT", 0.5), ("C", "P", 10.0),
/// ];
/// let cfg = Cfg::from_edges(edges.map(|(from, to, _)| (from, to)))?;
/// let weights = Weights::from_fn(&cfg, |edge| edges[edge.index()].2);
/// // Figure 5 (a): on P -> Q, P -> EXIT, Q -> A and R -> EXIT.
/// let some = EdgeCounters::at(&cfg, &[0, 1, 2, 7].map(EdgeId::new))?;
/// assert_eq!(some.places().cost(&weights), 16.75);
/// // Figure 5 (b).
/// let best = EdgeCounters::optimal(&cfg, &weights);
/// assert_eq!(best.places().cost(&weights), 11.5);
///
/// // P Q A R C P Q B R EXIT: four counters tell how often each of nine edges ran.
/// let execution = [0, 2, 4, 6, 8, 0, 3, 5, 7].map(EdgeId::new);
/// let mut counters = best.places().counters();
/// counters.call(&execution)?;
/// let profile = best.profile(&counters)?;
/// let counts: Vec<u64> = cfg.edges().map(|edge| profile.edge(edge)).collect();
/// assert_eq!(counts, [2, 0, 1, 1, 1, 1, 1, 1, 1]);
/// assert_eq!(profile.calls(), 1);
///
/// // Figure 7: a division by zero in A ends the procedure, so that A -> R never ran.
/// let mut counters = best.places().counters();
/// counters.call(&execution[..2])?;
/// assert_eq!(best.profile(&counters)?.edge(EdgeId::new(4)), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeCounters {
    places: CounterPlaces,
    circulation: Circulation,
}

/// Counters that do not determine an edge profile.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the edge `{edge}` and others without a counter form a cycle; count one of them")]
pub struct Undetermined {
    /// An edge of the cycle.
    pub edge: String,
}

impl EdgeCounters {
    /// The cheapest ones under these frequencies. O(E log E).
    pub fn optimal(flow: &Flow, weights: &Weights) -> Self {
        Self::preferring(flow, |edge| weights.edge(edge))
    }

    /// The dearest ones that a spanning tree gives: how much there is to lose. O(E log E).
    pub fn worst(flow: &Flow, weights: &Weights) -> Self {
        Self::preferring(flow, |edge| -weights.edge(edge))
    }

    /// Counters in places that the caller chooses, more than a tree needs or not. O(E log E).
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
        match flow
            .edges()
            .find(|&e| is_free(e) && !circulation.in_forest(e.index()))
        {
            None => Ok(Self::with(flow, circulation)),
            Some(edge) => Err(Undetermined {
                edge: flow.edge_name(edge),
            }),
        }
    }

    /// Counters on the chords of the spanning tree that these preferences make maximal.
    fn preferring(flow: &Flow, preference: impl Fn(EdgeId) -> f64) -> Self {
        let reached = flow.reachable();
        let preference =
            |edge: EdgeId| reached[flow.ends(edge).0.index()].then(|| preference(edge));
        Self::with(flow, closed(flow, preference))
    }

    /// Counters where control can come and the forest does not.
    fn with(flow: &Flow, circulation: Circulation) -> Self {
        let reached = flow.reachable();
        let edge = |edge: EdgeId| {
            reached[flow.ends(edge).0.index()] && !circulation.in_forest(edge.index())
        };
        // A procedure of a single block has a closing edge that leads to where it comes from.
        let alone = flow.entry() == flow.exit();
        let places = CounterPlaces::new(flow, edge, |block| alone && block == flow.entry());
        EdgeCounters {
            places,
            circulation,
        }
    }

    /// Where they stand. A procedure of a single block has its counter there.
    pub fn places(&self) -> &CounterPlaces {
        &self.places
    }

    /// The profile that the counts determine: figure 6, without recursion. O(V + E).
    ///
    /// # Errors
    ///
    /// If no execution has these counts.
    pub fn profile(&self, counters: &Counters) -> Result<EdgeProfile, InconsistentCounts> {
        let flow = self.places.flow();
        let (edges, calls) = recover(flow, &self.circulation, counters)?;
        EdgeProfile::new(flow, &edges, calls)
    }

    pub(super) fn circulation(&self) -> &Circulation {
        &self.circulation
    }
}

/// Tells of an edge whether control can reach it and no counter stands on it.
pub(super) fn without(flow: &Flow, counted: &[EdgeId]) -> impl Fn(EdgeId) -> bool {
    let reached = flow.reachable();
    let is_reached = |edge: EdgeId| reached[flow.ends(edge).0.index()];
    let mut free: Vec<bool> = flow.edges().map(is_reached).collect();
    counted.iter().for_each(|edge| free[edge.index()] = false);
    move |edge| free[edge.index()]
}

/// The graph closed by an edge from exit to entry, which is the last and in the forest before all others.
pub(super) fn closed(flow: &Flow, preference: impl Fn(EdgeId) -> Option<f64>) -> Circulation {
    let ends = |(from, to): (BlockId, BlockId)| (from.index(), to.index());
    let closing = ends((flow.exit(), flow.entry()));
    let all = flow
        .edges()
        .map(|edge| ends(flow.ends(edge)))
        .chain([closing]);
    let last = flow.edges().len();
    Circulation::maximal(flow.blocks().len(), all.collect(), |edge| {
        match edge == last {
            true => Some(f64::INFINITY),
            // However often an edge runs, it comes after the closing one.
            false => preference(EdgeId::new(edge)).map(|often| often.min(f64::MAX)),
        }
    })
}

/// The flow of every edge, and the calls.
pub(super) fn recover(
    flow: &Flow,
    circulation: &Circulation,
    counters: &Counters,
) -> Result<(Vec<i128>, i128), InconsistentCounts> {
    let counted = flow.edges().map(|edge| i128::from(counters.edge(edge)));
    let alone = i128::from(counters.block(flow.entry()));
    let mut values: Vec<i128> = counted.chain([alone]).collect();
    if let Some((block, surplus)) = circulation.propagate(&mut values, counters.supply()) {
        let block = flow.name(BlockId::new(block)).into();
        return Err(InconsistentCounts::NotConserved { block, surplus });
    }
    let calls = values.pop().expect("the closing edge is the last");
    Ok((values, calls))
}
