//! The mutants of a package, as cargo-mutants lists them.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// What kind of place a mutant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Genre {
    /// The body of a function.
    FnValue,
    /// An operator between two operands.
    BinaryOperator,
    /// An operator before its operand, deleted.
    UnaryOperator,
    /// An arm of a `match`, deleted.
    MatchArm,
    /// The guard of an arm.
    MatchArmGuard,
    /// A field of a struct expression with a base, deleted.
    StructField,
}

/// A mistake: some text in the place of other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// From 1 in the order of the list.
    pub number: u32,
    /// Its file, from the project's root.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// What is replaced: bytes of the file.
    pub span: Range<usize>,
    /// By what.
    pub replacement: String,
    /// What kind of place it is.
    pub genre: Genre,
    /// File and what is changed in which function, without lines, which change too often. Of several that are otherwise called the same,
    /// the second and later ones have their place among them.
    pub key: String,
}

impl Mutant {
    /// Its file and line, and what is changed.
    pub fn place(&self) -> String {
        let what = self.key.strip_prefix(&self.file).unwrap_or(&self.key);
        format!("{}:{}{what}", self.file, self.line)
    }

    /// The text of its file with the mistake.
    pub fn applied(&self, text: &str) -> String {
        let Range { start, end } = self.span;
        [&text[..start], &self.replacement, &text[end..]].concat()
    }
}

/// As cargo-mutants writes it.
#[derive(Deserialize)]
struct Listed {
    file: String,
    genre: Genre,
    name: String,
    replacement: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

/// Both from 1, columns in characters.
#[derive(Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

/// The mutants of a package of the workspace at `root`, by the configuration there; `program` is cargo-mutants.
///
/// # Errors
///
/// If cargo-mutants fails, or its list does not fit the files.
pub fn list(program: &Path, root: &Path, package: &str) -> Result<Vec<Mutant>> {
    let mut command = Command::new(program);
    command.args(["mutants", "--list", "--json", "--package", package]);
    let output = command
        .current_dir(root)
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "cargo-mutants has no list of `{package}`: {}",
            said.trim_end()
        );
    }
    let read = |file: &str| {
        let path = root.join(file);
        std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))
    };
    parse(&output.stdout, read)
}

/// The mutants of a list in JSON; `read` gives the text of a file.
///
/// # Errors
///
/// If it is not such a list, or does not fit the files.
pub fn parse(json: &[u8], read: impl Fn(&str) -> Result<String>) -> Result<Vec<Mutant>> {
    let listed: Vec<Listed> =
        serde_json::from_slice(json).context("the list of cargo-mutants is not as known")?;
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    let mut mutants = Vec::with_capacity(listed.len());
    for (listed, number) in listed.into_iter().zip(1..) {
        if !texts.contains_key(&listed.file) {
            texts.insert(listed.file.clone(), read(&listed.file)?);
        }
        let text = &texts[&listed.file];
        let at = |place: &Place| {
            offset(text, place).with_context(|| format!("no such place: {}", listed.name))
        };
        let span = at(&listed.span.start)?..at(&listed.span.end)?;
        let what = listed.name.split_once(": ").map_or("", |parts| parts.1);
        let plain = format!("{}: {what}", listed.file);
        let count = times.entry(plain.clone()).or_default();
        *count += 1;
        let key = match *count {
            1 => plain,
            count => format!("{plain} ({count})"),
        };
        mutants.push(Mutant {
            number,
            line: listed.span.start.line,
            span,
            key,
            file: listed.file,
            replacement: listed.replacement,
            genre: listed.genre,
        });
    }
    Ok(mutants)
}

/// The byte at a place of a text.
fn offset(text: &str, place: &Place) -> Option<usize> {
    let mut line_starts =
        std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1));
    let start = line_starts.nth(place.line.checked_sub(1)?)?;
    let mut places = text[start..].char_indices().map(|(at, _)| start + at);
    match places.nth(place.column.checked_sub(1)?) {
        Some(at) => Some(at),
        None => Some(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn f(a: u8) -> u8 {\n    /* é */ a + a + a\n}\n";

    fn listed(line: usize, column: usize) -> String {
        format!(
            r#"{{"file": "f.rs", "genre": "BinaryOperator", "name": "f.rs:{line}:{column}: replace + with - in f", "replacement": "-",
            "span": {{"start": {{"line": {line}, "column": {column}}}, "end": {{"line": {line}, "column": {}}}}}}}"#,
            column + 1
        )
    }

    #[test]
    fn columns_are_characters_and_each_mutant_has_a_name_of_its_own() {
        let json = format!("[{}, {}]", listed(2, 15), listed(2, 19));
        let mutants = parse(json.as_bytes(), |_| Ok(TEXT.to_owned())).expect("a list");
        assert_eq!(mutants[0].key, "f.rs: replace + with - in f");
        assert_eq!(mutants[1].key, "f.rs: replace + with - in f (2)");
        assert_eq!(mutants[1].place(), "f.rs:2: replace + with - in f (2)");
        assert!(mutants[0].applied(TEXT).contains("/* é */ a - a + a\n"));
        assert!(mutants[1].applied(TEXT).contains("/* é */ a + a - a\n"));
    }

    #[test]
    fn a_place_that_there_is_not_is_an_error() {
        let json = format!("[{}]", listed(7, 1));
        let error = parse(json.as_bytes(), |_| Ok(TEXT.to_owned())).expect_err("no line 7");
        assert!(format!("{error:#}").contains("no such place: f.rs:7:1"));
        assert!(parse(b"{}", |_| Ok(TEXT.to_owned())).is_err());
    }
}
