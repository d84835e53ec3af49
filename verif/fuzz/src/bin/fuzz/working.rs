//! The engine's working folder, `build/fuzz/TARGET`, with a corpus that grows from run to run.

use anyhow::{Context, Result};
use hpp_fuzz::{Target, corpus};
use std::fs;
use std::path::{Path, PathBuf};
use verilated::tools::project_root;

/// The folder of a target.
pub struct Working {
    /// The target.
    pub target: &'static Target,
    folder: PathBuf,
}

impl Working {
    /// Makes it, with the kept inputs, the seeds and the words of the language.
    pub fn prepare(target: &'static Target) -> Result<Self> {
        let folder = project_root().join("build/fuzz").join(target.name);
        let working = Self { target, folder };
        for folder in [working.corpus(), working.crashes()] {
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        let file = corpus::file(target.name);
        let kept = fs::read_to_string(&file).unwrap_or_default();
        let kept = corpus::read(&kept).with_context(|| file.display().to_string())?;
        for (number, input) in (target.seeds)().iter().chain(&kept).enumerate() {
            write(&working.corpus().join(format!("kept-{number}")), input)?;
        }
        let word = |word: &&str| format!("\"{}\"\n", escaped(word));
        let words: String = target.words.iter().map(word).collect();
        write(&working.dictionary(), words.as_bytes())?;
        Ok(working)
    }

    /// Inputs, a file each.
    pub fn corpus(&self) -> PathBuf {
        self.folder.join("corpus")
    }

    /// Inputs that a target fails on.
    pub fn crashes(&self) -> PathBuf {
        self.folder.join("crashes")
    }

    /// The words of the language.
    pub fn dictionary(&self) -> PathBuf {
        self.folder.join("words.txt")
    }

    /// What the engine said last.
    pub fn log(&self) -> PathBuf {
        self.folder.join("engine.log")
    }

    /// An empty folder beside the corpus.
    pub fn emptied(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// The inputs of a folder.
    pub fn inputs(&self, folder: &Path) -> Result<Vec<Vec<u8>>> {
        let read = |file: PathBuf| fs::read(&file).with_context(|| file.display().to_string());
        files(folder)?.into_iter().map(read).collect()
    }

    /// The inputs that the target failed on, also in runs before.
    pub fn found(&self) -> Result<Vec<PathBuf>> {
        files(&self.crashes())
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let context = || folder.display().to_string();
    let entries = fs::read_dir(folder).with_context(context)?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.with_context(context)?.path());
    }
    files.sort();
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// A word as the engine's dictionaries have it.
fn escaped(word: &str) -> String {
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    word.bytes().map(escape).collect()
}
