//! Errors between Verilog text and a running model.

use std::path::PathBuf;

/// An error of this crate. Its text says what failed, where, and what would help.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable Verilator was found: why, and what would help.
    #[error("{0}")]
    NoVerilator(String),
    /// Verilator refused the design; `message` is its own text.
    #[error("Verilator refuses `{top}`:\n{message}")]
    Verilog { top: String, message: String },
    /// The C++ compiler is missing or failed.
    #[error("C++ compilation of `{top}` failed:\n{message}")]
    Compiler { top: String, message: String },
    /// A port of a shape the binding has no handle for.
    #[error("port `{port}` of `{top}`: {reason}")]
    UnsupportedPort {
        top: String,
        port: String,
        reason: &'static str,
    },
    /// The top module has no such port of that direction.
    #[error("`{top}` has no {direction} port `{port}`; it has {known}")]
    NoSuchPort {
        top: String,
        port: String,
        direction: &'static str,
        known: String,
    },
    /// The model stopped by a failed assertion, `$error`, `$fatal` or `$stop`.
    #[error("simulation of `{top}` failed at time {time}:\n{message}")]
    Simulation {
        top: String,
        time: u64,
        message: String,
    },
    /// The shared library of a built model could not be used.
    #[error("cannot load {path}: {source}; remove that folder to build it again")]
    Load {
        path: PathBuf,
        source: libloading::Error,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

pub type Result<T> = std::result::Result<T, Error>;

/// Names the file in an I/O error.
pub(crate) trait AtPath<T> {
    fn at(self, path: impl Into<PathBuf>) -> Result<T>;
}

impl<T> AtPath<T> for std::io::Result<T> {
    fn at(self, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| Error::File {
            path: path.into(),
            source,
        })
    }
}
