//! The execution from its trace.
use bitstream_io::{BitRead, BitReader, LittleEndian};
use thiserror::Error;

use super::activation::{Activation, ActivationStack, Next, Step};
use super::instrumentation::Instrumentation;
use super::tracer::{EarlyExit, Note, Trace, only_callee};
use crate::graph::{BlockId, EdgeId};
use crate::interprocedural::{Event, ProcedureId};

/// Why a trace is not one of an instrumented program.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TraceError {
    #[error(
        "the trace begins in procedure {start} (from 0), but there are {procedures}; is this the program that was traced?"
    )]
    Start { start: usize, procedures: usize },
    #[error(
        "witness {position} does not fit with control {control}; is this the program that was traced?"
    )]
    Witness { position: u64, control: String },
    #[error(
        "note {position} does not fit with control {control}; is this the program that was traced?"
    )]
    Note { position: usize, control: String },
    #[error(
        "the execution ends after {witnesses} witnesses and {notes} notes, the trace does not; is this the program that was traced?"
    )]
    Longer { witnesses: u64, notes: usize },
}

/// The steps of a traced execution, one after another; ends after the first error. O(1) a step, but at a predicate from which control came to an early exit without a witness.
///
/// Figure 15 of the document with a stack of procedures, but a witness is read only at a predicate; it stays valid until
/// control takes the edge that wrote it.
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
    /// Control at the entry of the procedure with which the program begins.
    pub fn new(instrumentation: &'a Instrumentation, trace: &'a Trace) -> Self {
        let program = instrumentation.program();
        let stack = match trace.start.index() < program.ids().len() {
            true => ActivationStack::enter(program, trace.start),
            false => ActivationStack::ended(program),
        };
        Regeneration {
            instrumentation,
            stack,
            reader: BitReader::new(&trace.bytes),
            trace,
            witnesses: 0,
            notes: 0,
            pending: None,
            over: false,
        }
    }

    fn step(&mut self) -> Result<Option<Step>, TraceError> {
        let start = self.trace.start.index();
        let procedures = self.instrumentation.program().ids().len();
        if start >= procedures {
            return Err(TraceError::Start { start, procedures });
        }
        if let Some(escape) = self.escape() {
            self.notes += 1;
            return Ok(Some(escape));
        }
        match (self.stack.next(), self.stack.top().copied()) {
            (Next::Edge(edges), Some(top)) => {
                let edge = self.edge(top, edges)?;
                let procedure = self.instrumentation.program().procedure(top.procedure);
                let event = match (procedure.call(edge), only_callee(procedure, edge)) {
                    (None, _) => Event::Take(edge),
                    (Some(_), Some(callee)) => Event::Call { site: edge, callee },
                    (Some(_), None) => Event::Call {
                        site: edge,
                        callee: self.callee()?,
                    },
                };
                Ok(Some(event.into()))
            }
            (Next::Return, _) => Ok(Some(Event::Return.into())),
            _ => self.end(),
        }
    }

    /// The early exit that comes here, if one does: all witnesses before it have been read, and the activation stack
    /// is the one it was noted with. Without a witness control never comes into one state twice, so this is the
    /// place.
    fn escape(&self) -> Option<Step> {
        let exit = self.next_escape()?;
        let step = match exit.resumed {
            Some((remaining, landing)) => Step::Escape { remaining, landing },
            None => Step::Stop,
        };
        (exit.stack == self.stack.activations()).then_some(step)
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

    /// The edge that control takes out of a block.
    fn edge(&mut self, top: Activation, edges: &[EdgeId]) -> Result<EdgeId, TraceError> {
        let witnesses = self.instrumentation.witnesses(top.procedure);
        let width = witnesses.width(top.block);
        let edge = match edges {
            &[only] => only,
            _ => self.way(top)?,
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
    fn way(&mut self, top: Activation) -> Result<EdgeId, TraceError> {
        let Activation {
            procedure, block, ..
        } = top;
        let witnesses = self.instrumentation.witnesses(procedure);
        if let Some(end) = self.end_without_witness(procedure) {
            let program = self.instrumentation.program();
            let flow = program.procedure(procedure).dag().flow();
            let way = witnesses.way_to(flow, block, end);
            return way.ok_or_else(|| self.misfit());
        }
        let value = match self.pending {
            Some(value) => value,
            None => {
                let value = self.read(witnesses.width(block))?;
                *self.pending.insert(value)
            }
        };
        witnesses.way(block, value).ok_or_else(|| self.mismatch())
    }

    /// The block to which control comes before it writes another witness: where it exits early, or the exit if no
    /// witness is left.
    fn end_without_witness(&self, procedure: ProcedureId) -> Option<BlockId> {
        if let Some(exit) = self.next_escape() {
            return exit.stack.last().map(|top| top.block);
        }
        let none_left = self.pending.is_none() && self.witnesses == self.trace.witnesses();
        let program = self.instrumentation.program();
        none_left.then(|| program.procedure(procedure).dag().exit())
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

    fn end(&mut self) -> Result<Option<Step>, TraceError> {
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
    type Item = Result<Step, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = self.step().and_then(|step| match step {
            None => Ok(None),
            Some(step) => match self.stack.apply(step) {
                Ok(()) => Ok(Some(step)),
                // Only what a note says can be impossible.
                Err(_) => Err(self.misfit()),
            },
        });
        self.over = !matches!(step, Ok(Some(_)));
        step.transpose()
    }
}
