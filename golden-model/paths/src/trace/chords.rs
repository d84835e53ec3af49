//! Edges that a spanning forest leaves over.
use crate::graph::EdgeId;
use crate::interprocedural::Procedure;
use crate::placement::spanning::maximal_forest;

/// The witnessed edges, and those outside of a forest of maximal weight among the others.
pub(super) fn chords(
    procedure: &Procedure,
    weight: impl Fn(EdgeId) -> f64,
    mut witnessed: Vec<bool>,
) -> Vec<bool> {
    let flow = procedure.dag().flow();
    let free: Vec<EdgeId> = flow.edges().filter(|e| !witnessed[e.index()]).collect();
    let weighed = free.iter().map(|&edge| {
        let (from, to) = flow.ends(edge);
        (weight(edge), from.index(), to.index())
    });
    let forest = maximal_forest(flow.blocks().len(), [], weighed);
    for (edge, member) in free.iter().zip(forest) {
        witnessed[edge.index()] = !member;
    }
    witnessed
}
