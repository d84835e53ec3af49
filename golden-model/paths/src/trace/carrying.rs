//! Witnesses where code can stand.
use super::blockers::blockers;
use super::chords::chords;
use super::witnesses::{Ambiguous, Witnesses};
use crate::graph::{EdgeId, Weights};
use crate::interprocedural::Procedure;

impl Witnesses {
    /// [`optimal`](Self::optimal) witnesses on edges that carry code alone: the others go into the forest first. Where the
    /// others close a cycle that must not be, every edge that carries code writes a witness. As long as `optimal` takes.
    ///
    /// A way to a call or to the exit that cannot carry code leaves its predicate [unblocked](Self::unblocked_predicate); then the witnesses
    /// serve a program that is one procedure without calls.
    ///
    /// ```
    /// use hpp_paths::graph::{Acyclic, Cfg, Weights};
    /// use hpp_paths::interprocedural::Procedure;
    /// use hpp_paths::trace::Witnesses;
    /// let cfg = Cfg::from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])?;
    /// let weights = Weights::uniform(&cfg);
    /// let procedure = Procedure::new("diamond", Acyclic::depth_first(&cfg));
    /// // The ways out of `a` are computed, say.
    /// let witnesses = Witnesses::within(&procedure, &weights, |edge| edge.index() >= 2)?;
    /// assert!(witnesses.edges().all(|edge| edge.index() >= 2));
    /// let error = Witnesses::within(&procedure, &weights, |_| false).unwrap_err();
    /// assert!(error.to_string().starts_with("what follows block `a` of `diamond` cannot be determined"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no witnesses on these edges distinguish all executions.
    pub fn within(
        procedure: &Procedure,
        weights: &Weights,
        carries: impl Fn(EdgeId) -> bool,
    ) -> Result<Self, Ambiguous> {
        let edges = || procedure.dag().flow().edges();
        let mut witnessed = vec![false; edges().len()];
        for edge in blockers(procedure)
            .into_iter()
            .filter(|&edge| carries(edge))
        {
            witnessed[edge.index()] = true;
        }
        let weight = |edge| match carries(edge) {
            true => weights.edge(edge),
            false => f64::INFINITY,
        };
        let mut chosen = chords(procedure, weight, witnessed);
        let all: Vec<bool> = edges().map(carries).collect();
        for (chosen, carries) in chosen.iter_mut().zip(&all) {
            *chosen &= carries;
        }
        Self::distinct(procedure, &chosen).or_else(|_| Self::distinct(procedure, &all))
    }
}
