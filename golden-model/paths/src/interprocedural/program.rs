//! Procedures that call one another.
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::graph::{Acyclic, EdgeId};

/// A procedure of a program; `index()` counts from 0 in the order given.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct ProcedureId(u32);

impl ProcedureId {
    /// The procedure at this position.
    pub fn new(index: usize) -> Self {
        ProcedureId(u32::try_from(index).expect("programs have fewer than 2^32 procedures"))
    }

    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an edge calls: control that takes it goes through a callee and comes back at the edge's target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The known callees, each once.
    pub callees: Vec<ProcedureId>,
    /// Whether there may be others, as with a function pointer.
    pub open: bool,
}

/// A procedure: its graph with loops cut, and the edges that are calls.
///
/// A call is an edge, so a block that calls ends there, and a tail call is an edge to the exit.
#[derive(Clone, Debug)]
pub struct Procedure {
    name: String,
    dag: Acyclic,
    calls: FxHashMap<EdgeId, Call>,
}

impl Procedure {
    /// A procedure without calls.
    pub fn new(name: impl Into<String>, dag: Acyclic) -> Self {
        Procedure {
            name: name.into(),
            dag,
            calls: FxHashMap::default(),
        }
    }

    /// The same with a call on this edge; said once for each callee of it.
    #[must_use]
    pub fn calling(mut self, site: EdgeId, callee: ProcedureId) -> Self {
        let callees = &mut self.calls.entry(site).or_default().callees;
        if !callees.contains(&callee) {
            callees.push(callee);
        }
        self
    }

    /// The same with a call on this edge that may go to procedures that are not listed.
    #[must_use]
    pub fn calling_others(mut self, site: EdgeId) -> Self {
        self.calls.entry(site).or_default().open = true;
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its graph with loops cut.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
    }

    /// What an edge calls; `None` if it is not a call.
    pub fn call(&self, edge: EdgeId) -> Option<&Call> {
        self.calls.get(&edge)
    }
}

/// Why procedures are not a program.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProgramError {
    #[error("procedure `{procedure}` has a call on edge {edge} (from 0), but {edges} edges")]
    NoSuchEdge {
        procedure: String,
        edge: usize,
        edges: usize,
    },
    #[error(
        "procedure `{procedure}` calls procedure {callee} (from 0), but there are {procedures}"
    )]
    NoSuchProcedure {
        procedure: String,
        callee: usize,
        procedures: usize,
    },
}

/// Procedures whose calls lead to one another.
#[derive(Clone, Debug)]
pub struct Program {
    procedures: Vec<Procedure>,
}

impl Program {
    /// These procedures. O(calls).
    ///
    /// # Errors
    ///
    /// If a call is on no edge, or leads to no procedure.
    pub fn new(procedures: Vec<Procedure>) -> Result<Self, ProgramError> {
        for procedure in &procedures {
            let edges = procedure.dag.flow().edges().len();
            for (site, call) in &procedure.calls {
                let name = || procedure.name.clone();
                if site.index() >= edges {
                    return Err(ProgramError::NoSuchEdge {
                        procedure: name(),
                        edge: site.index(),
                        edges,
                    });
                }
                let known = |callee: &&ProcedureId| callee.index() >= procedures.len();
                if let Some(callee) = call.callees.iter().find(known) {
                    return Err(ProgramError::NoSuchProcedure {
                        procedure: name(),
                        callee: callee.index(),
                        procedures: procedures.len(),
                    });
                }
            }
        }
        Ok(Program { procedures })
    }

    /// All procedures, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ProcedureId> + use<> {
        (0..self.procedures.len()).map(ProcedureId::new)
    }

    /// A procedure.
    ///
    /// # Panics
    ///
    /// If there is none at this position.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// The procedure of this name, the first if several have it. O(procedures).
    pub fn find(&self, name: &str) -> Option<ProcedureId> {
        self.ids().find(|&id| self.procedure(id).name == name)
    }
}

/// One step of a run. Edges are those of the procedure control is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Control takes an edge that is not a call.
    Take(EdgeId),
    /// Control takes an edge that is a call, and is at the callee's entry.
    Call {
        /// The edge.
        site: EdgeId,
        /// The procedure it goes to.
        callee: ProcedureId,
    },
    /// Control is at the exit and goes back to the target of the call's edge.
    Return,
}
