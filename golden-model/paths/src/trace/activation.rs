//! An execution of a program, event by event, and the procedures under way in it.
use thiserror::Error;

use super::program::{Callee, ProcedureId, Program};
use crate::graph::{BlockId, EdgeId};

/// One step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The call that the block's next call site makes, or the first of the program.
    Call(ProcedureId),
    /// Control takes an edge of the innermost procedure.
    Take(EdgeId),
    /// The innermost procedure returns from its exit.
    Return,
    /// Procedures end early, all but the `kept` outermost ones (an exception, `longjmp`); control goes on at the beginning of a block of
    /// the innermost of these.
    Escape {
        /// How many procedures go on, at least one.
        kept: usize,
        /// Where.
        landing: BlockId,
    },
    /// The program ends with procedures under way, or before it has begun.
    Stop,
}

/// A procedure under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Which one.
    pub procedure: ProcedureId,
    /// The block control is in.
    pub block: BlockId,
    /// How many of the block's calls have begun.
    pub calls: usize,
}

/// What an execution goes on with, unless procedures end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// A call.
    Call(Callee),
    /// One of these edges.
    Take(&'a [EdgeId]),
    /// A return.
    Return,
    /// Nothing: it has ended.
    End,
}

/// An event that cannot be.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("event {position} is {event:?}, but control is {control}")]
pub struct ExecutionError {
    /// Its position, from 0.
    pub position: u64,
    /// The event.
    pub event: Event,
    /// Where control is, in words.
    pub control: String,
}

/// The procedures under way, outermost first.
#[derive(Clone, Debug)]
pub struct ActivationStack<'a> {
    program: &'a Program,
    activations: Vec<Activation>,
    events: u64,
}

impl<'a> ActivationStack<'a> {
    /// Before the program begins.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        ActivationStack {
            program,
            activations: Vec::new(),
            events: 0,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The procedures under way, outermost first.
    #[must_use]
    pub fn activations(&self) -> &[Activation] {
        &self.activations
    }

    /// The innermost procedure.
    #[must_use]
    pub fn top(&self) -> Option<&Activation> {
        self.activations.last()
    }

    /// What comes next.
    #[must_use]
    pub fn next(&self) -> Next<'a> {
        let Some(top) = self.top() else {
            return match self.events {
                0 => Next::Call(Callee::Direct(self.program.main())),
                _ => Next::End,
            };
        };
        let procedure = self.program.procedure(top.procedure);
        if let Some(&callee) = procedure.calls(top.block).get(top.calls) {
            return Next::Call(callee);
        }
        match procedure.flow().exit() == top.block {
            true => Next::Return,
            false => Next::Take(procedure.flow().successors(top.block)),
        }
    }

    /// Makes a step. O(1), but for early exits.
    ///
    /// # Errors
    ///
    /// If it cannot be made; then nothing has changed.
    pub fn apply(&mut self, event: Event) -> Result<(), ExecutionError> {
        if !self.can(event) {
            return Err(ExecutionError {
                position: self.events,
                event,
                control: self.whereabouts(),
            });
        }
        self.events += 1;
        match event {
            Event::Call(procedure) => {
                if let Some(caller) = self.activations.last_mut() {
                    caller.calls += 1;
                }
                let block = self.program.procedure(procedure).flow().entry();
                self.activations.push(Activation {
                    procedure,
                    block,
                    calls: 0,
                });
            }
            Event::Take(edge) => {
                self.go(|program, top| program.procedure(top.procedure).flow().ends(edge).1)
            }
            Event::Return => drop(self.activations.pop()),
            Event::Escape { kept, landing } => {
                self.activations.truncate(kept);
                self.go(|_, _| landing);
            }
            Event::Stop => self.activations.clear(),
        }
        Ok(())
    }

    /// Leads control of the innermost procedure to the beginning of a block.
    fn go(&mut self, block: impl FnOnce(&Program, &Activation) -> BlockId) {
        if let Some(top) = self.activations.last_mut() {
            top.block = block(self.program, top);
            top.calls = 0;
        }
    }

    fn can(&self, event: Event) -> bool {
        match (event, self.next()) {
            (Event::Call(callee), Next::Call(Callee::Direct(one))) => callee == one,
            (Event::Call(callee), Next::Call(Callee::Computed)) => {
                callee.index() < self.program.procedures().len()
            }
            (Event::Take(edge), Next::Take(edges)) => edges.contains(&edge),
            (Event::Return, Next::Return) => true,
            (Event::Escape { kept, landing }, _) => {
                let lands = |activation: &Activation| {
                    let flow = self.program.procedure(activation.procedure).flow();
                    landing.index() < flow.blocks().len()
                };
                let landing = kept.checked_sub(1).and_then(|at| self.activations.get(at));
                landing.is_some_and(lands)
            }
            (Event::Stop, next) => next != Next::End,
            _ => false,
        }
    }

    /// Where control is, in words.
    #[must_use]
    pub fn whereabouts(&self) -> String {
        match self.top() {
            Some(top) => {
                let procedure = self.program.procedure(top.procedure);
                let block = procedure.flow().name(top.block);
                let (calls, all) = (top.calls, procedure.calls(top.block).len());
                let name = procedure.name();
                format!("in block `{block}` of `{name}` with {calls} of {all} calls begun")
            }
            None if self.events == 0 => "not yet in the program".into(),
            None => "out of the program".into(),
        }
    }
}
