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
mod entry;
mod error;
mod exact;
mod hot_list;
mod lengths;
mod overhead;
mod profiler;
mod report;
mod settings;

pub use accuracy::{Sides, expectation, relative_error};
pub use encoding::Encoding;
pub use entry::SubpathId;
pub use error::SettingsError;
pub use exact::{CountedSubpath, count_subpaths, encoded_counts};
pub use lengths::Lengths;
pub use overhead::Costs;
pub use profiler::SubpathProfiler;
pub use report::{Report, SampledSubpath};
pub use settings::{Memory, Settings, Windows};
