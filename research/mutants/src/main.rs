//! Whether the tests of a package notice each mutant of its Rust code.

use anyhow::{Context, Result, bail};
use clap::Parser;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};
use rust_mutants::campaign::Campaign;
use rust_mutants::excuse::{Excuse, excused};
use rust_mutants::fate::Fate;
use rust_mutants::list::{Mutant, list};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Whether the tests of a package notice each mutant of its Rust code, as cargo-mutants lists them.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Mutates this package; may be repeated
    #[arg(long, value_name = "NAME", required = true)]
    package: Vec<String>,
    /// The workspace
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
    /// Mutants that may live, and why: a TOML file
    #[arg(long, value_name = "FILE")]
    excuses: Option<PathBuf>,
    /// Keeps copies, builds and results here
    #[arg(long, value_name = "FOLDER", default_value = "target/rust-mutants")]
    place: PathBuf,
    /// The program that lists the mutants
    #[arg(long, value_name = "PROGRAM", default_value = "cargo-mutants")]
    lister: PathBuf,
    /// Only mutants in files whose path has this in it
    #[arg(long, value_name = "PART")]
    file: Option<String>,
    /// Only mutants that lived the last time, or of which nothing is known
    #[arg(long)]
    again: bool,
    /// Tests to run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Leave tests out that take longer without a mutant
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    longest: u64,
}

fn main() -> Result<()> {
    let options = Options::parse().absolute()?;
    let excuses = match &options.excuses {
        Some(file) => excused(file)?,
        None => Vec::new(),
    };
    let mut table = table();
    let mut alive = 0;
    for package in &options.package {
        let fates = fates(package, &options)?;
        let mut tally = Tally::of(&fates, &excuses);
        if !options.again && options.file.is_none() {
            tally.wrong.extend(strangers(&fates, &excuses));
        }
        tally.keep(package, &options)?;
        alive += tally.alive.len();
        table.add_row(tally.row(package));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    match alive {
        0 => Ok(()),
        alive => bail!(
            "{alive} mutants live without an excuse; {} lists them",
            options.place.join("PACKAGE-alive.txt").display()
        ),
    }
}

impl Options {
    /// With every folder as an absolute path: mutants are built in other folders than this one.
    fn absolute(mut self) -> Result<Self> {
        for path in [&mut self.root, &mut self.place] {
            *path = std::path::absolute(&*path).with_context(|| path.display().to_string())?;
        }
        if self.lister.components().count() > 1 {
            self.lister = std::path::absolute(&self.lister)?;
        }
        Ok(self)
    }
}

fn fates(package: &str, options: &Options) -> Result<Vec<(Mutant, Fate)>> {
    let campaign = Campaign {
        root: options.root.clone(),
        package: package.to_owned(),
        place: options.place.clone(),
        jobs: options.jobs,
        again: options.again,
        file: options.file.clone(),
        longest: Duration::from_secs(options.longest),
    };
    campaign.run(|root| list(&options.lister, root, package))
}

fn table() -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header([
            "package",
            "mutants",
            "refused",
            "died",
            "timed out",
            "excused",
            "alive",
            "share",
        ]);
    table
}

/// Excuses for mutants that a file does not have.
fn strangers<'a>(fates: &[(Mutant, Fate)], excuses: &'a [Excuse]) -> Vec<&'a str> {
    let files: BTreeSet<&str> = fates
        .iter()
        .map(|(mutant, _)| mutant.file.as_str())
        .collect();
    let keys: BTreeSet<&str> = fates
        .iter()
        .map(|(mutant, _)| mutant.key.as_str())
        .collect();
    let excused = excuses.iter().flat_map(|excuse| &excuse.mutants);
    let is_strange = |key: &&str| {
        let file = key.split(": ").next().unwrap_or(key);
        files.contains(file) && !keys.contains(key)
    };
    excused.map(String::as_str).filter(is_strange).collect()
}

/// What became of the mutants of a package.
#[derive(Default)]
struct Tally<'a> {
    mutants: usize,
    refused: usize,
    died: usize,
    timed_out: usize,
    excused: usize,
    alive: Vec<(&'a Mutant, &'a Fate)>,
    /// Those that are excused, but do not live.
    wrong: Vec<&'a str>,
}

impl<'a> Tally<'a> {
    fn of(fates: &'a [(Mutant, Fate)], excuses: &[Excuse]) -> Self {
        let excused: BTreeSet<&String> = excuses.iter().flat_map(|one| &one.mutants).collect();
        let mut tally = Self {
            mutants: fates.len(),
            ..Self::default()
        };
        for (mutant, fate) in fates {
            let is_excused = excused.contains(&mutant.key);
            match fate {
                Fate::Refused => tally.refused += 1,
                Fate::Died(_) => tally.died += 1,
                Fate::TimedOut(_) => tally.timed_out += 1,
                Fate::Alive | Fate::Unreached if is_excused => tally.excused += 1,
                Fate::Alive | Fate::Unreached => tally.alive.push((mutant, fate)),
            }
            if is_excused && !fate.is_alive() {
                tally.wrong.push(&mutant.key);
            }
        }
        tally
    }

    /// Writes down those that live, and says which they are.
    fn keep(&self, package: &str, options: &Options) -> Result<()> {
        let line = |(mutant, fate): &(&Mutant, &Fate)| match fate {
            Fate::Unreached => format!("{} (no test reaches it)\n", mutant.place()),
            _ => format!("{}\n", mutant.place()),
        };
        let lines: String = self.alive.iter().map(line).collect();
        print!("{lines}");
        if options.file.is_none() {
            let path = options.place.join(format!("{package}-alive.txt"));
            fs::write(&path, &lines).with_context(|| format!("{}", path.display()))?;
        }
        if !self.wrong.is_empty() {
            let names = self.wrong.join("\n");
            bail!("remove these excuses: their mutants die, or do not exist:\n{names}");
        }
        Ok(())
    }

    /// The share is of those that compile.
    fn row(&self, package: &str) -> Vec<String> {
        let counts = [
            self.mutants,
            self.refused,
            self.died,
            self.timed_out,
            self.excused,
            self.alive.len(),
        ];
        let compile = (self.mutants - self.refused).max(1);
        let share = 100.0 * (self.died + self.timed_out) as f64 / compile as f64;
        let mut row = vec![package.to_owned()];
        row.extend(counts.map(|count| count.to_string()));
        row.push(format!("{share:.2} %"));
        row
    }
}
