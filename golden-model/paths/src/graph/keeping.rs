//! Loops cut elsewhere than at edges that cannot carry code.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::acyclic::{Acyclic, AcyclicError, Leftover};
use super::flow::{BlockId, EdgeId, Flow};

impl Acyclic {
    /// The acyclic form that breaks none of the edges that are kept: those that cannot carry code, such as the edges of
    /// exceptions. With nothing to keep it is that of [`depth_first`](Self::depth_first). O(V log V + E).
    ///
    /// ```
    /// use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
    /// let cfg = Cfg::from_edges([("entry", "head"), ("head", "body"), ("body", "head"), ("head", "exit")])?;
    /// let abnormal = EdgeId::new(2);
    /// let dag = Acyclic::keeping(&cfg, |edge| edge == abnormal)?;
    /// assert_eq!(cfg.edge_name(dag.broken()[0]), "head -> body");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If these edges alone close a cycle, or one leads to the entry.
    pub fn keeping(flow: &Flow, keep: impl Fn(EdgeId) -> bool) -> Result<Self, AcyclicError> {
        let places = order(flow, &keep)?;
        let breaks = |edge: EdgeId| {
            let (from, to) = flow.ends(edge);
            places[to.index()] <= places[from.index()]
        };
        Self::with_breaks(flow, breaks, Leftover::Refuse)
    }
}

/// The place of each reachable block in an order that no kept edge goes against, and else few edges do: that of the
/// depth-first acyclic form, where blocks wait for the sources of kept edges.
fn order(flow: &Flow, keep: &impl Fn(EdgeId) -> bool) -> Result<Vec<usize>, AcyclicError> {
    let reached = flow.reachable();
    let kept = |edge: &EdgeId| reached[flow.ends(*edge).0.index()] && keep(*edge);
    if let Some(&edge) = flow.predecessors(flow.entry()).iter().find(|e| kept(e)) {
        let edge = flow.edge_name(edge);
        return Err(AcyclicError::Entry { edge });
    }
    let count = flow.blocks().len();
    let mut ranks = vec![usize::MAX; count];
    for (rank, block) in Acyclic::depth_first(flow).topological().iter().enumerate() {
        ranks[block.index()] = rank;
    }
    let waits = |block: BlockId| flow.predecessors(block).iter().filter(|e| kept(e)).count();
    let mut waiting: Vec<usize> = flow.blocks().map(waits).collect();
    let ready = flow
        .blocks()
        .filter(|b| ranks[b.index()] != usize::MAX && waiting[b.index()] == 0);
    let mut ready: BinaryHeap<_> = ready.map(|b| Reverse((ranks[b.index()], b))).collect();
    let mut places = vec![usize::MAX; count];
    let mut next = 0;
    while let Some(Reverse((_, block))) = ready.pop() {
        places[block.index()] = next;
        next += 1;
        for &edge in flow.successors(block).iter().filter(|e| kept(e)) {
            let to = flow.ends(edge).1;
            waiting[to.index()] -= 1;
            if waiting[to.index()] == 0 {
                ready.push(Reverse((ranks[to.index()], to)));
            }
        }
    }
    let stuck = |edge: &EdgeId| kept(edge) && places[flow.ends(*edge).0.index()] == usize::MAX;
    match flow.edges().find(stuck) {
        None => Ok(places),
        Some(edge) => Err(AcyclicError::Cycle {
            edge: flow.edge_name(edge),
        }),
    }
}
