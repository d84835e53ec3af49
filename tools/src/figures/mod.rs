//! The figures of the manual: what a command measured, with commit and date, and where pages show it.
//!
//! `docs/figures.toml` holds every figure of the README and of `docs`, `research/docs/figures.toml` those of `research/docs`.
//! A group is what one command measures at once. A page shows a figure between marks, `<!-- fig:table.default.luts -->`
//! and `<!-- / -->`, and [`Measurement::record`] fills them. The name `measured` of each group is its date and commit.

mod age;
mod copies;
mod page;

pub use age::{Age, age, commit_of};
pub use page::PageError;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Data files, and what has the pages of each: a file, or a folder of them.
const BOOKS: [(&str, &[&str]); 2] = [
    (
        "docs/figures.toml",
        &["README.md", "CONTRIBUTING.md", "docs"],
    ),
    ("research/docs/figures.toml", &["research/docs"]),
];

const HEAD: &str = "# The figures of the pages beside this file, written by the commands that measure them. `make figures` renews them.\n\n";

/// What one command measures at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The command that measures and records, as a shell runs it in the project's folder.
    pub command: String,
    /// Minutes that it takes on two cores, where the tools have kept nothing of an earlier run.
    pub minutes: u32,
    /// The files and folders that the figures depend on.
    pub measures: Vec<String>,
    /// The commit that was measured, with `-dirty` after it if `measures` differed from it.
    pub commit: String,
    /// The day, as `2026-11-25`.
    pub date: String,
    /// The figures as pages show them. One of several lines is a block.
    pub figures: BTreeMap<String, String>,
}

impl Group {
    /// When, at which commit and by what it was measured.
    pub fn measured(&self) -> String {
        let Self {
            command,
            commit,
            date,
            ..
        } = self;
        format!("{date} at commit {commit} by `{command}`")
    }
}

/// A data file and its pages.
#[derive(Clone, Debug)]
pub struct Figures {
    root: PathBuf,
    file: PathBuf,
    places: &'static [&'static str],
    groups: BTreeMap<String, Group>,
}

impl Figures {
    /// The data files of the project in `root`.
    ///
    /// # Errors
    ///
    /// If a data file cannot be read, or is none.
    pub fn all(root: &Path) -> Result<Vec<Self>> {
        let present = |(file, _): &&(&str, &[&str])| root.join(file).exists();
        let books = BOOKS.iter().filter(present);
        books
            .map(|(file, places)| Self::read(root, file, places))
            .collect()
    }

    fn read(root: &Path, file: &str, places: &'static [&'static str]) -> Result<Self> {
        let file = root.join(file);
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let groups: BTreeMap<String, Group> = toml::from_str(&text)
            .with_context(|| format!("{} is no file of figures", file.display()))?;
        if let Some(name) = groups.keys().find(|name| name.contains('.')) {
            bail!(
                "{}: group `{name}`: a name without a point is needed",
                file.display()
            );
        }
        Ok(Self {
            root: root.to_path_buf(),
            file,
            places,
            groups,
        })
    }

    /// The groups by name.
    pub const fn groups(&self) -> &BTreeMap<String, Group> {
        &self.groups
    }

    /// The pages, sorted.
    ///
    /// # Errors
    ///
    /// If a folder of pages cannot be read.
    pub fn pages(&self) -> Result<Vec<PathBuf>> {
        let mut pages = Vec::new();
        for place in self.places.iter().map(|place| self.root.join(place)) {
            if place.is_dir() {
                let entries = fs::read_dir(&place)
                    .with_context(|| format!("cannot read {}", place.display()))?;
                for entry in entries {
                    let path = entry?.path();
                    pages.extend(
                        path.extension()
                            .is_some_and(|it| it == "md")
                            .then_some(path),
                    );
                }
            } else if place.exists() {
                pages.push(place);
            }
        }
        pages.sort();
        Ok(pages)
    }

    /// The pages that do not show what the data file says, each with the text that it should have.
    ///
    /// # Errors
    ///
    /// A page that cannot be read, or a mark that is wrong, with its line.
    pub fn unfilled(&self) -> Result<Vec<(PathBuf, String)>> {
        let mut changed = Vec::new();
        for path in self.pages()? {
            let text = read(&path)?;
            let filled = page::fill(&text, &self.groups)
                .map_err(|error| error.at(path.strip_prefix(&self.root).unwrap_or(&path)))?;
            changed.extend((filled != text).then_some((path, filled)));
        }
        Ok(changed)
    }

    /// Fills the marks of every page; the pages that changed.
    ///
    /// # Errors
    ///
    /// As [`Figures::unfilled`], before any page is written; or a page that cannot be written.
    pub fn fill(&self) -> Result<Vec<PathBuf>> {
        let changed = self.unfilled()?;
        for (path, text) in &changed {
            write(path, text)?;
        }
        Ok(changed.into_iter().map(|(path, _)| path).collect())
    }

    /// Copies of figures that stand outside of marks, as `page:line: what`, and groups shown without their date.
    ///
    /// # Errors
    ///
    /// As [`Figures::unfilled`].
    pub fn faults(&self) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        for path in self.pages()? {
            let shown = path.strip_prefix(&self.root).unwrap_or(&path);
            let found =
                copies::faults(&read(&path)?, &self.groups).map_err(|error| error.at(shown))?;
            faults.extend(
                found
                    .into_iter()
                    .map(|it| format!("{}:{it}", shown.display())),
            );
        }
        Ok(faults)
    }

    fn write(&self) -> Result<()> {
        let text = toml::to_string_pretty(&self.groups)?;
        write(&self.file, &format!("{HEAD}{text}"))
    }
}

/// A measurement that has begun: it knows the commit it is of, and that its figures have a place.
#[derive(Debug)]
pub struct Measurement {
    root: PathBuf,
    group: String,
    commit: String,
}

impl Measurement {
    /// Begins one of a group of the project in `root`.
    ///
    /// # Errors
    ///
    /// If no data file has the group, or a page has a mark that is wrong: before anybody works for hours.
    pub fn begin(root: &Path, group: &str) -> Result<Self> {
        let figures = holding(root, group)?;
        figures.unfilled()?;
        Ok(Self {
            commit: commit_of(root, &figures.groups[group].measures)?,
            root: root.to_path_buf(),
            group: group.to_string(),
        })
    }

    /// Begins one if its figures are to be recorded.
    ///
    /// # Errors
    ///
    /// As [`begin`](Self::begin).
    pub fn begin_if(wanted: bool, root: &Path, group: &str) -> Result<Option<Self>> {
        wanted.then(|| Self::begin(root, group)).transpose()
    }

    /// Whether the group's figures are of the same commit and of today.
    pub fn is_of(&self, group: &Group) -> bool {
        group.commit == self.commit && age::today().is_ok_and(|today| today == group.date)
    }

    /// Puts the figures in the place of the group's in the data file, and into the pages.
    ///
    /// # Errors
    ///
    /// If a page shows a figure that is no longer measured, or a file cannot be written.
    pub fn record(&self, measured: impl IntoIterator<Item = (String, String)>) -> Result<()> {
        let mut figures = holding(&self.root, &self.group)?;
        let group = figures
            .groups
            .get_mut(&self.group)
            .expect("it holds the group");
        group.commit.clone_from(&self.commit);
        group.date = age::today()?;
        group.figures = measured.into_iter().collect();
        figures.fill()?;
        figures.write()
    }
}

/// The data file that has the group, read anew: another command may have written since.
fn holding(root: &Path, group: &str) -> Result<Figures> {
    let all = Figures::all(root)?;
    let known: BTreeSet<String> = all
        .iter()
        .flat_map(|it| it.groups.keys().cloned())
        .collect();
    all.into_iter()
        .find(|figures| figures.groups.contains_key(group))
        .with_context(|| {
            let known: Vec<String> = known.into_iter().collect();
            format!(
                "no group `{group}` in {}; known: {}; remedy: add it there, with command, minutes and measures",
                BOOKS.map(|(file, _)| file).join(" or "),
                known.join(", ")
            )
        })
}

/// The groups of these names, in the order of the data files; all of them if there is no name.
///
/// # Errors
///
/// A name that no group has.
pub fn chosen<'a>(all: &'a [Figures], only: &[String]) -> Result<Vec<(&'a str, &'a Group)>> {
    let groups: Vec<(&str, &Group)> = all
        .iter()
        .flat_map(|figures| &figures.groups)
        .map(|(name, group)| (name.as_str(), group))
        .collect();
    for name in only {
        let known: Vec<&str> = groups.iter().map(|(name, _)| *name).collect();
        ensure!(
            known.contains(&name.as_str()),
            "no group `{name}`; known: {}",
            known.join(", ")
        );
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    Ok(groups
        .into_iter()
        .filter(|(name, _)| wanted(name))
        .collect())
}

/// A number with its thousands set off by commas.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table of Markdown: the head, whose cells are set off by ` | `, then the rows. The first column is aligned left, the others right.
pub fn markdown(head: &str, rows: &[Vec<String>]) -> String {
    let rules = " | ---:".repeat(head.matches(" | ").count());
    let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    format!("| {head} |\n| ---{rules} |\n{}", rows.collect::<String>())
}

/// A table of columns as a block of a page.
pub fn fenced(table: &str) -> String {
    format!("```text\n{}\n```\n", table.trim_end())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(mode)?;
        file.persist(path).map_err(|error| error.error)
    });
    written
        .map(drop)
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_off() {
        let written = [0, 999, 1_000, 83_640, 1_234_567].map(thousands);
        assert_eq!(written, ["0", "999", "1,000", "83,640", "1,234,567"]);
    }

    #[test]
    fn a_tables_first_column_is_text() {
        let table = markdown("device | LUT", &[vec!["HX8K".into(), thousands(1612)]]);
        assert_eq!(
            table,
            "| device | LUT |\n| --- | ---: |\n| HX8K | 1,612 |\n"
        );
    }
}
