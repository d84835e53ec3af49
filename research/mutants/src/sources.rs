//! What the fate of a package's mutants depends on.

use crate::scratch::Sources;
use anyhow::{Context, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    path: Option<PathBuf>,
}

/// The packages of a workspace by their folders.
#[derive(Debug)]
pub struct Packages {
    /// Folders from the root, with a package's name and the folders of what it depends on in the workspace.
    folders: BTreeMap<PathBuf, (String, Vec<PathBuf>)>,
}

impl Packages {
    /// Those of the workspace at `root`.
    ///
    /// # Errors
    ///
    /// If cargo finds none.
    pub fn of(root: &Path) -> Result<Self> {
        let output = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(root)
            .output()
            .context("cannot run cargo")?;
        let metadata: Metadata = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let root = root.canonicalize().context("the workspace")?;
        let from_root = |path: &Path| path.strip_prefix(&root).map(Path::to_owned).ok();
        let mut folders = BTreeMap::new();
        for package in metadata.packages {
            let folder = package.manifest_path.parent().and_then(from_root);
            let folder = folder.with_context(|| format!("`{}` lies elsewhere", package.name))?;
            let paths = package
                .dependencies
                .iter()
                .filter_map(|one| one.path.as_deref());
            folders.insert(
                folder,
                (package.name, paths.filter_map(from_root).collect()),
            );
        }
        Ok(Self { folders })
    }

    /// The folder of a package, from the root.
    ///
    /// # Errors
    ///
    /// If there is no such package.
    pub fn folder(&self, package: &str) -> Result<&Path> {
        let mut folders = self.folders.iter();
        let found = folders.find(|(_, (name, _))| name == package);
        let found = found.with_context(|| format!("no package `{package}` in the workspace"))?;
        Ok(found.0)
    }

    /// A hash of the sources of a package and of all that it depends on in the workspace.
    ///
    /// # Errors
    ///
    /// If there is no such package.
    pub fn hash(&self, package: &str, sources: &Sources) -> Result<String> {
        let mut needed = vec![self.folder(package)?];
        let mut at = 0;
        while let Some(folder) = needed.get(at) {
            for other in &self.folders[*folder].1 {
                if !needed.contains(&other.as_path()) {
                    needed.push(other);
                }
            }
            at += 1;
        }
        let mut hash = Sha256::new();
        for (file, content) in sources.files() {
            let of_all =
                ["Cargo.toml", "Cargo.lock", ".cargo/mutants.toml"].contains(&file.as_str());
            if of_all
                || self
                    .owner(file)
                    .is_some_and(|owner| needed.contains(&owner))
            {
                hash.update(file.as_bytes());
                hash.update(content);
            }
        }
        let bytes = hash.finalize();
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The folder of the package that a file belongs to.
    fn owner(&self, file: &str) -> Option<&Path> {
        let around = Path::new(file).ancestors().skip(1);
        let mut packages = around.filter_map(|folder| self.folders.get_key_value(folder));
        packages.next().map(|(folder, _)| folder.as_path())
    }
}
