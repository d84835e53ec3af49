use thiserror::Error;

use super::witnesses::Witnesses;
use crate::graph::Weights;
use crate::interprocedural::{Procedure, ProcedureId, Program};

/// A program whose procedures write witnesses.
#[derive(Clone, Debug)]
pub struct Instrumentation {
    program: Program,
    witnesses: Vec<Witnesses>,
}

/// Witnesses that get mixed up with those of other procedures.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "from block `{block}` of `{procedure}` control comes to a call or to the exit without a witness; \
     block this way, or trace every outcome"
)]
pub struct NotBlocked {
    /// The procedure.
    pub procedure: String,
    /// The predicate.
    pub block: String,
}

impl Instrumentation {
    /// Witnesses for each procedure, in order.
    ///
    /// # Errors
    ///
    /// If those of a procedure do not have the blocking property, unless the program is one procedure without calls.
    ///
    /// # Panics
    ///
    /// If there are more or fewer witnesses than procedures.
    pub fn new(program: &Program, witnesses: Vec<Witnesses>) -> Result<Self, NotBlocked> {
        let procedures = || program.ids().map(|id| program.procedure(id));
        assert_eq!(
            procedures().len(),
            witnesses.len(),
            "one for each procedure"
        );
        let calls = |p: &Procedure| p.dag().flow().edges().any(|edge| p.call(edge).is_some());
        if procedures().any(calls) {
            for (procedure, witnesses) in procedures().zip(&witnesses) {
                if let Some(block) = witnesses.unblocked_predicate() {
                    return Err(NotBlocked {
                        procedure: procedure.name().into(),
                        block: procedure.dag().flow().name(block).into(),
                    });
                }
            }
        }
        Ok(Instrumentation {
            program: program.clone(),
            witnesses,
        })
    }

    /// [`Witnesses::optimal`] in each procedure, under frequencies of its own, with values reused.
    pub fn optimal(program: &Program, weights: impl Fn(ProcedureId) -> Weights) -> Self {
        Self::of_each(program, |id| {
            Witnesses::optimal(program.procedure(id), &weights(id)).reusing_values()
        })
    }

    /// [`Witnesses::every_outcome`] in each procedure: bit tracing.
    pub fn every_outcome(program: &Program) -> Self {
        Self::of_each(program, |id| {
            Witnesses::every_outcome(program.procedure(id))
        })
    }

    /// Witnesses that have the blocking property.
    fn of_each(program: &Program, witnesses: impl Fn(ProcedureId) -> Witnesses) -> Self {
        Instrumentation {
            program: program.clone(),
            witnesses: program.ids().map(witnesses).collect(),
        }
    }

    /// The same with each procedure's witnesses changed, for instance written [in bytes](Witnesses::in_bytes).
    #[must_use]
    pub fn map(mut self, change: impl Fn(Witnesses) -> Witnesses) -> Self {
        self.witnesses = self.witnesses.into_iter().map(change).collect();
        self
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The witnesses of a procedure.
    pub fn witnesses(&self, procedure: ProcedureId) -> &Witnesses {
        &self.witnesses[procedure.index()]
    }
}
