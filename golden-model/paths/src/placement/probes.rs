//! Probes: the code a software profiler puts on edges to compute path sums while a program runs.
//!
//! One register `r` holds the sum of the path under way. Naively it is set to 0 where paths begin,
//! grows on every edge with a value, and selects a counter where paths end. Three steps make that
//! cheap (Ball and Larus, "Efficient Path Profiling", 1996; Vaswani's thesis, section 2.1):
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
use std::fmt;

use num_bigint::{BigInt, Sign};

use super::spanning::SpanningTree;
use crate::graph::{Acyclic, DagEdgeId, Weights};
use crate::numbering::EdgeValues;

/// What a probe does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// `r = value`
    Set(BigInt),
    /// `r += value`
    Add(BigInt),
    /// `count[r + value]++`
    Count(BigInt),
    /// `count[value]++`
    CountAt(BigInt),
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Probe::Set(value) => write!(f, "r = {value}"),
            Probe::Add(value) if value.sign() == Sign::Minus => write!(f, "r -= {}", -value),
            Probe::Add(value) => write!(f, "r += {value}"),
            Probe::Count(value) => match value.sign() {
                Sign::NoSign => write!(f, "count[r]++"),
                Sign::Minus => write!(f, "count[r - {}]++", -value),
                Sign::Plus => write!(f, "count[r + {value}]++"),
            },
            Probe::CountAt(value) => write!(f, "count[{value}]++"),
        }
    }
}

/// The probes of one numbering: at most one on each edge of the acyclic form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probes {
    edges: Vec<Option<Probe>>,
    entry: Option<Probe>,
    increments: EdgeValues,
}

impl Probes {
    /// Probes for the values as they are, set at the entry's edges and counted at the exit's. O(V + E).
    pub fn naive(dag: &Acyclic, values: &EdgeValues) -> Self {
        Self::place(dag, values.clone(), &SpanningTree::empty(dag))
    }

    /// Probes on the chords of the maximal spanning tree for these frequencies. The tree does not
    /// depend on the values, so two numberings of one graph set and count on the same edges.
    /// O(E log E).
    pub fn optimised(dag: &Acyclic, values: &EdgeValues, weights: &Weights) -> Self {
        let tree = SpanningTree::maximal(dag, weights);
        Self::place(dag, tree.increments(dag, values), &tree)
    }

    fn place(dag: &Acyclic, increments: EdgeValues, tree: &SpanningTree) -> Self {
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
                (false, false) if value.sign() != Sign::NoSign => Some(Probe::Add(value)),
                (false, false) => None,
            }
        };
        let edges = dag.edges().map(probe).collect();
        let single = counted[dag.entry().index()];
        Probes {
            edges,
            entry: single.then_some(Probe::CountAt(BigInt::ZERO)),
            increments,
        }
    }

    /// The probe on an edge of the acyclic form. One on a dummy belongs to each of the broken edges it
    /// stands for: first the probe of the stop, then that of the start.
    pub fn on(&self, edge: DagEdgeId) -> Option<&Probe> {
        self.edges[edge.index()].as_ref()
    }

    /// The probe where control comes in, which only a procedure of a single block needs.
    pub fn at_entry(&self) -> Option<&Probe> {
        self.entry.as_ref()
    }

    /// The values the probes add up.
    pub fn increments(&self) -> &EdgeValues {
        &self.increments
    }

    /// How many edges (and entries) have a probe.
    pub fn count(&self) -> usize {
        self.edges.iter().chain([&self.entry]).flatten().count()
    }

    /// How many probes run, under these frequencies of edges and calls.
    pub fn cost(&self, dag: &Acyclic, weights: &Weights, calls: f64) -> f64 {
        let probed = dag.edges().filter(|&e| self.on(e).is_some());
        let on_edges: f64 = probed.map(|e| weights.dag_edge(dag, e)).sum();
        match self.entry {
            Some(_) => on_edges + calls,
            None => on_edges,
        }
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
