//! Why there is no report.

use thiserror::Error;

use crate::by::ByError;
use crate::profile::Profile;
use crate::program::Program;

/// Why there is no report.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReportError {
    /// The profile cannot be ranked so.
    #[error(transparent)]
    By(#[from] ByError),
    /// Addresses of different instructions are one to the profiler.
    #[error(
        "the program has compressed instructions (one is at {at:#x}), and a profiler of align 2 leaves bit 1 out of every address: it counted paths of \
         different places as one; remedy: generate it with --align 1 and profile again"
    )]
    Align {
        /// An address that the profiler cannot hold.
        at: u64,
    },
}

/// Checks that the profiler holds the addresses of the program's instructions.
pub(crate) fn aligned(profile: &Profile, program: Option<&Program<'_>>) -> Result<(), ReportError> {
    let left_out = program.filter(|_| profile.geometry.align > 1);
    match left_out.and_then(|program| program.image().half_aligned()) {
        Some(at) => Err(ReportError::Align { at }),
        None => Ok(()),
    }
}
