//! What became of mutants, kept so that a run that was interrupted goes on.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// This test failed.
    Died(String),
    /// This test did not end in its time.
    TimedOut(String),
    /// Every test that reaches it passed.
    Alive,
    /// No test reaches it.
    Unreached,
    /// The compiler does not take it: it is no mutant.
    Refused,
}

impl Fate {
    /// Whether a test noticed.
    pub fn is_noticed(&self) -> bool {
        self.killer().is_some()
    }

    /// Whether no test noticed.
    pub fn is_alive(&self) -> bool {
        matches!(self, Self::Alive | Self::Unreached)
    }

    /// The test that noticed.
    pub fn killer(&self) -> Option<&str> {
        match self {
            Self::Died(test) | Self::TimedOut(test) => Some(test),
            _ => None,
        }
    }
}

/// Fates by the names of mutants.
pub type Fates = BTreeMap<String, Fate>;

/// What is known of the mutants of a package.
#[derive(Debug)]
pub struct Known {
    /// For these very sources.
    now: Mutex<(Fates, File)>,
    /// For sources before: a hint.
    pub before: Fates,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    fate: Fate,
}

impl Known {
    /// What a folder holds for sources with this hash.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written.
    pub fn open(folder: &Path, hash: &str) -> Result<Self> {
        let (now, before) = (folder.join("fates.jsonl"), folder.join("before.jsonl"));
        let is_now = fs::read_to_string(folder.join("hash")).is_ok_and(|kept| kept == hash);
        if !is_now {
            let mut all = read(&before)?;
            all.extend(read(&now)?);
            let lines: Vec<String> = all.into_iter().map(line).collect::<Result<_>>()?;
            let place = |path: &PathBuf| format!("cannot write {}", path.display());
            fs::write(&before, lines.concat()).with_context(|| place(&before))?;
            fs::write(&now, "").with_context(|| place(&now))?;
            fs::write(folder.join("hash"), hash).context("cannot write the hash")?;
        }
        let file = File::options().append(true).create(true).open(&now);
        let file = file.with_context(|| format!("{}", now.display()))?;
        Ok(Self {
            now: Mutex::new((read(&now)?, file)),
            before: read(&before)?,
        })
    }

    /// What became of a mutant, now or by finding out.
    ///
    /// # Errors
    ///
    /// If it cannot be found out or kept.
    pub fn fate(&self, key: &str, find: impl FnOnce() -> Result<Fate>) -> Result<Fate> {
        if let Some(fate) = self.lock().0.get(key) {
            return Ok(fate.clone());
        }
        let fate = find()?;
        let mut now = self.lock();
        now.0.insert(key.to_owned(), fate.clone());
        let line = line((key.to_owned(), fate.clone()))?;
        now.1
            .write_all(line.as_bytes())
            .context("a fate cannot be kept")?;
        Ok(fate)
    }

    /// The last that was known of a mutant.
    pub fn last(&self, key: &str) -> Option<Fate> {
        let now = self.lock().0.get(key).cloned();
        now.or_else(|| self.before.get(key).cloned())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Fates, File)> {
        self.now
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn line((key, fate): (String, Fate)) -> Result<String> {
    let text = serde_json::to_string(&Line { key, fate }).context("a fate")?;
    Ok(format!("{text}\n"))
}

/// Of a line that was cut short nothing is known.
fn read(path: &Path) -> Result<Fates> {
    if !path.exists() {
        return Ok(Fates::new());
    }
    let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Line>(line).ok());
    Ok(lines.map(|line| (line.key, line.fate)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fate_is_kept_for_the_same_sources_and_a_hint_for_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let died = || Fate::Died("t".into());
        let known = Known::open(folder.path(), "1").expect("it opens");
        assert_eq!(known.fate("a", || Ok(died())).expect("found"), died());
        let known = Known::open(folder.path(), "1").expect("it opens");
        let unasked = || panic!("it is known");
        assert_eq!(known.fate("a", unasked).expect("known"), died());
        for hash in ["2", "3"] {
            let known = Known::open(folder.path(), hash).expect("it opens");
            assert_eq!(known.last("a"), Some(died()));
        }
        let known = Known::open(folder.path(), "3").expect("it opens");
        assert_eq!(
            known.fate("a", || Ok(Fate::Alive)).expect("found"),
            Fate::Alive
        );
        assert_eq!(known.last("a"), Some(Fate::Alive));
    }
}
