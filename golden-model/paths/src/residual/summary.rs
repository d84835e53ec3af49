//! Paths against edges: how much of what was not tested edges alone would show.
use rustc_hash::FxHashSet;

use crate::interprocedural::{PathProfile, ProcedureId, Supergraphs};

/// What a field run did and the tests did not: a row of tables 3.1 and 3.2 of the thesis. Residual edge profiling is that of
/// Pavlopoulou and Young ("Residual Test Coverage Monitoring", 1999).
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Summary {
    /// Different paths of the field.
    pub paths: usize,
    /// Those that no test took.
    pub untested_paths: usize,
    /// How often paths ran in the field.
    pub executions: u64,
    /// How often untested ones did.
    pub untested_executions: u64,
    /// Graphs with untested paths.
    pub graphs_with_paths: usize,
    /// Edges of the field that no test took.
    pub untested_edges: usize,
    /// Graphs with untested edges.
    pub graphs_with_edges: usize,
    /// Untested paths in graphs without an untested edge: those that residual edge profiling says nothing of.
    pub paths_without_edges: usize,
}

impl Summary {
    /// Compares exact profiles of the same graphs. O(edges of all paths).
    pub fn of(graphs: &Supergraphs, tests: &PathProfile, field: &PathProfile) -> Self {
        let tested = tests.edges(graphs);
        let edges: Vec<_> = field.edges(graphs).difference(&tested).copied().collect();
        let new_edges: FxHashSet<ProcedureId> = edges.iter().map(|(graph, _)| *graph).collect();
        let untested = || {
            field
                .iter()
                .filter(|(graph, path, _)| tests.get(*graph, path) == 0)
        };
        let new_paths: FxHashSet<ProcedureId> = untested().map(|(graph, ..)| graph).collect();
        let alone = |(graph, ..): &(ProcedureId, _, _)| !new_edges.contains(graph);
        Summary {
            paths: field.len(),
            untested_paths: untested().count(),
            executions: field.executions(),
            untested_executions: untested().map(|(.., count)| count).sum(),
            graphs_with_paths: new_paths.len(),
            untested_edges: edges.len(),
            graphs_with_edges: new_edges.len(),
            paths_without_edges: untested().filter(alone).count(),
        }
    }
}
