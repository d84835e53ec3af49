//! The progress of a soak, in a file, so that an interrupted one continues.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a soak consists of: another of these is another soak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Seed of the first epoch.
    pub seed: u64,
    /// Records of one epoch.
    pub epoch: u64,
    /// Labels of what is driven, by turns.
    pub subjects: Vec<String>,
    /// A hash of their Verilog.
    pub verilog: String,
}

/// What was compared.
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
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.epochs += other.epochs;
        self.records += other.records;
        self.paths += other.paths;
        self.cycles += other.cycles;
    }
}

/// How far it has come.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    /// What it consists of.
    pub plan: Plan,
    /// All epochs below this number are over.
    next: u64,
    /// Of the others, those that are over.
    ahead: BTreeSet<u64>,
    /// What was compared, by label.
    pub compared: BTreeMap<String, Compared>,
    /// Seconds it has run, all runs together.
    pub seconds: f64,
}

impl State {
    /// A soak that has not begun.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            next: 0,
            ahead: BTreeSet::new(),
            compared: BTreeMap::new(),
            seconds: 0.0,
        }
    }

    /// The state in a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no state.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let place = || format!("{}; remedy: --fresh begins anew", path.display());
        let text = fs::read_to_string(path).with_context(place)?;
        serde_json::from_str(&text).map(Some).with_context(place)
    }

    /// Writes it beside the file and renames, so that there is always a whole one.
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

    /// Whether that epoch is over.
    pub fn is_over(&self, epoch: u64) -> bool {
        epoch < self.next || self.ahead.contains(&epoch)
    }

    /// That epoch is over.
    pub fn finish(&mut self, epoch: u64, label: &str, compared: &Compared) {
        self.ahead.insert(epoch);
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        let sum = self.compared.entry(label.to_string()).or_default();
        sum.add(compared);
    }

    /// All that was compared.
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
