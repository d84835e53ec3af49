//! Branch records of long runs in a compact file.
//!
//! A program has few different branch records and runs through them billions of times. A trace *defines* each of them once
//! and from then on is a sequence of their *numbers*. A predictor that sees the last numbers guesses the next one; only
//! the guesses that fail are written, and what is written is compressed. `docs/dump.md` describes the file.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`header`] | what is known of the program that ran |
//! | [`numbering`] | records and their numbers |
//! | [`predictor`] | the guess of the next number |
//! | [`writer`], [`reader`] | the file, chunk by chunk |
//! | [`error`] | why a file cannot be read |
//!
//! ```
//! use hpp_golden::branch::{BranchKind, BranchRecord};
//! use hpp_explore::trace::{Ending, Header, TraceReader, TraceWriter};
//!
//! let latch = BranchRecord {
//!     kind: BranchKind::Backward, taken: true, target: 0x1_0010, next: 0x1_0030, events: 6,
//! };
//! let mut writer = TraceWriter::new(Vec::new(), &Header::default())?;
//! for _ in 0..1_000_000 {
//!     writer.record(&latch)?;
//! }
//! let file = writer.finish(&Ending::default())?;
//! assert!(file.len() < 400);
//!
//! let mut reader = TraceReader::new(file.as_slice())?;
//! let mut records = 0;
//! while let Some((_, numbers)) = reader.next_chunk()? {
//!     records += numbers.len();
//! }
//! assert_eq!((records, reader.records()), (1_000_000, &[latch][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod codec;
pub mod error;
pub mod header;
pub mod numbering;
pub mod predictor;
pub mod reader;
pub mod writer;

pub use error::TraceError;
pub use header::{Ending, Header, Isa};
pub use numbering::Numbering;
pub use predictor::Predictor;
pub use reader::TraceReader;
pub use writer::TraceWriter;

/// The version of the file that is written and read.
pub const VERSION: u32 = 1;

/// What a trace begins with.
pub const MAGIC: [u8; 8] = *b"HPPTRACE";

/// Records of a chunk, at most.
pub const CHUNK: usize = 1 << 20;
