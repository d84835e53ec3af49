//! The supergraphs of a program.
use rustc_hash::FxHashSet;

use super::inlining::Inlining;
use super::profile::PathProfile;
use super::program::{ProcedureId, Program};
use super::supergraph::Supergraph;
use crate::graph::EdgeId;
use crate::numbering::LimitTooSmall;

/// The supergraphs of all procedures of a program.
#[derive(Clone, Debug)]
pub struct Supergraphs(Vec<Supergraph>);

impl Supergraphs {
    /// One for each procedure. O(V + E) of all copies of all, and for each call of a copy how deep this lies.
    pub fn build(program: &Program, inlining: &Inlining) -> Self {
        let graphs = program.ids();
        Supergraphs(
            graphs
                .map(|id| Supergraph::build(program, id, inlining))
                .collect(),
        )
    }

    /// The supergraph of a procedure.
    pub fn of(&self, procedure: ProcedureId) -> &Supergraph {
        &self.0[procedure.index()]
    }

    /// All, in the order of their procedures.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Supergraph> {
        self.0.iter()
    }

    /// Each [truncated](Supergraph::truncated) where these runs went least: step 5 of the thesis's algorithm. No edge that they took is
    /// broken if that will do, and their paths then stay what they are; else none of as many of the hottest paths as will do.
    /// What runs take in the result is another profile. The cost is that of truncating a graph log P times for P paths of it.
    ///
    /// # Errors
    ///
    /// For the first for which no edges are found that do it.
    pub fn truncated(&self, limit: u64, runs: &PathProfile) -> Result<Self, LimitTooSmall> {
        let cut = |graph: &Supergraph| {
            let paths = runs.hottest_edges(graph);
            let keeping = |count: usize| {
                let kept: FxHashSet<EdgeId> = paths[..count].iter().flatten().copied().collect();
                graph.truncated(limit, |edge| kept.contains(&edge))
            };
            keeping(paths.len()).or_else(|_| {
                // The most paths that can be kept lie in this range.
                let (mut can, mut cannot) = (0, paths.len());
                let mut cut = keeping(0);
                while cut.is_ok() && cannot - can > 1 {
                    let count = usize::midpoint(can, cannot);
                    match keeping(count) {
                        Ok(more) => (can, cut) = (count, Ok(more)),
                        Err(_) => cannot = count,
                    }
                }
                cut
            })
        };
        self.0
            .iter()
            .map(cut)
            .collect::<Result<_, _>>()
            .map(Supergraphs)
    }
}
