//! An execution of a program, step by step, and the procedures under way in it.
use thiserror::Error;

use crate::graph::{BlockId, EdgeId};
use crate::interprocedural::{Event, ProcedureId, Program};

/// One step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The procedure control is in goes on.
    Go(Event),
    /// Procedures end early, all but the outermost `remaining` ones (an exception, `longjmp`); control goes on at the beginning of a block of the
    /// innermost of these.
    Escape {
        /// How many procedures go on, at least one.
        remaining: usize,
        /// The block where control goes on.
        landing: BlockId,
    },
    /// The program ends with procedures under way.
    Stop,
}

impl From<Event> for Step {
    fn from(event: Event) -> Self {
        Step::Go(event)
    }
}

/// A procedure under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Which one.
    pub procedure: ProcedureId,
    /// The block control is in.
    pub block: BlockId,
    /// The call under way out of this block.
    pub site: Option<EdgeId>,
}

/// What an execution goes on with, unless procedures end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// One of these edges, which may be calls.
    Edge(&'a [EdgeId]),
    /// A return.
    Return,
    /// Nothing: it has ended.
    End,
}

/// A step that the program cannot make.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("step {position} (from 0) is {step:?}, but control is {control}")]
pub struct ExecutionError {
    /// Its position.
    pub position: u64,
    /// The step.
    pub step: Step,
    /// Where control is, in words.
    pub control: String,
}

/// The procedures under way, outermost first.
#[derive(Clone, Debug)]
pub struct ActivationStack<'a> {
    program: &'a Program,
    activations: Vec<Activation>,
    steps: u64,
}

impl<'a> ActivationStack<'a> {
    /// Control at the entry of the procedure with which the program begins.
    ///
    /// # Panics
    ///
    /// If the program has no such procedure.
    pub fn enter(program: &'a Program, start: ProcedureId) -> Self {
        let mut stack = Self::ended(program);
        stack.push(start);
        stack
    }

    /// No procedure is under way.
    pub(super) fn ended(program: &'a Program) -> Self {
        ActivationStack {
            program,
            activations: Vec::new(),
            steps: 0,
        }
    }

    fn push(&mut self, procedure: ProcedureId) {
        self.activations.push(Activation {
            procedure,
            block: self.program.procedure(procedure).dag().entry(),
            site: None,
        });
    }

    /// The procedures under way, outermost first.
    pub fn activations(&self) -> &[Activation] {
        &self.activations
    }

    /// The innermost procedure.
    pub fn top(&self) -> Option<&Activation> {
        self.activations.last()
    }

    /// What comes next.
    pub fn next(&self) -> Next<'a> {
        let Some(top) = self.top() else {
            return Next::End;
        };
        let flow = self.program.procedure(top.procedure).dag().flow();
        match flow.exit() == top.block {
            true => Next::Return,
            false => Next::Edge(flow.successors(top.block)),
        }
    }

    /// Makes a step. O(1), but for early exits.
    ///
    /// # Errors
    ///
    /// If it cannot be made; then nothing has changed.
    pub fn apply(&mut self, step: Step) -> Result<(), ExecutionError> {
        if !self.can(step) {
            return Err(ExecutionError {
                position: self.steps,
                step,
                control: self.whereabouts(),
            });
        }
        self.steps += 1;
        match step {
            Step::Go(Event::Take(edge)) => self.land(|program, top| target(program, top, edge)),
            Step::Go(Event::Call { site, callee }) => {
                if let Some(caller) = self.activations.last_mut() {
                    caller.site = Some(site);
                }
                self.push(callee);
            }
            Step::Go(Event::Return) => {
                self.activations.pop();
                self.land(|program, caller| match caller.site {
                    Some(site) => target(program, caller, site),
                    None => caller.block,
                });
            }
            Step::Escape { remaining, landing } => {
                self.activations.truncate(remaining);
                self.land(|_, _| landing);
            }
            Step::Stop => self.activations.clear(),
        }
        Ok(())
    }

    /// Control of the innermost procedure comes to a block.
    fn land(&mut self, block: impl FnOnce(&Program, &Activation) -> BlockId) {
        if let Some(top) = self.activations.last_mut() {
            top.block = block(self.program, top);
            top.site = None;
        }
    }

    fn can(&self, step: Step) -> bool {
        let call = |edge| {
            let top = self.top()?;
            self.program.procedure(top.procedure).call(edge)
        };
        match (step, self.next()) {
            (Step::Go(Event::Take(edge)), Next::Edge(_)) => {
                self.leaves(edge) && call(edge).is_none()
            }
            (Step::Go(Event::Call { site, callee }), Next::Edge(_)) => {
                let known = callee.index() < self.program.ids().len();
                let calls = call(site).is_some_and(|c| c.open || c.callees.contains(&callee));
                known && calls && self.leaves(site)
            }
            (Step::Go(Event::Return), Next::Return) => true,
            (Step::Escape { remaining, landing }, _) => {
                let lands = |activation: &Activation| {
                    let flow = self.program.procedure(activation.procedure).dag().flow();
                    landing.index() < flow.blocks().len()
                };
                let landing = remaining
                    .checked_sub(1)
                    .and_then(|at| self.activations.get(at));
                landing.is_some_and(lands)
            }
            (Step::Stop, next) => next != Next::End,
            _ => false,
        }
    }

    /// Whether an edge leaves the block of the innermost procedure.
    fn leaves(&self, edge: EdgeId) -> bool {
        self.top().is_some_and(|top| {
            let flow = self.program.procedure(top.procedure).dag().flow();
            edge.index() < flow.edges().len() && flow.ends(edge).0 == top.block
        })
    }

    /// Where control is, in words.
    pub fn whereabouts(&self) -> String {
        let Some(top) = self.top() else {
            return "out of the program".into();
        };
        let procedure = self.program.procedure(top.procedure);
        let block = procedure.dag().flow().name(top.block);
        format!("in block `{block}` of `{}`", procedure.name())
    }
}

fn target(program: &Program, activation: &Activation, edge: EdgeId) -> BlockId {
    let procedure = program.procedure(activation.procedure);
    procedure.dag().flow().ends(edge).1
}
