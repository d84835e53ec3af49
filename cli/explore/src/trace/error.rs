//! Why a trace cannot be read or written.

use std::io;

use thiserror::Error;

use crate::trace::VERSION;

/// Why a trace cannot be read or written. The text says where and what would help.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
pub enum TraceError {
    #[error("not a record trace: it does not begin with HPPTRACE; `hpp trace --write` makes one")]
    NotATrace,
    #[error(
        "a trace of version {0}; version {VERSION} can be read: use the `hpp` that recorded it, or record again"
    )]
    Version(u32),
    #[error("the header is damaged; record again")]
    Header(#[from] serde_json::Error),
    #[error(
        "the trace ends in chunk {chunk}, after {records} records: the recording was interrupted, or the file was cut; record again"
    )]
    Cut { chunk: usize, records: u64 },
    #[error(
        "chunk {chunk}, after {records} records, is damaged: {what}; copy the file again or record again"
    )]
    Damaged {
        chunk: usize,
        records: u64,
        what: String,
    },
    #[error(transparent)]
    Io(#[from] io::Error),
}
