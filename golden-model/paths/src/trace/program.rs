//! Programs: graphs of procedures, and which blocks call.
use thiserror::Error;

use crate::graph::{BlockId, Flow};

/// A procedure of a program; `index()` counts from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(u32);

impl ProcedureId {
    /// The procedure at this position.
    ///
    /// # Panics
    ///
    /// If there are 2^32 procedures before it.
    #[must_use]
    pub fn new(index: usize) -> Self {
        ProcedureId(u32::try_from(index).expect("a program has fewer than 2^32 procedures"))
    }

    /// The position.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a call site calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// Always this procedure.
    Direct(ProcedureId),
    /// What is computed when the call is made.
    Computed,
}

/// A procedure: its graph, and the calls of each block, which are made one after another before control leaves the block.
#[derive(Clone, Debug)]
pub struct Procedure {
    name: String,
    flow: Flow,
    calls: Vec<Vec<Callee>>,
}

impl Procedure {
    /// A procedure that calls nothing.
    #[must_use]
    pub fn new(name: impl Into<String>, flow: &Flow) -> Self {
        Procedure {
            name: name.into(),
            flow: flow.clone(),
            calls: vec![Vec::new(); flow.blocks().len()],
        }
    }

    /// The same with one more call in a block, behind those it has.
    #[must_use]
    pub fn calling(mut self, block: BlockId, callee: Callee) -> Self {
        self.calls[block.index()].push(callee);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its graph.
    #[must_use]
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The calls of a block, in order.
    #[must_use]
    pub fn calls(&self, block: BlockId) -> &[Callee] {
        &self.calls[block.index()]
    }
}

/// A call of a procedure that the program does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{caller} calls procedure {callee}, but the program has {count}, counted from 0")]
pub struct NoSuchProcedure {
    /// The calling procedure's name, or that the program begins there.
    pub caller: String,
    /// What is called.
    pub callee: usize,
    /// How many procedures there are.
    pub count: usize,
}

/// Procedures that call each other.
#[derive(Clone, Debug)]
pub struct Program {
    procedures: Vec<Procedure>,
    main: ProcedureId,
}

impl Program {
    /// A program that begins with a call of `main`. O(calls).
    ///
    /// # Errors
    ///
    /// If a procedure is called that is not there.
    pub fn new(procedures: Vec<Procedure>, main: ProcedureId) -> Result<Self, NoSuchProcedure> {
        let program = Program { procedures, main };
        program.check("the system", main)?;
        for procedure in &program.procedures {
            for callee in procedure.calls.iter().flatten() {
                if let Callee::Direct(callee) = callee {
                    program.check(&format!("`{}`", procedure.name), *callee)?;
                }
            }
        }
        Ok(program)
    }

    fn check(&self, caller: &str, callee: ProcedureId) -> Result<(), NoSuchProcedure> {
        let count = self.procedures.len();
        match callee.index() < count {
            true => Ok(()),
            false => Err(NoSuchProcedure {
                caller: caller.into(),
                callee: callee.index(),
                count,
            }),
        }
    }

    /// Where it begins.
    #[must_use]
    pub fn main(&self) -> ProcedureId {
        self.main
    }

    /// A procedure.
    #[must_use]
    pub fn procedure(&self, procedure: ProcedureId) -> &Procedure {
        &self.procedures[procedure.index()]
    }

    /// All procedures, in order.
    #[must_use]
    pub fn procedures(&self) -> &[Procedure] {
        &self.procedures
    }
}
