//! Source files of a program, where they can be found.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use hpp_report::SourceLine;

/// A folder to look in, as an argument.
pub fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(name);
    match folder.is_dir() {
        true => Ok(folder),
        false => Err("there is no such folder".into()),
    }
}

/// Source files, read when they are first asked for.
pub struct Sources<'a> {
    folders: &'a [PathBuf],
    files: HashMap<String, Option<Vec<String>>>,
}

impl<'a> Sources<'a> {
    /// Looked for where the compiler was given them, in these folders and in the current one.
    pub fn new(folders: &'a [PathBuf]) -> Self {
        Self {
            folders,
            files: HashMap::new(),
        }
    }

    pub fn line(&mut self, line: &SourceLine) -> Option<&str> {
        if !self.files.contains_key(&line.file) {
            let read = self.read(&line.file);
            self.files.insert(line.file.clone(), read);
        }
        let lines = self.files.get(&line.file)?.as_ref()?;
        lines.get(line.line as usize - 1).map(String::as_str)
    }

    /// The file, with all of its folders, or ever fewer of them, below a folder to look in or the current one.
    fn read(&self, file: &str) -> Option<Vec<String>> {
        let parts: Vec<&str> = file.split('/').filter(|part| !part.is_empty()).collect();
        let below = (0..parts.len()).flat_map(|skipped| {
            let rest: PathBuf = parts[skipped..].iter().collect();
            let folders = self.folders.iter().map(PathBuf::as_path);
            folders
                .chain([Path::new(".")])
                .map(move |folder| folder.join(&rest))
        });
        let text = std::iter::once(PathBuf::from(file))
            .chain(below)
            .find_map(|path| fs::read(path).ok())?;
        let text = String::from_utf8_lossy(&text);
        Some(text.lines().map(String::from).collect())
    }
}
