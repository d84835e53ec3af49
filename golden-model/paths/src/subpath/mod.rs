//! Online subpath profiling: hot subpaths of a program while it runs, in little memory.
//!
//! A *subpath* is any sequence of consecutive blocks: it may begin anywhere and cross loops and calls. There are too many
//! to count. The [`SubpathProfiler`] samples them: it skips blocks for a random while, takes the next blocks up to a
//! random length, and counts this subpath in a *hot list* of bounded size. When the list is full, sampling becomes rarer and the list is thinned, so
//! that its counts, scaled, are unbiased estimates of all that was executed. So it can [report](SubpathProfiler::report) at any moment. (A concise
//! sample is not a uniform sample: thinning ends when there is room, so which sets of points remain together depends on how often they repeat. The expectation of
//! each count is right.)
//!
//! ```text
//!   blocks   . . . . . . . 3 4 5 6 . . . . . . . . . 4 6 . . . . .
//!                  skip    \_____/       skip        \_/   skip
//!                          length 4                  length 2         -> hot list
//! ```
//!
//! | type | chooses or holds |
//! | --- | --- |
//! | [`Settings`] | all choices; the default is the prototype's |
//! | [`Lengths`] | how long a subpath is sampled |
//! | [`Encoding`] | which subpaths count as one |
//! | [`Memory`], [`Settings::sampled_share`], [`Costs`] | limits of memory and of overhead |
//! | [`Report`], [`SampledSubpath`] | estimates and how good they are |
//! | [`count_subpaths`] | the exact counts of a recorded stream, by which a sample is judged |
//!
//! The thesis estimates executions as count x f / (probability of the length). A subpath that begins while another is being sampled
//! is missed, though, so a sampled one begins every f - 1 + (mean length) blocks, not every f. The estimates here
//! use this rate. Tables 4.1 and 4.6 of the thesis show it: 168,885 samples of 169,867,487 blocks are one in 1,005.8 with f = 1,000.
//!
//! Source: Oren, "Online Subpath Profiling" (2002); sections, tables and equations without another source are this thesis's.
mod accuracy;
mod encoding;
mod exact;
mod hot_list;
mod lengths;
mod overhead;
mod profiler;
mod report;
mod settings;

pub use accuracy::{Sides, expectation, relative_error};
pub use encoding::Encoding;
pub use exact::{CountedSubpath, count_subpaths, encoded_counts};
pub use lengths::Lengths;
pub use overhead::Costs;
pub use profiler::SubpathProfiler;
pub use report::{Report, SampledSubpath};
pub use settings::{Memory, Settings, Windows};

/// Which subpath: its length and the number that the encoding gave it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct SubpathId {
    /// How many blocks it runs through.
    pub length: usize,
    /// The encoding of its blocks.
    pub number: u64,
}

/// A subpath in the sample.
#[derive(Clone, Debug)]
struct Entry {
    /// Points of the sample, never 0.
    pub count: u64,
    /// The blocks as they were when it came in, if they are kept.
    pub blocks: Option<Box<[u64]>>,
}

/// Bytes that an entry takes in the hot list, without its blocks.
const ENTRY_BYTES: usize = size_of::<(SubpathId, Entry)>() + size_of::<u8>();

/// Why a profiler cannot work with its settings.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    #[error("no length of subpaths is left to choose: name at least one")]
    NoLength,
    #[error(
        "length {length} with weight {weight}: lengths begin at 1, weights are positive numbers, and so is their sum"
    )]
    Weight { length: usize, weight: f64 },
    #[error("a period of {0}: one block in at least 1 begins a sampled subpath")]
    Period(f64),
    #[error("a growth of {0}: the period has to grow by a factor above 1 when memory is full")]
    Growth(f64),
    #[error("at most {0} of all blocks may be sampled: this has to be a share above 0")]
    Share(f64),
    #[error("the dearest block costs {0}: this has to be a positive number")]
    Dearest(f64),
    #[error("a hot list of 0 entries: it has to hold at least one subpath")]
    NoEntry,
    #[error("{bytes} bytes of memory: a subpath of up to {longest} blocks takes {least}")]
    Memory {
        bytes: usize,
        longest: usize,
        least: usize,
    },
}
