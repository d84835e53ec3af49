//! Why something is no profile, or two profiles do not belong together.

use hpp_golden::config::GeometryError;
use hpp_golden::profiler::IllegalRow;
use thiserror::Error;

use crate::numbers::number_of;

/// Why something is no profile, or two profiles do not belong together.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProfileError {
    #[error("the geometry is that of no profiler")]
    Geometry(#[from] GeometryError),
    #[error("the control register is that of no profiler")]
    Row(#[from] IllegalRow),
    #[error("not a profile as `hpp merge` writes it: {0}")]
    Form(String),
    #[error("not a manifest as `gen-verilog` writes it, such as hpp.json: {0}")]
    Manifest(String),
    #[error("there is no context {context}: contexts of this profiler are {} wide", number_of((*bits).into(), "bit"))]
    Context { context: u8, bits: u32 },
    #[error("there is no hart {hart}: {} share this profiler", number_of((*harts).into(), "hart"))]
    Hart { hart: u8, harts: u32 },
    #[error("they differ in geometry ({parameters}); {remedy}")]
    Geometries {
        parameters: String,
        remedy: &'static str,
    },
    #[error("they differ in {what}: {first} and {second}; {remedy}")]
    Different {
        what: &'static str,
        first: String,
        second: String,
        remedy: &'static str,
    },
}
