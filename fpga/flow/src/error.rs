//! What can go wrong between a design and its bitstream, each with the place and the remedy.

use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum FlowError {
    /// A tool is not installed.
    #[error("{tool} not found in {}; remedy: scripts/setup-tools.sh --fpga", places.join(", "))]
    ToolMissing { tool: String, places: Vec<String> },
    /// A tool ran and failed.
    #[error("{tool} failed in {}: {message}; the whole log: {}", dir.display(), dir.join(log).display())]
    ToolFailed {
        tool: String,
        dir: PathBuf,
        log: String,
        message: String,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A tool's report is not what the tool is documented to write.
    #[error("{}: not a report of {tool}: {reason}", path.display())]
    Report {
        path: PathBuf,
        tool: &'static str,
        reason: String,
    },
    /// A configuration of `fpga/configurations` is not one.
    #[error(transparent)]
    Configuration(Box<hpp_gen::FileError>),
    /// The profiler could not be generated.
    #[error(transparent)]
    Generate(Box<hpp_gen::GenerateError>),
    /// A generated file could not be written.
    #[error(transparent)]
    Output(#[from] hpp_gen::OutputError),
    /// A program or a source could not be made from what is there.
    #[error("{what} was not built:\n{message}")]
    Program { what: &'static str, message: String },
    /// The threads that run the tools could not be started.
    #[error("cannot start the threads that run the tools: {0}; remedy: fewer --jobs")]
    Threads(String),
}

/// Result of the flow's functions.
pub type Result<T> = std::result::Result<T, FlowError>;

/// Turns an I/O error into one that names its file.
pub(crate) fn file_error(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> FlowError {
    let path = path.into();
    move |source| FlowError::File { path, source }
}
