//! The execution from its trace.
use bitstream_io::{BitRead, BitReader, LittleEndian};
use thiserror::Error;

use super::activation::{Activation, ActivationStack, Event, Next};
use super::instrumentation::Instrumentation;
use super::program::{Callee, ProcedureId};
use super::tracer::{EarlyExit, Note, Trace};
use crate::graph::{BlockId, EdgeId};

/// Why a trace is not one of an instrumented program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TraceError {
    /// A witness is missing or another one than can come.
    #[error(
        "witness {position} does not fit with control {control}; is this the program that was traced?"
    )]
    Witness {
        /// Its position, from 0.
        position: u64,
        /// Where control is, in words.
        control: String,
    },
    /// A note is missing or another one than can come.
    #[error(
        "note {position} does not fit with control {control}; is this the program that was traced?"
    )]
    Note {
        /// Its position, from 0.
        position: usize,
        /// Where control is, in words.
        control: String,
    },
    /// The program has ended before the trace has.
    #[error(
        "the execution ends behind {witnesses} witnesses and {notes} notes, the trace does not; is this the program that was traced?"
    )]
    Longer {
        /// Witnesses read.
        witnesses: u64,
        /// Notes read.
        notes: usize,
    },
}

/// The events of a traced execution, one after another; ends behind the first error. O(1) an event, but at a predicate from which control came to an early
/// exit without a witness.
///
/// Figure 15 of the document with a stack of procedures: a witness is read at a predicate and stays valid until control takes the
/// edge that wrote it.
#[derive(Clone, Debug)]
pub struct Regeneration<'a> {
    instrumentation: &'a Instrumentation,
    trace: &'a Trace,
    stack: ActivationStack<'a>,
    reader: BitReader<&'a [u8], LittleEndian>,
    witnesses: u64,
    notes: usize,
    /// The witness that was read and whose edge control has not taken yet.
    pending: Option<u32>,
    over: bool,
}

impl<'a> Regeneration<'a> {
    /// Before the program begins.
    #[must_use]
    pub fn new(instrumentation: &'a Instrumentation, trace: &'a Trace) -> Self {
        Regeneration {
            instrumentation,
            stack: ActivationStack::new(instrumentation.program()),
            reader: BitReader::new(&trace.bytes),
            trace,
            witnesses: 0,
            notes: 0,
            pending: None,
            over: false,
        }
    }

    fn event(&mut self) -> Result<Option<Event>, TraceError> {
        if let Some(event) = self.escape() {
            self.notes += 1;
            return Ok(Some(event));
        }
        let event = match self.stack.next() {
            Next::Call(Callee::Direct(callee)) => Event::Call(callee),
            Next::Call(Callee::Computed) => Event::Call(self.callee()?),
            Next::Take(edges) => Event::Take(self.edge(edges)?),
            Next::Return => Event::Return,
            Next::End => return self.end(),
        };
        Ok(Some(event))
    }

    /// The early exit that comes here, if one does: all witnesses before it have been read, and the activation stack is the one it was noted
    /// with. Without a witness control never comes into one state twice, so this is the place.
    fn escape(&self) -> Option<Event> {
        let exit = self.next_escape()?;
        let event = match exit.resumed {
            Some((kept, landing)) => Event::Escape { kept, landing },
            None => Event::Stop,
        };
        (exit.stack == self.stack.activations()).then_some(event)
    }

    /// The early exit that comes before the next witness, if one does.
    fn next_escape(&self) -> Option<&'a EarlyExit> {
        match self.trace.notes().get(self.notes)? {
            Note::Escape(exit) if exit.witnesses == self.witnesses && self.pending.is_none() => {
                Some(exit)
            }
            _ => None,
        }
    }

    fn callee(&mut self) -> Result<ProcedureId, TraceError> {
        match self.trace.notes().get(self.notes) {
            Some(&Note::Callee(callee)) => {
                self.notes += 1;
                Ok(callee)
            }
            _ => Err(self.misfit()),
        }
    }

    /// The edge that control takes.
    fn edge(&mut self, edges: &[EdgeId]) -> Result<EdgeId, TraceError> {
        let &Activation {
            procedure, block, ..
        } = self.stack.top().expect("edges are taken by a procedure");
        let witnesses = self.instrumentation.witnesses(procedure);
        let width = witnesses.width(block);
        let edge = match edges {
            &[only] => only,
            _ => self.way(procedure, block, width)?,
        };
        if let Some(value) = witnesses.value(edge) {
            if self.pending.is_none() {
                self.pending = Some(self.read(width)?);
            }
            if self.pending.take() != Some(value) {
                return Err(self.mismatch());
            }
        }
        Ok(edge)
    }

    /// The way out of a predicate.
    fn way(
        &mut self,
        procedure: ProcedureId,
        block: BlockId,
        width: u32,
    ) -> Result<EdgeId, TraceError> {
        let witnesses = self.instrumentation.witnesses(procedure);
        let flow = self.instrumentation.program().procedure(procedure).flow();
        let end = match self.next_escape() {
            Some(exit) => exit.stack.last().map(|top| top.block),
            None if self.pending.is_none() && self.witnesses == self.trace.witnesses() => {
                Some(flow.exit())
            }
            None => None,
        };
        if let Some(end) = end {
            return witnesses
                .way_to(flow, block, end)
                .ok_or_else(|| self.misfit());
        }
        let value = match self.pending {
            Some(value) => value,
            None => {
                let value = self.read(width)?;
                *self.pending.insert(value)
            }
        };
        witnesses.way(block, value).ok_or_else(|| self.mismatch())
    }

    fn read(&mut self, width: u32) -> Result<u32, TraceError> {
        if self.witnesses == self.trace.witnesses() {
            return Err(self.mismatch());
        }
        let value = self.reader.read_unsigned_var(width);
        let value = value.map_err(|_| self.mismatch())?;
        self.witnesses += 1;
        Ok(value)
    }

    fn end(&mut self) -> Result<Option<Event>, TraceError> {
        let whole =
            self.witnesses == self.trace.witnesses() && self.notes == self.trace.notes().len();
        match whole {
            true => Ok(None),
            false => Err(TraceError::Longer {
                witnesses: self.witnesses,
                notes: self.notes,
            }),
        }
    }

    fn mismatch(&self) -> TraceError {
        TraceError::Witness {
            position: self.witnesses,
            control: self.stack.whereabouts(),
        }
    }

    fn misfit(&self) -> TraceError {
        TraceError::Note {
            position: self.notes,
            control: self.stack.whereabouts(),
        }
    }
}

impl Iterator for Regeneration<'_> {
    type Item = Result<Event, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let event = self.event().and_then(|event| match event {
            None => Ok(None),
            Some(event) => match self.stack.apply(event) {
                Ok(()) => Ok(Some(event)),
                // Only what a note says can be impossible.
                Err(_) => Err(self.misfit()),
            },
        });
        self.over = !matches!(event, Ok(Some(_)));
        event.transpose()
    }
}
