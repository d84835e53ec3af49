//! A configuration as a file. Errors name line and column.

use super::{Config, ConfigError};
use hpp_golden::config::Geometry;
use hpp_hdl::Ingress;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A place in a configuration file, and what is wrong there.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}:{line}:{column}: {message}", path.display())]
    Parse {
        path: PathBuf,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{}:{line}: {error}", path.display())]
    Invalid {
        path: PathBuf,
        line: usize,
        error: ConfigError,
    },
}

impl Config {
    /// Reads a configuration file and checks it.
    ///
    /// # Errors
    /// [`FileError`], with file, line and what is allowed.
    pub fn from_file(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path).map_err(|source| FileError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let config = Self::from_toml(&text, path)?;
        config.validate().map_err(|error| FileError::Invalid {
            path: path.to_path_buf(),
            line: error.line_in(&text).unwrap_or(1),
            error,
        })?;
        Ok(config)
    }

    /// Reads the text of a configuration file without checking its values; `path` is for messages. As [`Config::of`].
    ///
    /// # Errors
    /// [`FileError::Parse`] for anything but the keys and kinds of values of a configuration.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, FileError> {
        // Read as text first: a table does not know in which line a key stands.
        let read = toml::from_str::<Self>(text).and_then(|_| Self::of(toml::from_str(text)?));
        read.map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or_default();
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            FileError::Parse {
                path: path.to_path_buf(),
                line: before.matches('\n').count() + 1,
                column: before[start..].chars().count() + 1,
                message: in_words(error.message()),
            }
        })
    }

    /// What a file says, as a table. Where it does not say `geometry.align`, the ingress decides: RISC-V code may have compressed instructions, and a
    /// profiler that leaves bit 1 out of their addresses counts paths of different places as one. A tiny engine has defaults of its own.
    ///
    /// # Errors
    /// If there are other keys or kinds of values than those of a configuration.
    pub fn of(table: toml::Table) -> Result<Self, toml::de::Error> {
        let geometry = table.get("geometry").cloned();
        let is_said = |key| {
            geometry
                .as_ref()
                .is_some_and(|said| said.get(key).is_some())
        };
        let mut config: Self = table.try_into()?;
        let retires = config.ingress != Ingress::Native;
        let geometry = &mut config.geometry;
        let mut default = Geometry::of_engine(geometry.engine);
        if retires && geometry.takes_compressed() {
            default.align = 1;
        }
        #[rustfmt::skip]
        let defaults = [
            ("sets", &mut geometry.sets, default.sets),
            ("max-branches", &mut geometry.max_branches, default.max_branches),
            ("align", &mut geometry.align, default.align),
            ("counter-bits", &mut geometry.counter_bits, default.counter_bits),
        ];
        for (key, value, default) in defaults {
            if !is_said(key) {
                *value = default;
            }
        }
        Ok(config)
    }
}

/// A parser's message without the names of its types.
fn in_words(message: &str) -> String {
    [
        ("\n", " "),
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        ("wanted string or table", "expected a name in quotes"),
        (" as i128", ""),
        (" as u128", ""),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u8", "expected a whole number from 0 to 255"),
    ]
    .into_iter()
    .fold(message.to_string(), |text, (from, to)| {
        text.replace(from, to)
    })
}
