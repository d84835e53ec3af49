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
    Verilog {
        /// Top module.
        top: String,
        /// Verilator's diagnostics.
        message: String,
    },
    /// The C++ compiler is missing or failed.
    #[error("C++ compilation of `{top}` failed:\n{message}")]
    Compiler {
        /// Top module.
        top: String,
        /// The compiler's diagnostics.
        message: String,
    },
    /// A port of a shape the binding has no handle for.
    #[error("port `{port}` of `{top}`: {reason}")]
    UnsupportedPort {
        /// Top module.
        top: String,
        /// Port as Verilator declares it.
        port: String,
        /// What is unsupported about it.
        reason: &'static str,
    },
    /// The top module has no such port of that direction.
    #[error("`{top}` has no {direction} port `{port}`; it has {known}")]
    NoSuchPort {
        /// Top module.
        top: String,
        /// The name asked for.
        port: String,
        /// `input` or `output`.
        direction: &'static str,
        /// The ports of that direction.
        known: String,
    },
    /// The model stopped by a failed assertion, `$error`, `$fatal` or `$stop`.
    #[error("simulation of `{top}` failed at time {time}:\n{message}")]
    Simulation {
        /// Top module.
        top: String,
        /// Simulation time (two for each clock cycle).
        time: u64,
        /// What the model printed, the failing statement's file and line included.
        message: String,
    },
    /// The design was built without the feature that was asked for.
    #[error("`{top}` was built without {feature}: call `Builder::{method}` before `build`")]
    NotBuiltIn {
        /// Top module.
        top: String,
        /// What is missing.
        feature: &'static str,
        /// The builder's method that turns it on.
        method: &'static str,
    },
    /// The shared library of a built model could not be used.
    #[error("cannot load {path}: {source}; remove that folder to build it again")]
    Load {
        /// The library.
        path: PathBuf,
        /// The dynamic linker's error.
        source: libloading::Error,
    },
    /// A coverage file that is not in Verilator's format.
    #[error("{path}:{line}: {reason}")]
    Coverage {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What was expected.
        reason: &'static str,
    },
    /// A recording that cannot be sampled.
    #[error("{path}: {source}")]
    Waveform {
        /// The file.
        path: PathBuf,
        /// Why.
        source: crate::WaveformError,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Result with this crate's [`Error`].
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
