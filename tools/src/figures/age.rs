//! Whether a figure is older than what it measures, by the commits.

use super::Group;
use crate::command::said;
use anyhow::Result;
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
    // `#` without a space begins what compilers read: an attribute of Rust, a directive of C.
    let without_comments = [
        "--patch",
        "--no-color",
        "--no-ext-diff",
        r"--ignore-matching-lines=^\s*(//|# |#$)",
    ];
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
    let changed = |commit: &&str| commit.contains("\n@@") || commit.contains("\nBinary files ");
    let mut changes = log.split('\0').filter(changed);
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
    Ok(said(Command::new("date").arg("+%F"))?.trim().to_string())
}

fn paths(measures: &[String]) -> Vec<&str> {
    measures.iter().map(String::as_str).collect()
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let mut git = Command::new("git");
    said(git.arg("-C").arg(root).args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commits `text` as the only file of `folder`.
    fn commit(folder: &Path, text: &[u8]) {
        std::fs::write(folder.join("measured"), text).expect("written");
        git(folder, &["add", "measured"]).expect("added");
        let who = ["-c", "user.name=a", "-c", "user.email=a@b"];
        let commit = ["commit", "--quiet", "--message", "a change"];
        git(folder, &[who, commit].concat()).expect("committed");
    }

    #[test]
    fn only_comments_do_not_age_a_figure() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        git(root, &["init", "--quiet"]).expect("a repository");
        commit(root, b"code\n");
        let measures = vec!["measured".to_string()];
        let mut group = Group {
            commit: commit_of(root, &measures).expect("there is one"),
            measures,
            ..Group::default()
        };
        let ages = [
            (&b"// why\ncode\n"[..], 0),
            (b"// why\n# how\ncode\n", 0),
            (b"// why\n#define SIZE 2\ncode\n", 1),
            (b"// why\n#[inline]\ncode\n", 2),
            (b"\0\x01", 3),
        ];
        for (text, count) in ages {
            commit(root, text);
            match age(root, &group).expect("git runs") {
                Age::Current => assert_eq!(count, 0),
                Age::Older(found, last) => {
                    assert_eq!(found, count);
                    assert!(last.ends_with("a change"), "{last}");
                }
                other => panic!("{other}"),
            }
        }
        group.commit.push_str(DIRTY);
        assert_eq!(age(root, &group).expect("git runs"), Age::Uncommitted);
    }
}
