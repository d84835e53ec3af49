//! Where the project and its tools are, the outputs of slow tools, cached ([`cache`]), what commands have in common
//! ([`command`]), and the figures of the manual ([`figures`]).

pub mod cache;
pub mod command;
pub mod figures;

use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

#[must_use]
pub fn project_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// Path of a tool or of a package's sources, as `scripts/tool-paths NAME` finds it. What was found is not looked up again: the script asks
/// the tool for its version, and one of WebAssembly takes a fifth of a second to say it.
///
/// # Errors
///
/// If it is not there; the message says what to run.
pub fn tool_path(name: &str) -> Result<PathBuf> {
    static FOUND: LazyLock<Mutex<HashMap<String, PathBuf>>> = LazyLock::new(Mutex::default);
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = found.get(name) {
        return Ok(path.clone());
    }
    let path = look_up(name)?;
    found.insert(name.to_owned(), path.clone());
    Ok(path)
}

/// A command of a tool that a test cannot do without.
pub fn tool(name: &str) -> Command {
    Command::new(tool_path(name).unwrap_or_else(|error| panic!("{error:#}")))
}

fn look_up(name: &str) -> Result<PathBuf> {
    let script = project_root().join("scripts/tool-paths");
    let output = Command::new(&script)
        .arg(name)
        .output()
        .with_context(|| format!("cannot run {}", script.display()))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}
