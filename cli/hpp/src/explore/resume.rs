//! Measurements kept from an interrupted sweep.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use hpp_explore::Configuration;
use serde::{Deserialize, Serialize};

use super::{Args, Explored};

/// Under which circumstances a trace was measured: they must be the same for the result to count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// The version of the program that measured it.
    #[serde(default)]
    hpp: String,
    trace: String,
    bytes: u64,
    modified: u128,
    window: u64,
    #[serde(default)]
    least: bool,
    /// How a log is read, if that was said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    log: String,
    configurations: Vec<Configuration>,
}

impl Key {
    pub fn new(trace: &Path, args: &Args, configurations: &[Configuration]) -> Result<Self> {
        let data = fs::metadata(trace).context("cannot be read")?;
        let modified = data.modified().ok();
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Self {
            hpp: env!("CARGO_PKG_VERSION").into(),
            trace: trace.display().to_string(),
            bytes: data.len(),
            modified: since.map_or(0, |since| since.as_nanos()),
            window: args.window,
            least: args.least,
            log: match args.log.is_given() {
                true => format!("{:?}", args.log),
                false => String::new(),
            },
            configurations: configurations.into(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Line<K, E> {
    key: K,
    explored: E,
}

/// What every line begins with.
const BEGINNING: &str = r#"{"key":{"#;

/// Whether that is neither a line of the file nor what an interruption left of one.
fn is_foreign(line: &str) -> bool {
    !line.starts_with(BEGINNING) && !BEGINNING.starts_with(line)
}

/// The file that keeps what was measured, a line for each trace; or none.
pub struct Kept {
    file: Option<File>,
    lines: Vec<Line<Key, Explored>>,
}

impl Kept {
    /// Reads the file, if there is one. A line that an interruption cut is left out.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self {
                file: None,
                lines: Vec::new(),
            });
        };
        let name = || format!("cannot write {}", path.display());
        let text = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        // A line may be cut within a letter.
        let text = String::from_utf8_lossy(&text);
        if let Some(line) = text.lines().position(is_foreign) {
            bail!(
                "{}: line {} is not of a file that --resume wrote: give another file, which it may add to",
                path.display(),
                line + 1
            );
        }
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(name)?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(name)?;
        }
        Ok(Self {
            file: Some(file),
            lines: lines.collect(),
        })
    }

    pub fn find(&mut self, key: &Key) -> Option<Explored> {
        let place = self.lines.iter().position(|line| line.key == *key)?;
        Some(self.lines.swap_remove(place).explored)
    }

    /// Keeps what was measured. If that fails it is tried no more: a part of a line may be there.
    pub fn add(&mut self, key: &Key, explored: &Explored) -> Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let line = serde_json::to_string(&Line { key, explored })? + "\n";
        file.write_all(line.as_bytes())
            .with_context(|| format!("cannot keep what was measured of {}", explored.trace))?;
        self.file = Some(file);
        Ok(())
    }
}
