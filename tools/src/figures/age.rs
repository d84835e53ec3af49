//! Whether a figure is older than what it measures, by the commits.

use super::Group;
use anyhow::{Context, Result, bail};
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::process::Command;

const DIRTY: &str = "-dirty";

/// A group beside what it measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Age {
    /// Nothing that it measures has changed since.
    Current,
    /// So many commits have changed what it measures; the newest, as `commit, date: subject`.
    Older(usize, String),
    /// What was measured stands in no commit.
    Uncommitted,
    /// The history that is here does not reach back to the commit.
    Unknown,
}

impl Display for Age {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Current => f.write_str("current"),
            Self::Older(1, last) => write!(f, "OLDER by one commit: {last}"),
            Self::Older(count, last) => {
                write!(f, "OLDER by {count} commits, the last of them {last}")
            }
            Self::Uncommitted => f.write_str("OLDER: measured with changes that no commit has"),
            Self::Unknown => f.write_str("UNKNOWN: the history here does not have that commit"),
        }
    }
}

/// How old a group is, by the commits that changed its [`Group::measures`] since. A commit that changed only comments does not count.
///
/// # Errors
///
/// If `git` cannot be run, or `root` is not in a repository.
pub fn age(root: &Path, group: &Group) -> Result<Age> {
    if group.commit.ends_with(DIRTY) {
        return Ok(Age::Uncommitted);
    }
    let commit = format!("{}^{{commit}}", group.commit);
    if git(root, &["cat-file", "-e", &commit]).is_err() {
        return Ok(Age::Unknown);
    }
    let range = format!("{}..HEAD", group.commit);
    let without_comments = ["--patch", r"--ignore-matching-lines=^\s*(//|#)"];
    let log = git(
        root,
        &[
            &["log", "--no-merges", "--format=%x00%h, %as: %s"],
            &without_comments[..],
            &[&range, "--"],
            &paths(&group.measures)[..],
        ]
        .concat(),
    )?;
    let mut changes = log.split('\0').filter(|commit| commit.contains("\n@@"));
    Ok(match changes.next().and_then(|last| last.lines().next()) {
        None => Age::Current,
        Some(last) => Age::Older(1 + changes.count(), last.to_string()),
    })
}

/// The commit of the project in `root`, with `-dirty` after it if these files or folders differ from it.
///
/// # Errors
///
/// If `git` cannot be run, or `root` is not in a repository.
pub fn commit_of(root: &Path, measures: &[String]) -> Result<String> {
    let commit = git(root, &["rev-parse", "--short=10", "HEAD"])?;
    let status = &["status", "--porcelain", "--"];
    let changed = git(root, &[status, &paths(measures)[..]].concat())?;
    let mark = if changed.is_empty() { "" } else { DIRTY };
    Ok(format!("{}{mark}", commit.trim()))
}

/// Today, as `2026-11-25`.
pub(super) fn today() -> Result<String> {
    let output = Command::new("date")
        .arg("+%F")
        .output()
        .context("cannot run date")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn paths(measures: &[String]) -> Vec<&str> {
    measures.iter().map(String::as_str).collect()
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output();
    let output = output.context("cannot run git")?;
    if !output.status.success() {
        bail!(
            "git {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
