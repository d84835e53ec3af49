//! Built artefacts kept between runs.
//!
//! An artefact lives in a folder named after everything that went into it. It is made in a temporary
//! folder beside its place and renamed there, under a file lock, so parallel tests and parallel
//! processes build each design once and never see half of one.
//!
//! The store is `build/verilated` of the workspace, or the folder named by `HPP_VERILATED_CACHE`.
//! Removing it is always safe.

use crate::error::{AtPath, Result};
use crate::tools::project_root;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub(crate) struct Key(Sha256);

impl Key {
    /// A key for artefacts of this kind.
    pub(crate) fn new(kind: &str) -> Self {
        let mut key = Self(Sha256::new());
        key.add("kind", kind.as_bytes());
        key
    }

    /// Adds one part; label and length keep neighbouring parts apart.
    pub(crate) fn add(&mut self, label: &str, bytes: &[u8]) {
        self.0
            .update(format!("{label} {}\n", bytes.len()).as_bytes());
        self.0.update(bytes);
    }

    /// The name made of it: 32 hexadecimal digits.
    pub(crate) fn name(self) -> String {
        self.0
            .finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The folder `name` of the store, filled by `make` if it is not there yet.
pub(crate) fn entry(name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let store = store();
    let place = store.join(name);
    if place.is_dir() {
        return Ok(place);
    }
    fs::create_dir_all(&store).at(&store)?;
    let lock_path = store.join(format!("{name}.lock"));
    let lock = File::create(&lock_path).at(&lock_path)?;
    lock.lock().at(&lock_path)?;
    if place.is_dir() {
        return Ok(place);
    }
    let draft = tempfile::Builder::new()
        .prefix("draft-")
        .tempdir_in(&store)
        .at(&store)?;
    make(draft.path())?;
    fs::rename(draft.keep(), &place).at(&place)?;
    Ok(place)
}

fn store() -> PathBuf {
    match std::env::var_os("HPP_VERILATED_CACHE") {
        Some(folder) => PathBuf::from(folder),
        None => project_root().join("build/verilated"),
    }
}
