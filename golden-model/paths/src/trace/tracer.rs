//! An instrumented program running, and what it writes.
use bitstream_io::{BitWrite, BitWriter, LittleEndian};

use super::activation::{Activation, ActivationStack, ExecutionError, Next, Step};
use super::instrumentation::Instrumentation;
use crate::graph::{BlockId, EdgeId};
use crate::interprocedural::{Event, Procedure, ProcedureId};

/// What is written beside witnesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Where a call went that may go to several procedures.
    Callee(ProcedureId),
    /// Procedures ended early.
    Escape(EarlyExit),
}

/// What is known when procedures end early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyExit {
    /// How many witnesses were written before.
    pub witnesses: u64,
    /// All that was on the activation stack, outermost first.
    pub stack: Vec<Activation>,
    /// How many procedures stayed there, and the block at which the innermost of these went on; nothing where the
    /// program ended.
    pub resumed: Option<(usize, BlockId)>,
}

/// A trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub(super) start: ProcedureId,
    pub(super) bytes: Vec<u8>,
    pub(super) bits: u64,
    pub(super) witnesses: u64,
    pub(super) notes: Vec<Note>,
}

impl Trace {
    /// The bits of all witnesses.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// How many witnesses were written.
    pub fn witnesses(&self) -> u64 {
        self.witnesses
    }

    /// What was written beside them, in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// An instrumented program while it runs.
pub struct Tracer<'a> {
    instrumentation: &'a Instrumentation,
    start: ProcedureId,
    stack: ActivationStack<'a>,
    written: BitWriter<Vec<u8>, LittleEndian>,
    bits: u64,
    witnesses: u64,
    notes: Vec<Note>,
}

impl<'a> Tracer<'a> {
    /// Control at the entry of the procedure with which the program begins.
    ///
    /// # Panics
    ///
    /// If the program has no such procedure.
    pub fn enter(instrumentation: &'a Instrumentation, start: ProcedureId) -> Self {
        Tracer {
            instrumentation,
            start,
            stack: ActivationStack::enter(instrumentation.program(), start),
            written: BitWriter::new(Vec::new()),
            bits: 0,
            witnesses: 0,
            notes: Vec::new(),
        }
    }

    /// The trace of a whole execution. O(steps).
    ///
    /// # Errors
    ///
    /// If the program cannot make one of the steps.
    ///
    /// # Panics
    ///
    /// If the program has no procedure to start with.
    pub fn trace(
        instrumentation: &'a Instrumentation,
        start: ProcedureId,
        execution: impl IntoIterator<Item = Step>,
    ) -> Result<Trace, ExecutionError> {
        let mut tracer = Self::enter(instrumentation, start);
        for step in execution {
            tracer.step(step)?;
        }
        Ok(tracer.finish())
    }

    /// Follows a step and writes what it writes. O(1), but for the ways out of the block and for early exits.
    ///
    /// # Errors
    ///
    /// If the program cannot make this step.
    pub fn step(&mut self, step: Step) -> Result<(), ExecutionError> {
        let before = self.stack.top().copied();
        let escape = match step {
            Step::Escape { remaining, landing } => Some(self.escape(Some((remaining, landing)))),
            Step::Stop => Some(self.escape(None)),
            Step::Go(_) => None,
        };
        self.stack.apply(step)?;
        self.notes.extend(escape);
        match (step, before) {
            (Step::Go(Event::Take(edge)), Some(top)) => self.witness(top, edge),
            (Step::Go(Event::Call { site, callee }), Some(top)) => {
                self.witness(top, site);
                let program = self.instrumentation.program();
                if only_callee(program.procedure(top.procedure), site).is_none() {
                    self.notes.push(Note::Callee(callee));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Control leaves a block over an edge.
    fn witness(&mut self, top: Activation, edge: EdgeId) {
        let witnesses = self.instrumentation.witnesses(top.procedure);
        let Some(value) = witnesses.value(edge) else {
            return;
        };
        let width = witnesses.width(top.block);
        self.bits += u64::from(width);
        self.witnesses += 1;
        let written = self.written.write_unsigned_var(width, value);
        written.expect("the value fits in its width, and a vector takes it");
    }

    fn escape(&self, resumed: Option<(usize, BlockId)>) -> Note {
        Note::Escape(EarlyExit {
            witnesses: self.witnesses,
            stack: self.stack.activations().to_vec(),
            resumed,
        })
    }

    /// The trace. A program that has not come to its end [stops](Step::Stop) here.
    pub fn finish(mut self) -> Trace {
        if self.stack.next() != Next::End {
            self.notes.push(self.escape(None));
        }
        let aligned = self.written.byte_align();
        aligned.expect("a vector takes what is written");
        Trace {
            start: self.start,
            bytes: self.written.into_writer(),
            bits: self.bits,
            witnesses: self.witnesses,
            notes: self.notes,
        }
    }
}

/// Whom an edge calls, if that is always the same procedure.
pub(super) fn only_callee(procedure: &Procedure, site: EdgeId) -> Option<ProcedureId> {
    let call = procedure.call(site)?;
    match call.callees[..] {
        [callee] if !call.open => Some(callee),
        _ => None,
    }
}
