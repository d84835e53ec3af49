//! What is no run.
use thiserror::Error;

use crate::graph::PathError;

/// Why events are not a run of a program. Positions count from 0.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// An edge does not go on where control is.
    #[error("event {position}, in `{procedure}`: {error}")]
    Edge {
        /// Position of the event.
        position: u64,
        /// Name of the procedure control is in.
        procedure: String,
        /// What is wrong with the edge.
        error: PathError,
    },
    /// An edge that the procedure does not have, or is used as what it is not.
    #[error("event {position}, in `{procedure}`: edge {edge} (from 0) {wrong}")]
    Misused {
        /// Position of the event.
        position: u64,
        /// Name of the procedure control is in.
        procedure: String,
        /// The edge.
        edge: usize,
        /// How.
        wrong: Misuse,
    },
    /// A return elsewhere than at an exit.
    #[error("event {position}: `{procedure}` returns from a block that is not its exit")]
    Return {
        /// Position of the event.
        position: u64,
        /// Name of the procedure.
        procedure: String,
    },
    /// An event after the return of the first procedure.
    #[error("event {position}: the run has ended; the procedure it began in has returned")]
    Ended {
        /// Position of the event.
        position: u64,
    },
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
