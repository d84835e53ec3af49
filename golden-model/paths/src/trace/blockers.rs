//! Blocking witnesses, as far from calls as they can be.
use super::program::Procedure;
use crate::graph::{BlockId, EdgeId, Flow};

/// Whether a block has several ways out.
pub(super) fn is_predicate(flow: &Flow, block: BlockId) -> bool {
    flow.successors(block).len() > 1
}

/// The edges out of predicates from which control comes to the exit or to a call without meeting another predicate: backwards from each
/// of these blocks through blocks with one way out, up to predicates. O((V + E) x blocks that call), in
/// practice little more than O(V + E).
pub(super) fn blockers(procedure: &Procedure) -> Vec<EdgeId> {
    let flow = procedure.flow();
    let blocked = flow
        .blocks()
        .filter(|&block| block == flow.exit() || !procedure.calls(block).is_empty());
    let mut seen = vec![false; flow.blocks().len()];
    let mut open: Vec<BlockId> = blocked.collect();
    let mut found = Vec::new();
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        for &edge in flow.predecessors(block) {
            let from = flow.ends(edge).0;
            match is_predicate(flow, from) {
                true => found.push(edge),
                false => open.push(from),
            }
        }
    }
    found
}
