//! Blocking witnesses, as far from calls as they can be.
use crate::graph::{BlockId, EdgeId, Flow};
use crate::interprocedural::Procedure;

/// Whether a block has several ways out.
pub(super) fn is_predicate(flow: &Flow, block: BlockId) -> bool {
    flow.successors(block).len() > 1
}

/// The edges out of predicates over which control comes to the exit or through a call without meeting another
/// predicate: backwards from each of these through blocks with one way out, up to predicates. O(V + E).
pub(super) fn blockers(procedure: &Procedure) -> Vec<EdgeId> {
    let flow = procedure.dag().flow();
    let calls = flow.edges().filter(|&edge| procedure.call(edge).is_some());
    let mut open: Vec<EdgeId> = flow.predecessors(flow.exit()).to_vec();
    open.extend(calls);
    let mut seen = vec![false; flow.edges().len()];
    let mut found = Vec::new();
    while let Some(edge) = open.pop() {
        if std::mem::replace(&mut seen[edge.index()], true) {
            continue;
        }
        let from = flow.ends(edge).0;
        match is_predicate(flow, from) {
            true => found.push(edge),
            false => open.extend(flow.predecessors(from)),
        }
    }
    found
}
