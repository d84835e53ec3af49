//! A copy of the workspace in which the code may be changed.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What tests find at the root but git does not know.
const LINKED: [&str; 2] = [".tools", ".venv"];

/// What the files of a workspace held at one time.
#[derive(Debug)]
pub struct Sources {
    root: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
}

impl Sources {
    /// What git knows, or would know, of the workspace at `root`.
    ///
    /// # Errors
    ///
    /// If git does not know the folder, or a file cannot be read.
    pub fn of(root: &Path) -> Result<Self> {
        let read = |name: String| {
            let path = root.join(&name);
            let content = fs::read(&path).with_context(|| format!("{}", path.display()))?;
            Ok((name, content))
        };
        Ok(Self {
            root: root.to_owned(),
            files: files(root)?.into_iter().map(read).collect::<Result<_>>()?,
        })
    }

    /// The files, from the root, with what they held.
    pub fn files(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.files
    }

    /// What a file held.
    ///
    /// # Errors
    ///
    /// If there was none, or it was no text.
    pub fn text(&self, file: &str) -> Result<&str> {
        let content = self.files.get(file);
        let content = content.with_context(|| format!("no file {file}"))?;
        std::str::from_utf8(content).with_context(|| format!("{file} is no text"))
    }
}

/// A copy of a workspace.
#[derive(Debug)]
pub struct Scratch<'a> {
    sources: &'a Sources,
    root: PathBuf,
}

impl<'a> Scratch<'a> {
    /// Copies a workspace, and takes out of `root` what is not there. Files that are already as they must be are left alone, so
    /// that cargo sees what changed; so are those that are another's to write, by `anothers`.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn copy(
        sources: &'a Sources,
        root: &Path,
        anothers: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
        let scratch = Self {
            sources,
            root: root.to_owned(),
        };
        for (file, content) in &sources.files {
            if anothers(file) {
                continue;
            }
            scratch.write(file, content)?;
            let mode = fs::metadata(sources.root.join(file)).context("its mode")?;
            let path = root.join(file);
            fs::set_permissions(&path, mode.permissions())
                .with_context(|| format!("{}", path.display()))?;
        }
        scratch.clear()?;
        for name in LINKED {
            let (there, here) = (sources.root.join(name), root.join(name));
            if there.exists() && !here.exists() {
                std::os::unix::fs::symlink(&there, &here)
                    .with_context(|| format!("cannot link {}", here.display()))?;
            }
        }
        Ok(scratch)
    }

    /// What it is a copy of.
    pub fn sources(&self) -> &Sources {
        self.sources
    }

    /// Its root.
    pub fn root(&self) -> &Path {
        &self.root
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
        let known: BTreeSet<PathBuf> = self
            .sources
            .files
            .keys()
            .map(|file| self.root.join(file))
            .collect();
        let folders: BTreeSet<&Path> = known.iter().filter_map(|file| file.parent()).collect();
        for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
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
