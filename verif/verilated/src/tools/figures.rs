//! Figures of the manual, recorded by `scripts/figures.py`, and how they are written.

use std::process::Command;

use anyhow::Result;

use super::command::said;
use super::project_root;

/// A measurement that has begun: it knows the commit it is of.
#[derive(Debug)]
pub struct Measurement {
    group: String,
    commit: String,
}

impl Measurement {
    /// Begins one of a group of the project's data files.
    ///
    /// # Errors
    ///
    /// If no data file has the group, or a page has a mark that is wrong: before anybody works for hours.
    pub fn begin(group: &str) -> Result<Self> {
        let commit = said(script().args(["begin", group]))?.trim().to_owned();
        Ok(Self {
            group: group.to_owned(),
            commit,
        })
    }

    /// Begins one if its figures are to be recorded.
    pub fn begin_if(wanted: bool, group: &str) -> Result<Option<Self>> {
        wanted.then(|| Self::begin(group)).transpose()
    }

    /// Puts the figures in the place of the group's in the data file, and into the pages.
    ///
    /// # Errors
    ///
    /// If a page shows a figure that is no longer measured, or a file cannot be written.
    pub fn record(&self, measured: impl IntoIterator<Item = (String, String)>) -> Result<()> {
        let figures = measured
            .into_iter()
            .map(|(name, text)| format!("{name}={text}"));
        said(
            script()
                .args(["record", &self.group, &self.commit])
                .args(figures),
        )
        .map(drop)
    }
}

fn script() -> Command {
    let mut command = Command::new("python3");
    command.arg(project_root().join("scripts/figures.py"));
    command
}

/// A number with its thousands set off by commas.
#[must_use]
pub fn thousands(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        whole => format!("{},{:03}", thousands(whole), number % 1000),
    }
}

/// A table of Markdown: the head, whose cells are set off by ` | `, then the rows. The first column is aligned left, the others right.
#[must_use]
pub fn markdown(head: &str, rows: &[Vec<String>]) -> String {
    let rules = " | ---:".repeat(head.matches(" | ").count());
    let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
    format!("| {head} |\n| ---{rules} |\n{}", rows.collect::<String>())
}

/// A table of columns as a block of a page.
#[must_use]
pub fn fenced(table: &str) -> String {
    format!("```text\n{}\n```\n", table.trim_end())
}
