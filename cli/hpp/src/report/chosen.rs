//! Which places of a program a report shows: `--only` and `--exclude`.

use anyhow::{Context, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};
use hpp_report::Program;

/// Patterns for functions, source files and sections.
#[derive(clap::Args)]
pub struct Chosen {
    /// Only paths that begin in a function, source file or section whose name matches: `*` any text, `?` a character; may be given several times
    #[arg(long, value_name = "PATTERN", requires = "elf", value_parser = pattern)]
    only: Vec<Glob>,
    /// No paths that begin in one whose name matches; may be given several times
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
    /// Whether the place of an address is chosen; `None` if all are.
    pub fn places<'a>(
        &self,
        program: &'a Program<'a>,
    ) -> Result<Option<impl Fn(u64) -> bool + 'a>> {
        if self.only.is_empty() && self.exclude.is_empty() {
            return Ok(None);
        }
        let (only, exclude) = (set(&self.only)?, set(&self.exclude)?);
        Ok(Some(move |address| {
            let names = names(program, address);
            let any = |set: &GlobSet| names.iter().any(|name| set.is_match(name));
            (only.is_empty() || any(&only)) && !any(&exclude)
        }))
    }
}

/// What the place of an address is called: its function and the function inlined there, its file with and without folders, its section.
fn names(program: &Program<'_>, address: u64) -> Vec<String> {
    let place = program.place(address);
    let file = place.source.map(|source| source.file);
    let short = file
        .as_deref()
        .map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    let section = program.image().section(address).map(str::to_owned);
    [place.function, place.inlined, file, short, section]
        .into_iter()
        .flatten()
        .collect()
}
