//! The progress of a soak in a file, so that an interrupted soak continues.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The parameters of a soak. Other parameters make another soak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Seed of the first epoch.
    pub seed: u64,
    /// Records of one epoch.
    pub epoch: u64,
    /// Labels of the subjects, which take turns.
    pub subjects: Vec<String>,
    /// A hash of their Verilog.
    pub verilog: String,
}

/// The amounts compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Epochs.
    pub epochs: u64,
    /// Records.
    pub records: u64,
    /// Paths.
    pub paths: u64,
    /// Clock cycles.
    pub cycles: u64,
}

impl Compared {
    /// Adds another amount.
    pub fn add(&mut self, other: &Self) {
        self.epochs += other.epochs;
        self.records += other.records;
        self.paths += other.paths;
        self.cycles += other.cycles;
    }
}

/// The progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    /// The parameters.
    pub plan: Plan,
    /// All epochs below this number have ended.
    next: u64,
    /// Other epochs that have ended.
    ahead: BTreeSet<u64>,
    /// The amounts compared, by label.
    pub compared: BTreeMap<String, Compared>,
    /// Run time in seconds, of all threads and of all runs together.
    pub thread_seconds: f64,
}

impl State {
    /// A soak that has not started.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            next: 0,
            ahead: BTreeSet::new(),
            compared: BTreeMap::new(),
            thread_seconds: 0.0,
        }
    }

    /// Reads the state from a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no valid state.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let place = || format!("{}; remedy: --fresh begins anew", path.display());
        let text = fs::read_to_string(path).with_context(place)?;
        serde_json::from_str(&text).map(Some).with_context(place)
    }

    /// Writes the state to a draft and renames it, so that the file is always complete.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let place = || format!("cannot write {}", path.display());
        let draft: PathBuf = path.with_extension("draft");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(place)?;
        }
        fs::write(&draft, serde_json::to_string_pretty(self)?).with_context(place)?;
        fs::rename(&draft, path).with_context(place)
    }

    /// Whether an epoch has ended.
    pub fn is_over(&self, epoch: u64) -> bool {
        epoch < self.next || self.ahead.contains(&epoch)
    }

    /// Ends an epoch.
    pub fn finish(&mut self, epoch: u64, label: &str, compared: &Compared) {
        self.ahead.insert(epoch);
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        let sum = self.compared.entry(label.to_string()).or_default();
        sum.add(compared);
    }

    /// The sum of the amounts compared.
    pub fn sum(&self) -> Compared {
        let mut sum = Compared::default();
        self.compared.values().for_each(|each| sum.add(each));
        sum
    }
}

/// A hash of texts.
pub fn hash(texts: &[String]) -> String {
    let mut hash = Sha256::new();
    texts.iter().for_each(|text| hash.update(text));
    let hash = hash.finalize();
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
