//! What a path profile says of a program: as data, and as text for people. Nothing here knows a terminal.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`profile`] | counts of paths, of one dump or of several merged |
//! | [`program`] | the program that ran: code, functions, demangled names, source lines |
//! | [`numbers`] | numbers as people read them |
//! | [`names`] | names of functions, short enough for a column |
//! | [`counted`] | what a profile counts, in words |
//! | [`heat`], [`annotate`](mod@annotate) | what paths say of single instructions and branches |
//! | [`graph`] | control-flow graphs of hot functions, and the paths in them |
//! | [`diff`] | two profiles beside each other |
//! | [`health`] | whether it can be trusted, and what it does not show |
//! | [`steps`](mod@steps) | a path's blocks, and how it leaves each |
//! | [`by`] | what paths are ranked by |
//! | [`report`] | hot paths with shares, function, line and blocks; totals of functions |
//! | [`columns`], [`text`] | a report in columns |
//! | [`recorded`] | retirements of a recorded simulation |

#![forbid(unsafe_code)]

pub mod annotate;
pub mod by;
pub mod code;
pub mod columns;
pub mod counted;
mod described;
pub mod diff;
mod elf_file;
mod error;
pub mod graph;
pub mod health;
pub mod heat;
pub mod names;
pub mod numbers;
mod part;
mod path;
pub mod profile;
pub mod program;
pub mod recorded;
pub mod report;
mod split;
pub mod steps;
pub mod text;
mod totals;
mod unread;

pub use annotate::{Annotated, annotate};
pub use by::By;
pub use counted::Counted;
pub use diff::{Changed, Diff};
pub use elf_file::ElfFile;
pub use error::ReportError;
pub use graph::Graphs;
pub use health::{Finding, Health};
pub use heat::Heat;
pub use profile::{Manifest, Missing, Profile, ProfileError};
pub use program::{Place, Program, ProgramError, SourceLine, demangled};
pub use recorded::Recorded;
pub use report::{PathBlock, PathReport, Report};
pub use totals::FunctionTotal;
