//! A cache of the results of slow tools, by a hash of all their inputs.
//!
//! A run of Yosys or of a solver depends on its input, its arguments and its version. What it said is a file of `build/cache`
//! named after their hash, so a circuit that has not changed is not proved or synthesised again. `HPP_FRESH=1` runs the tools
//! anyway; removing the folder is always safe.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::project_root;

thread_local! {
    /// Runs that this thread was spared.
    static SPARED: Cell<u32> = const { Cell::new(0) };
}

/// What `run` says, or what it said when it was given the same `parts`, a name and a text each.
///
/// # Errors
///
/// That of `run`, which is not kept, and of the folder.
pub fn text(
    kind: &str,
    parts: &[(&str, &str)],
    run: impl FnOnce() -> Result<String>,
) -> Result<String> {
    let place = place(kind, parts);
    if !is_fresh()
        && let Ok(text) = fs::read_to_string(&place)
    {
        SPARED.set(SPARED.get() + 1);
        return Ok(text);
    }
    let text = run()?;
    store(&place, &text).with_context(|| format!("cannot write {}", place.display()))?;
    Ok(text)
}

/// Whether everything is to be run, whatever is kept.
#[must_use]
pub fn is_fresh() -> bool {
    std::env::var_os("HPP_FRESH").is_some_and(|value| !value.is_empty() && value != "0")
}

fn place(kind: &str, parts: &[(&str, &str)]) -> PathBuf {
    let mut hash = Sha256::new();
    for (name, text) in parts {
        // The lengths keep neighbouring parts apart.
        hash.update(format!("{name} {}\n{text}", text.len()));
    }
    let name = name(hash);
    project_root()
        .join("build/cache")
        .join(format!("{kind}-{name}"))
}

fn name(hash: Sha256) -> String {
    let hash = hash.finalize();
    hash.iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// A hash of anything, to be part of what something depends on.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    name(Sha256::new().chain_update(bytes))
}

/// Writes beside the place and renames, so that an interrupted run leaves nothing that looks whole.
fn store(place: &Path, text: &str) -> Result<()> {
    let folder = place.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder)?;
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    draft.write_all(text.as_bytes())?;
    draft.persist(place)?;
    Ok(())
}

/// Says on the standard output, also of a test that passes, if runs for `what` were spared on this thread since the last call.
pub fn tell(what: &str) {
    let spared = SPARED.replace(0);
    if spared > 0 {
        let line = format!(
            "{what}: {spared} runs of tools kept from before, for the same input; HPP_FRESH=1 runs them"
        );
        // Nobody to tell is no failure.
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}

/// What a tool says of its version; it is asked once.
pub fn version(program: &Path) -> Result<String> {
    static KNOWN: LazyLock<Mutex<HashMap<PathBuf, String>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(version) = known.get(program) {
        return Ok(version.clone());
    }
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
    known.insert(program.to_path_buf(), version.clone());
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_kept_for_its_own_input_only() {
        let base = [("text", "a"), ("arguments", "b")];
        let name = |parts: &[(&str, &str)]| place("test", parts);
        assert_eq!(name(&base), name(&base.clone()));
        assert_ne!(name(&base), place("other", &base));
        assert_ne!(name(&base), name(&[("text", "ab"), ("arguments", "")]));
        assert_ne!(name(&base), name(&base[..1]));
    }
}
