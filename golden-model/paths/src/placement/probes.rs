//! Probes: the code a software profiler puts on edges to compute path sums while a program runs.
//!
//! One register `r` holds the sum of the path under way. Naively it is set to 0 where paths begin,
//! grows on every edge with a value, and selects a counter where paths end. Three steps make that
//! cheap (Ball and Larus, "Efficient Path Profiling", 1996; Vaswani's thesis, section 3.6):
//!
//! 1. Values move to the chords of a spanning tree, see [`SpanningTree`].
//! 2. Setting moves down from the entry, through tree edges to blocks with no other way in, and
//!    where it meets a chord becomes one with it: `r = increment`.
//! 3. Counting moves up from the exit, through tree edges out of blocks with no other way out, and
//!    merges likewise: `count[r + increment]++`.
//!
//! Where counting moved above the place where the register would be set, the sum is known:
//! `count[increment]++`, and no register is needed. A procedure of a single block, which has no
//! edges, counts at its entry.
//!
//! # Values that stay
//!
//! Step 1 makes most edges equal: about E - V + 2 of them are chords, whatever the values are. A numbering that puts
//! values on few edges to begin with (selective profiling does) loses by it. [`Probes::kept`] leaves every value
//! where it is, sets the register once in the entry block and counts once in the exit block.
use std::fmt;

use super::spanning::SpanningTree;
use crate::Number;
use crate::graph::{Acyclic, DagEdge, DagEdgeId, Weights};
use crate::numbering::EdgeValues;

/// What a probe does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// `r = value`
    Set(Number),
    /// `r += value`
    Add(Number),
    /// `count[r + value]++`
    Count(Number),
    /// `count[value]++`
    CountAt(Number),
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Probe::Set(value) => write!(f, "r = {value}"),
            Probe::Add(value) if *value < Number::ZERO => write!(f, "r -= {}", -value),
            Probe::Add(value) => write!(f, "r += {value}"),
            Probe::Count(value) if value.is_zero() => write!(f, "count[r]++"),
            Probe::Count(value) if *value < Number::ZERO => write!(f, "count[r - {}]++", -value),
            Probe::Count(value) => write!(f, "count[r + {value}]++"),
            Probe::CountAt(value) => write!(f, "count[{value}]++"),
        }
    }
}

/// The probes of one numbering: at most one on each edge of the acyclic form, in the entry and in the exit.
///
/// The probes of figure 3.4 (a) of Vaswani's thesis, before anything moves:
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, Weights};
/// use hpp_paths::numbering::BallLarus;
/// use hpp_paths::placement::Probes;
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// let values = BallLarus::new(&dag)?.values();
/// let naive = Probes::naive(&values);
/// let on = |probes: &Probes| dag.edges().map(|edge| probes.on(edge).map(ToString::to_string)).collect::<Vec<_>>();
/// let text = |probe: &str| Some(probe.to_owned());
/// assert_eq!(on(&naive), [
///     text("r = 0"), text("r = 4"), None, text("r += 2"), None, None, text("count[r + 1]++"), text("count[r]++"),
/// ]);
/// // On the chords of a tree that holds what runs most, fewer of them run.
/// let weights = Weights::heuristic(&cfg);
/// let optimised = Probes::optimised(&values, &weights);
/// assert!(optimised.cost(&weights, 1.0) <= naive.cost(&weights, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probes {
    edges: Vec<Option<Probe>>,
    entry: Option<Probe>,
    exit: Option<Probe>,
    increments: EdgeValues,
}

impl Probes {
    /// Probes for the values as they are, set at the entry's edges and counted at the exit's. O(V + E).
    pub fn naive(values: &EdgeValues) -> Self {
        Self::place(values.clone(), &SpanningTree::empty(values.dag()))
    }

    /// Probes on the chords of the maximal spanning tree for these frequencies. The tree does not
    /// depend on the values, so two numberings of one graph set and count on the same edges.
    /// O(E log E).
    pub fn optimised(values: &EdgeValues, weights: &Weights) -> Self {
        let tree = SpanningTree::maximal(values.dag(), weights);
        Self::place(tree.increments(values), &tree)
    }

    /// Probes on the edges that have values, the register set in the entry block and the path counted in the exit block:
    /// for numberings with few values. Where paths break, the stop counts and the start sets. O(E).
    pub fn kept(values: &EdgeValues) -> Self {
        let dag = values.dag();
        if dag.entry() == dag.exit() {
            return Self::naive(values);
        }
        let probe = |edge: DagEdgeId| {
            let value = values.get(edge);
            match dag.kind(edge) {
                DagEdge::Stop { .. } => Some(Probe::Count(value.clone())),
                DagEdge::Start { .. } => Some(Probe::Set(value.clone())),
                DagEdge::Real(_) => (!value.is_zero()).then(|| Probe::Add(value.clone())),
            }
        };
        Probes {
            edges: dag.edges().map(probe).collect(),
            entry: Some(Probe::Set(Number::ZERO)),
            exit: Some(Probe::Count(Number::ZERO)),
            increments: values.clone(),
        }
    }

    fn place(increments: EdgeValues, tree: &SpanningTree) -> Self {
        let dag = increments.dag();
        let unset = unset(dag, tree);
        let counted = counted(dag, tree);
        let probe = |edge: DagEdgeId| {
            let (from, to) = dag.ends(edge);
            let [unset_from, unset_to] = [from, to].map(|b| unset[b.index()]);
            let [counted_from, counted_to] = [from, to].map(|b| counted[b.index()]);
            let value = increments.get(edge).clone();
            match (counted_from, counted_to) {
                (true, _) => None,
                (false, true) if unset_from => Some(Probe::CountAt(value)),
                (false, true) => Some(Probe::Count(value)),
                (false, false) if unset_from && !unset_to => Some(Probe::Set(value)),
                (false, false) if !value.is_zero() => Some(Probe::Add(value)),
                (false, false) => None,
            }
        };
        let edges = dag.edges().map(probe).collect();
        let single = counted[dag.entry().index()];
        Probes {
            edges,
            entry: single.then_some(Probe::CountAt(Number::ZERO)),
            exit: None,
            increments,
        }
    }

    /// What is profiled.
    pub fn dag(&self) -> &Acyclic {
        self.increments.dag()
    }

    /// The probe on an edge of the acyclic form. One on a dummy belongs to each of the broken edges it
    /// stands for: first the probe of the stop, then that of the start.
    pub fn on(&self, edge: DagEdgeId) -> Option<&Probe> {
        self.edges[edge.index()].as_ref()
    }

    /// The probe in the entry block: the register set there by [`kept`](Self::kept), or the count of a procedure of a
    /// single block. It also runs when a broken edge leads to the entry.
    pub fn at_entry(&self) -> Option<&Probe> {
        self.entry.as_ref()
    }

    /// The probe in the exit block, which [`kept`](Self::kept) alone has.
    pub fn at_exit(&self) -> Option<&Probe> {
        self.exit.as_ref()
    }

    /// The values the probes add up.
    pub fn increments(&self) -> &EdgeValues {
        &self.increments
    }

    /// How many probes there are, on edges, in the entry and in the exit.
    pub fn count(&self) -> usize {
        let blocks = [&self.entry, &self.exit];
        self.edges.iter().chain(blocks).flatten().count()
    }

    /// How many probes run, under these frequencies of edges and calls.
    pub fn cost(&self, weights: &Weights, calls: f64) -> f64 {
        let dag = self.dag();
        let probed = dag.edges().filter(|&e| self.on(e).is_some());
        let on_edges: f64 = probed.map(|e| weights.dag_edge(dag, e)).sum();
        let real = |e: &&DagEdgeId| matches!(dag.kind(**e), DagEdge::Real(_));
        let exits = dag.incoming(dag.exit()).iter().filter(real);
        let exits: f64 = exits.map(|&e| weights.dag_edge(dag, e)).sum();
        let again = dag
            .broken()
            .iter()
            .filter(|&&e| dag.flow().ends(e).1 == dag.entry());
        let entries: f64 = calls + again.map(|&e| weights.edge(e)).sum::<f64>();
        let at_entry = self.entry.as_ref().map_or(0.0, |_| entries);
        let at_exit = self.exit.as_ref().map_or(0.0, |_| exits);
        on_edges + at_entry + at_exit
    }
}

/// The blocks at which the register need not be set yet: the entry, and those with one way in, a
/// tree edge, from such a block.
fn unset(dag: &Acyclic, tree: &SpanningTree) -> Vec<bool> {
    let mut unset = vec![false; dag.block_count()];
    unset[dag.entry().index()] = true;
    for &block in dag.topological() {
        if let [into] = dag.incoming(block)
            && !tree.is_chord(*into)
        {
            unset[block.index()] = unset[dag.ends(*into).0.index()];
        }
    }
    unset
}

/// The blocks at which the path has been counted: the exit, and those with one way out, a tree
/// edge, to such a block.
fn counted(dag: &Acyclic, tree: &SpanningTree) -> Vec<bool> {
    let mut counted = vec![false; dag.block_count()];
    counted[dag.exit().index()] = true;
    for &block in dag.topological().iter().rev() {
        if let [out] = dag.out(block)
            && !tree.is_chord(*out)
        {
            counted[block.index()] = counted[dag.ends(*out).1.index()];
        }
    }
    counted
}
