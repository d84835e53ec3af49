//! Why events are not a run of a program.
use thiserror::Error;

use crate::graph::PathError;

/// Why events are not a run of a program. Positions count from 0.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    #[error("event {position}, in `{procedure}`: {error}")]
    Edge {
        position: u64,
        procedure: String,
        error: PathError,
    },
    #[error("event {position}, in `{procedure}`: edge {edge} (from 0) {wrong}")]
    Misused {
        position: u64,
        procedure: String,
        edge: usize,
        wrong: Misuse,
    },
    #[error("event {position}: `{procedure}` returns from a block that is not its exit")]
    Return { position: u64, procedure: String },
    #[error("event {position}: the run has ended; the procedure it began in has returned")]
    Ended { position: u64 },
}

/// How an event uses an edge as what it is not.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Misuse {
    #[error("does not exist")]
    Missing,
    #[error("is a call; give its callee")]
    Call,
    #[error("does not call the procedure that the event names")]
    NotCalled,
}
