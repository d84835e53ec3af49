//! Traces as bytes.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `HPPWTN01` |
//! | 4 | CRC-32 of what follows, low byte first |
//! | the rest | in [postcard](https://docs.rs/postcard)'s format: the procedure the program begins in, bits, witnesses, the witnesses' bytes, the notes |
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::activation::Activation;
use super::tracer::{EarlyExit, Note, Trace};
use crate::graph::{BlockId, EdgeId};
use crate::interprocedural::ProcedureId;

const MAGIC: [u8; 8] = *b"HPPWTN01";

/// Why bytes are no trace.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TraceBytesError {
    #[error("no trace of witnesses: it must begin with `HPPWTN01`")]
    Foreign,
    #[error(
        "the trace is damaged: its {length} bytes do not have the CRC-32 they bring; copy it again"
    )]
    Damaged { length: usize },
    #[error("the trace is not of the form that this version writes: {0}")]
    Form(String),
    #[error("{bits} bits of witnesses need {needed} bytes, and there are {bytes}")]
    Length { bits: u64, needed: u64, bytes: u64 },
}

#[derive(Serialize, Deserialize)]
struct TraceForm {
    start: u32,
    bits: u64,
    witnesses: u64,
    bytes: Vec<u8>,
    notes: Vec<NoteForm>,
}

#[derive(Serialize, Deserialize)]
enum NoteForm {
    Callee(u32),
    Escape {
        witnesses: u64,
        /// Procedure, block and call under way.
        stack: Vec<(u32, u32, Option<u32>)>,
        resumed: Option<(u32, u32)>,
    },
}

impl Trace {
    /// The trace of a program that ran: `bits` bits of `witnesses` witnesses in these bytes, the low bits of a byte first, and what was
    /// written beside them.
    ///
    /// # Errors
    ///
    /// If there are more or fewer bytes than bits need.
    pub fn new(
        start: ProcedureId,
        bytes: Vec<u8>,
        bits: u64,
        witnesses: u64,
        notes: Vec<Note>,
    ) -> Result<Self, TraceBytesError> {
        let (needed, there) = (bits.div_ceil(8), bytes.len() as u64);
        match needed == there {
            true => Ok(Trace {
                start,
                bytes,
                bits,
                witnesses,
                notes,
            }),
            false => Err(TraceBytesError::Length {
                bits,
                needed,
                bytes: there,
            }),
        }
    }

    /// The trace as bytes, see the [format](self). O(length).
    pub fn to_bytes(&self) -> Vec<u8> {
        let form = TraceForm {
            start: self.start.index() as u32,
            bits: self.bits,
            witnesses: self.witnesses,
            bytes: self.bytes.clone(),
            notes: self.notes.iter().map(NoteForm::from).collect(),
        };
        let body = postcard::to_stdvec(&form).expect("a vector takes what is written");
        let check = crc32fast::hash(&body).to_le_bytes();
        [&MAGIC[..], &check, &body].concat()
    }

    /// A trace from its bytes. Whether it is one of a program, [`Regeneration`](super::Regeneration) tells. O(length).
    ///
    /// ```
    /// use hpp_paths::interprocedural::ProcedureId;
    /// use hpp_paths::trace::{Note, Trace, TraceBytesError};
    /// let start = ProcedureId::new(0);
    /// let trace = Trace::new(start, vec![0b101], 3, 2, vec![Note::Callee(start)])?;
    /// let mut bytes = trace.to_bytes();
    /// assert_eq!(Trace::from_bytes(&bytes)?, trace);
    /// bytes.pop();
    /// let length = bytes.len();
    /// assert_eq!(Trace::from_bytes(&bytes), Err(TraceBytesError::Damaged { length }));
    /// # Ok::<(), TraceBytesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If they are not those of a trace, or were damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TraceBytesError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(TraceBytesError::Foreign)?;
        let length = bytes.len();
        let (check, body) = rest
            .split_first_chunk::<4>()
            .ok_or(TraceBytesError::Damaged { length })?;
        if crc32fast::hash(body) != u32::from_le_bytes(*check) {
            return Err(TraceBytesError::Damaged { length });
        }
        let form = |error: postcard::Error| TraceBytesError::Form(error.to_string());
        let (form, rest): (TraceForm, _) = postcard::take_from_bytes(body).map_err(form)?;
        if !rest.is_empty() {
            let reason = format!("{} bytes lie after its end", rest.len());
            return Err(TraceBytesError::Form(reason));
        }
        let notes = form.notes.into_iter().map(Note::from).collect();
        let start = ProcedureId::new(form.start as usize);
        Self::new(start, form.bytes, form.bits, form.witnesses, notes)
    }
}

impl From<&Note> for NoteForm {
    fn from(note: &Note) -> Self {
        let active = |active: &Activation| {
            let site = active.site.map(|site| site.index() as u32);
            (
                active.procedure.index() as u32,
                active.block.index() as u32,
                site,
            )
        };
        match note {
            Note::Callee(callee) => NoteForm::Callee(callee.index() as u32),
            Note::Escape(exit) => NoteForm::Escape {
                witnesses: exit.witnesses,
                stack: exit.stack.iter().map(active).collect(),
                resumed: exit
                    .resumed
                    .map(|(remaining, block)| (remaining as u32, block.index() as u32)),
            },
        }
    }
}

impl From<NoteForm> for Note {
    fn from(note: NoteForm) -> Self {
        let active = |(procedure, block, site): (u32, u32, Option<u32>)| Activation {
            procedure: ProcedureId::new(procedure as usize),
            block: BlockId::new(block as usize),
            site: site.map(|site| EdgeId::new(site as usize)),
        };
        match note {
            NoteForm::Callee(callee) => Note::Callee(ProcedureId::new(callee as usize)),
            NoteForm::Escape {
                witnesses,
                stack,
                resumed,
            } => Note::Escape(EarlyExit {
                witnesses,
                stack: stack.into_iter().map(active).collect(),
                resumed: resumed
                    .map(|(remaining, block)| (remaining as usize, BlockId::new(block as usize))),
            }),
        }
    }
}
