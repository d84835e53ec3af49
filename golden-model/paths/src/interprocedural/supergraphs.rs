//! The supergraphs of a program.
use super::inlining::Inlining;
use super::program::{ProcedureId, Program};
use super::supergraph::Supergraph;

/// The supergraphs of all procedures of a program.
#[derive(Clone, Debug)]
pub struct Supergraphs(pub(super) Vec<Supergraph>);

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
}
