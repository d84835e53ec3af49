//! Why something is no profile, or two profiles do not belong together.

use hpp_golden::config::GeometryError;
use hpp_golden::profiler::IllegalRow;
use thiserror::Error;

use crate::numbers::number_of;

/// Why something is no profile, or two profiles do not belong together.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProfileError {
    /// Sizes that no profiler has.
    #[error("the geometry is that of no profiler")]
    Geometry(#[from] GeometryError),
    /// A control register that no profiler has.
    #[error("the control register is that of no profiler")]
    Row(#[from] IllegalRow),
    /// A file that is not as `hpp merge` writes it.
    #[error("not a profile as `hpp merge` writes it: {0}")]
    Form(String),
    /// A file that is no manifest of a profiler.
    #[error("not a manifest as `gen-verilog` writes it, such as hpp.json: {0}")]
    Manifest(String),
    /// A context that the profiler has not.
    #[error("there is no context {context}: contexts of this profiler are {} wide", number_of((*bits).into(), "bit"))]
    Context { context: u8, bits: u32 },
    /// Two profiles of profilers of other sizes.
    #[error("they differ in geometry ({parameters}); {remedy}")]
    Geometries {
        parameters: String,
        remedy: &'static str,
    },
    /// Two profiles that say different things of one thing.
    #[error("they differ in {what}: {first} and {second}; {remedy}")]
    Different {
        what: &'static str,
        first: String,
        second: String,
        remedy: &'static str,
    },
}
