//! What can go wrong between a design and its bitstream, each with the place and the remedy.

use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum FlowError {
    #[error("{tool} not found in {}; remedy: scripts/setup-tools.sh --fpga", places.join(", "))]
    ToolMissing { tool: String, places: Vec<String> },
    #[error("{tool} failed in {}: {message}; the whole log: {}", dir.display(), dir.join(log).display())]
    ToolFailed {
        tool: String,
        dir: PathBuf,
        log: String,
        message: String,
    },
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: not a report of {tool}: {reason}", path.display())]
    Report {
        path: PathBuf,
        tool: &'static str,
        reason: String,
    },
    #[error(transparent)]
    Configuration(Box<hpp_gen::FileError>),
    #[error(transparent)]
    Generate(Box<hpp_gen::GenerateError>),
    #[error(transparent)]
    Output(#[from] hpp_gen::OutputError),
    /// A program or a source could not be made from what is there.
    #[error("{what} was not built:\n{message}")]
    Program { what: &'static str, message: String },
    #[error("cannot start the threads that run the tools: {0}; remedy: fewer --jobs")]
    Threads(String),
}

pub type Result<T> = std::result::Result<T, FlowError>;

/// Turns an I/O error into one that names its file.
pub(crate) fn file_error(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> FlowError {
    let path = path.into();
    move |source| FlowError::File { path, source }
}
