//! What is no run.
use thiserror::Error;

use crate::graph::PathError;

/// Why events are not a run of a program. Positions count from 0.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// An edge does not go on where control is.
    #[error("event {position}, in `{procedure}`: {error}")]
    Edge {
        position: u64,
        procedure: String,
        error: PathError,
    },
    /// An edge that the procedure does not have, or is used as what it is not.
    #[error("event {position}, in `{procedure}`: edge {edge} (from 0) {wrong}")]
    Misused {
        position: u64,
        procedure: String,
        edge: usize,
        wrong: Misuse,
    },
    /// A return elsewhere than at an exit.
    #[error("event {position}: `{procedure}` returns from a block that is not its exit")]
    Return { position: u64, procedure: String },
    /// An event after the return of the first procedure.
    #[error("event {position}: the run has ended; the procedure it began in has returned")]
    Ended { position: u64 },
}

/// How an event uses an edge as what it is not.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Misuse {
    /// There is no such edge, or control cannot reach it.
    #[error("does not exist")]
    Missing,
    /// A call, not taken as one.
    #[error("is a call; give its callee")]
    Call,
    /// Not a call of this procedure.
    #[error("does not call the procedure that the event names")]
    NotCalled,
}
