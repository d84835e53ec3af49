//! A copy of the workspace in which the code may be changed.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What tests find at the root but git does not know.
const LINKED: [&str; 2] = [".tools", ".venv"];

/// A copy of a workspace.
#[derive(Debug, Clone)]
pub struct Scratch {
    from: PathBuf,
    root: PathBuf,
    files: Vec<String>,
}

impl Scratch {
    /// Copies what git knows or would know of the workspace `from`, and takes out of `to` what is no longer there. Files that are already
    /// as they must be are left alone, so that cargo sees what changed.
    ///
    /// # Errors
    ///
    /// If git does not know the folder, or a file cannot be read or written.
    pub fn copy(from: &Path, to: &Path) -> Result<Self> {
        let files = files(from)?;
        fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
        let scratch = Self {
            from: from.to_owned(),
            root: to.to_owned(),
            files,
        };
        for file in &scratch.files {
            scratch.restore(file)?;
        }
        scratch.clear()?;
        for name in LINKED {
            let (there, here) = (from.join(name), to.join(name));
            if there.exists() && !here.exists() {
                std::os::unix::fs::symlink(&there, &here)
                    .with_context(|| format!("cannot link {}", here.display()))?;
            }
        }
        Ok(scratch)
    }

    /// Its root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its files, from the root.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// What the file holds in the workspace.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn original(&self, file: &str) -> Result<Vec<u8>> {
        let path = self.from.join(file);
        fs::read(&path).with_context(|| format!("{}", path.display()))
    }

    /// Makes a file what it is in the workspace.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written.
    pub fn restore(&self, file: &str) -> Result<()> {
        self.write(file, &self.original(file)?)?;
        let mode = fs::metadata(self.from.join(file)).context("its mode")?;
        let path = self.root.join(file);
        fs::set_permissions(&path, mode.permissions())
            .with_context(|| format!("{}", path.display()))
    }

    /// Writes a file, unless it holds that.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, file: &str, content: &[u8]) -> Result<()> {
        let path = self.root.join(file);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return Ok(());
        }
        let place = || format!("cannot write {}", path.display());
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).with_context(place)?;
        fs::write(&path, content).with_context(place)
    }

    /// Removes files that the workspace does not have, in folders that it has.
    fn clear(&self) -> Result<()> {
        let known: BTreeSet<PathBuf> = self.files.iter().map(|file| self.root.join(file)).collect();
        let folders: BTreeSet<&Path> = known.iter().filter_map(|file| file.parent()).collect();
        for folder in folders {
            for entry in fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
                let path = entry.context("a file")?.path();
                let is_source = path.extension().is_some_and(|ending| ending == "rs");
                if is_source && !known.contains(&path) {
                    fs::remove_file(&path)
                        .with_context(|| format!("cannot remove {}", path.display()))?;
                }
            }
        }
        Ok(())
    }
}

fn files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .current_dir(root)
        .output()
        .context("cannot run git")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("git does not know {}: {}", root.display(), said.trim_end());
    }
    let names = String::from_utf8(output.stdout).context("the name of a file is no text")?;
    let names = names.split_terminator('\0').map(str::to_owned);
    Ok(names.filter(|name| root.join(name).is_file()).collect())
}
