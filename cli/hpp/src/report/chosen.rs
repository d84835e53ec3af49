//! Which places of a program a report shows: `--only` and `--exclude`.

use anyhow::{Context, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};
use hpp_report::{Program, Report, SourceLine};

/// Patterns for functions, source files and sections.
#[derive(clap::Args)]
pub struct Chosen {
    /// Only paths that begin in a function, source file or section whose name matches: `*` any text, `?` a character; may be given several times
    #[arg(long, value_name = "PATTERN", requires = "elf", value_parser = pattern)]
    only: Vec<Glob>,
    /// No paths that begin in a function, source file or section whose name matches; may be given several times
    #[arg(long, value_name = "PATTERN", requires = "elf", value_parser = pattern)]
    exclude: Vec<Glob>,
}

fn pattern(text: &str) -> Result<Glob, globset::Error> {
    Glob::new(text)
}

fn set(patterns: &[Glob]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(pattern.clone());
    }
    set.build().context("the patterns are too large")
}

impl Chosen {
    /// Keeps what is chosen of a report; whether anything was to be chosen.
    pub fn filter(&self, report: &mut Report, program: &Program<'_>) -> Result<bool> {
        if self.only.is_empty() && self.exclude.is_empty() {
            return Ok(false);
        }
        let (only, exclude) = (set(&self.only)?, set(&self.exclude)?);
        let is_chosen = |names: Vec<String>| {
            let any = |set: &GlobSet| names.iter().any(|name| set.is_match(name));
            (only.is_empty() || any(&only)) && !any(&exclude)
        };
        report.retain(
            |address| is_chosen(names(program, address)),
            |total| match total.address {
                Some(address) => is_chosen(names(program, address)),
                None => is_chosen(called(&total.function, &total.source)),
            },
        );
        Ok(true)
    }
}

/// What the place of an address is called: its function and the function inlined there, its files with and without folders, its section.
fn names(program: &Program<'_>, address: u64) -> Vec<String> {
    let place = program.place(address);
    let mut names = called(&place.function, &place.source);
    names.extend(called(&place.inlined, &place.library));
    names.extend(program.image().section(address).map(str::to_owned));
    names
}

/// A function's name, and its file's with and without folders.
fn called(function: &Option<String>, source: &Option<SourceLine>) -> Vec<String> {
    let file = source.as_ref().map(|source| source.file.as_str());
    let short = file.map(|file| file.rsplit('/').next().unwrap_or(file));
    let names = [function.as_deref(), file, short];
    names.into_iter().flatten().map(str::to_owned).collect()
}
