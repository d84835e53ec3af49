//! Where the project and its tools are, and the outputs of slow tools, cached ([`cache`]), and the figures
//! of the manual ([`figures`]).

pub mod cache;
pub mod figures;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The project's root folder.
#[must_use]
pub fn project_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

/// Path of a tool or of a package's sources, as `scripts/tool-paths NAME` finds it.
///
/// # Errors
///
/// If it is not there; the message says what to run.
pub fn tool_path(name: &str) -> Result<PathBuf> {
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
