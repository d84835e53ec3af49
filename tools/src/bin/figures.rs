//! The figures of the manual: renews them, says which are older than what they measure, and fills the pages.

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use hpp_tools::figures::{Age, Figures, Group, Measurement, age, chosen};
use hpp_tools::project_root;
use std::path::Path;
use std::process::Command;

/// The figures of the README and of the pages: from the commands that measure them, by docs/figures.toml.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Says when each group was measured, and whether it is older than what it measures.
    List {
        /// Only these groups.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Runs the commands of the groups that are older than what they measure.
    Renew {
        /// These groups, whether they are older or not.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Fills the marks of the pages from the data files.
    Fill,
    /// Records what a command measured that is no program of this project.
    Record {
        /// The group.
        group: String,
        /// The figures, each as NAME=VALUE.
        #[arg(required = true, value_parser = figure)]
        figures: Vec<(String, String)>,
    },
}

fn figure(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed")?;
    Ok((name.to_string(), value.to_string()))
}

fn main() -> Result<()> {
    let root = project_root();
    let all = Figures::all(&root)?;
    match Arguments::parse().task {
        Task::List { only } => list(&root, &chosen(&all, &only)?),
        Task::Renew { only } => renew(&root, &chosen(&all, &only)?, !only.is_empty()),
        Task::Fill => fill(&all),
        Task::Record { group, figures } => Measurement::begin(&root, &group)?.record(figures),
    }
}

fn list(root: &Path, groups: &[(&str, &Group)]) -> Result<()> {
    let mut older = 0;
    for (name, group) in groups {
        let age = age(root, group)?;
        older += usize::from(age != Age::Current);
        println!("{name}: {}; {age}", group.measured());
    }
    println!(
        "{older} of {} are older than what they measure",
        groups.len()
    );
    Ok(())
}

fn renew(root: &Path, groups: &[(&str, &Group)], asked: bool) -> Result<()> {
    let mut due = Vec::new();
    for (name, group) in groups {
        let age = age(root, group)?;
        let wanted = asked || age != Age::Current;
        println!(
            "{name}: {}; {age}{}",
            group.measured(),
            if wanted { "" } else { ": left as it is" }
        );
        due.extend(wanted.then_some((*name, *group)));
    }
    let minutes: u32 = due.iter().map(|(_, group)| group.minutes).sum();
    println!(
        "{} to renew, {minutes} minutes where nothing is kept of earlier runs",
        due.len()
    );
    let mut failed = Vec::new();
    for (name, group) in due {
        println!(
            "{name}: `{}`, up to {} minutes",
            group.command, group.minutes
        );
        if let Err(error) = run(root, name, group) {
            eprintln!("{name}: {error:#}");
            failed.push(name);
        }
    }
    ensure!(failed.is_empty(), "not renewed: {}", failed.join(", "));
    Ok(())
}

/// Runs the command of a group, and sees that it recorded.
fn run(root: &Path, name: &str, group: &Group) -> Result<()> {
    let begun = Measurement::begin(root, name)?;
    let mut shell = Command::new("sh");
    let status = shell
        .arg("-c")
        .arg(&group.command)
        .current_dir(root)
        .status();
    let status = status.context("cannot run sh")?;
    ensure!(
        status.success(),
        "`{}` failed ({status}); its figures are as they were",
        group.command
    );
    let all = Figures::all(root)?;
    let now = chosen(&all, &[name.to_string()])?[0].1;
    ensure!(begun.is_of(now), "`{}` recorded nothing", group.command);
    Ok(())
}

fn fill(all: &[Figures]) -> Result<()> {
    for figures in all {
        for page in figures.fill()? {
            println!("filled {}", page.display());
        }
    }
    Ok(())
}
