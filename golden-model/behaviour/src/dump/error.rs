use thiserror::Error;

use super::text::{OLD_BEGIN, VERSION};
use crate::config::GeometryError;
use crate::path::PathDescriptor;
use crate::profiler::IllegalRow;

/// Why a log holds no profile that can be trusted. Lines are counted from 1 in the log.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DumpError {
    #[error(
        "the text has no line `HPP dump {VERSION} begins` (or `{OLD_BEGIN}`): did the firmware find a profiler on the bus, \
         and did the program end?"
    )]
    Missing,
    #[error(
        "line {line}: a dump of version {version}; versions 1 to {VERSION} can be read: use the `hpp` that came with \
         the firmware"
    )]
    Version { line: usize, version: String },
    #[error(
        "the dump breaks off after line {line}: its last line, `... ends ...`, is missing; wait for it, or print again"
    )]
    Truncated { line: usize },
    #[error(
        "line {line}: `{text}` should be {expected}; was the text damaged on its way? Print it again"
    )]
    Malformed {
        line: usize,
        text: String,
        expected: &'static str,
    },
    #[error(
        "of the dump's {lines} lines, numbered from 0 in hexadecimal, {} missing: {}{}; print it again",
        if missing.len() == 1 { "one is" } else { "these are" },
        list(missing, |n| format!("{n:x}")),
        suspects(damaged)
    )]
    Lost {
        lines: u32,
        missing: Vec<u32>,
        damaged: Vec<usize>,
    },
    #[error(
        "line {line}: it says {printed}, the lines before it come to {found}: they were damaged on their way, or belong to \
         two dumps; print it again"
    )]
    Damaged {
        line: usize,
        found: String,
        printed: String,
    },
    #[error(
        "line {line}: {fault}; the text is intact, so the registers were read wrong: check the bus (addresses, byte lanes) \
         and that the table was frozen"
    )]
    Impossible { line: usize, fault: Fault },
}

/// Why a line of a dump is not that of any profiler.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    #[error("the geometry registers are those of no profiler: {0}")]
    Geometry(#[from] GeometryError),
    #[error("GEOMETRY2 says {said} words an entry, its sizes make {needed}")]
    EntryWords { said: u32, needed: u32 },
    #[error("PPCR_ROWS is that of no profiler: {0}")]
    Row(#[from] IllegalRow),
    #[error("entry {number:x} is beyond the table's {entries} entries (0 to {:x})", entries - 1)]
    Number { number: u32, entries: u32 },
    #[error("entry {number:x} was there before, on line {before}")]
    NumberTwice { number: u32, before: usize },
    #[error("the path {path} has an entry already, on line {before}")]
    PathTwice { path: PathDescriptor, before: usize },
    #[error("entry {number:x} is in set {found:x}, but its path {path} belongs to set {needed:x}")]
    Set {
        number: u32,
        path: PathDescriptor,
        found: u32,
        needed: u32,
    },
    #[error("an entry with count 0, which means that it is empty")]
    Empty,
    #[error("the count {count:x} does not fit into an accumulator of {bits} bits")]
    Count { count: u32, bits: u32 },
    #[error("a path of length {length}, but a path records {max_branches} branches at most")]
    Length { length: u32, max_branches: u32 },
    #[error(
        "outcomes {outcomes:x} of a path of length {length}: bits at and above the length must be 0"
    )]
    Outcomes { outcomes: u64, length: u32 },
    #[error("the start {start:#x} is no address of {start_bits} bits whose low {align} are 0")]
    Start {
        start: u64,
        start_bits: u32,
        align: u32,
    },
}

/// The first few items as text.
fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = items.iter().take(SHOWN).map(text).collect();
    match items.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn suspects(damaged: &[usize]) -> String {
    match damaged {
        [] => String::new(),
        [line] => format!(" (line {line} of the text is damaged)"),
        lines => format!(
            " (lines {} of the text are damaged)",
            list(lines, usize::to_string)
        ),
    }
}
