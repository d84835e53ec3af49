//! Mutants that may live, and why.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Why some mutants live.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excuse {
    /// Why.
    pub reason: String,
    /// Their names: [`Mutant::key`](crate::list::Mutant::key).
    pub mutants: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    excuse: Vec<Excuse>,
}

/// The excuses of a file.
///
/// # Errors
///
/// If it is not there or not as it must be.
pub fn excused(path: &Path) -> Result<Vec<Excuse>> {
    let place = || format!("{}", path.display());
    let text = fs::read_to_string(path).with_context(place)?;
    let file: File = toml::from_str(&text).with_context(place)?;
    Ok(file.excuse)
}
