//! An instrumented program running, and what it writes.
use bitstream_io::{BitWrite, BitWriter, LittleEndian};

use super::activation::{Activation, ActivationStack, Event, ExecutionError, Next};
use super::instrumentation::Instrumentation;
use super::program::{Callee, ProcedureId};
use crate::graph::BlockId;

/// What is written beside witnesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Where a computed call went.
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
    /// How many procedures stayed there, and the block at which the innermost of these went on; nothing where the program ended.
    pub resumed: Option<(usize, BlockId)>,
}

/// A trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub(super) bytes: Vec<u8>,
    bits: u64,
    witnesses: u64,
    notes: Vec<Note>,
}

impl Trace {
    /// The bits of all witnesses.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// How many witnesses were written.
    #[must_use]
    pub fn witnesses(&self) -> u64 {
        self.witnesses
    }

    /// What was written beside them, in order.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// An instrumented program while it runs.
pub struct Tracer<'a> {
    instrumentation: &'a Instrumentation,
    stack: ActivationStack<'a>,
    written: BitWriter<Vec<u8>, LittleEndian>,
    bits: u64,
    witnesses: u64,
    notes: Vec<Note>,
}

impl<'a> Tracer<'a> {
    /// Before the program begins.
    #[must_use]
    pub fn new(instrumentation: &'a Instrumentation) -> Self {
        Tracer {
            instrumentation,
            stack: ActivationStack::new(instrumentation.program()),
            written: BitWriter::new(Vec::new()),
            bits: 0,
            witnesses: 0,
            notes: Vec::new(),
        }
    }

    /// The trace of a whole execution. O(events).
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn trace(
        instrumentation: &'a Instrumentation,
        execution: impl IntoIterator<Item = Event>,
    ) -> Result<Trace, ExecutionError> {
        let mut tracer = Self::new(instrumentation);
        for event in execution {
            tracer.step(event)?;
        }
        Ok(tracer.finish())
    }

    /// Follows a step and writes what it writes. O(1), but for early exits.
    ///
    /// # Errors
    ///
    /// If the execution cannot go on so.
    pub fn step(&mut self, event: Event) -> Result<(), ExecutionError> {
        let before = self.stack.top().copied();
        let computed = self.stack.next() == Next::Call(Callee::Computed);
        let escape = match event {
            Event::Escape { kept, landing } => Some(self.escape(Some((kept, landing)))),
            Event::Stop => Some(self.escape(None)),
            _ => None,
        };
        self.stack.apply(event)?;
        self.notes.extend(escape);
        match (event, before) {
            (Event::Call(callee), _) if computed => self.notes.push(Note::Callee(callee)),
            (
                Event::Take(edge),
                Some(Activation {
                    procedure, block, ..
                }),
            ) => {
                let witnesses = self.instrumentation.witnesses(procedure);
                if let Some(value) = witnesses.value(edge) {
                    self.write(witnesses.width(block), value);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn escape(&self, resumed: Option<(usize, BlockId)>) -> Note {
        Note::Escape(EarlyExit {
            witnesses: self.witnesses,
            stack: self.stack.activations().to_vec(),
            resumed,
        })
    }

    fn write(&mut self, width: u32, value: u32) {
        self.bits += u64::from(width);
        self.witnesses += 1;
        let written = self.written.write_unsigned_var(width, value);
        written.expect("the value fits in its width, and a vector takes it");
    }

    /// The trace. A program that has not come to its end [stops](Event::Stop) here.
    #[must_use]
    pub fn finish(mut self) -> Trace {
        if self.stack.next() != Next::End {
            self.notes.push(self.escape(None));
        }
        let aligned = self.written.byte_align();
        aligned.expect("a vector takes what is written");
        Trace {
            bytes: self.written.into_writer(),
            bits: self.bits,
            witnesses: self.witnesses,
            notes: self.notes,
        }
    }
}
