//! `hpp tests`: which tests add paths, and which paths the field takes and no test does.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hpp_golden::path::PathDescriptor;
use hpp_paths::residual::{Addition, Suite};
use hpp_report::numbers::{percent, thousands};
use hpp_report::{PathReport, Profile, Program, Report};
use serde::Serialize;

use crate::input::{self, Format};
use crate::{Output, trust};

const EXAMPLES: &str = "\
Examples:
  hpp tests unit/*.txt                                           the order in which tests add most paths, and which are enough
  hpp tests unit/*.txt --field boards/*.txt --elf program.elf    and the paths that no test takes, with source lines

A table of the hottest paths lacks others; a test may have taken a path that its profile does not hold.";

/// Show which tests add paths, and which paths only the field takes
///
/// Each test is a profile. Tests are ordered by the paths they add, and a subset that takes every path is named. With profiles
/// of the field, shows the paths that no test takes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A profile of each test (its last dump)
    #[arg(required = true, value_name = "TEST")]
    tests: Vec<PathBuf>,
    /// Profiles of the field
    #[arg(long, value_name = "FILE", num_args = 1..)]
    field: Vec<PathBuf>,
    /// The program that ran: a linked ELF file with symbols, for RISC-V or x86-64
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// How many untested paths to show; JSON has all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Serialize)]
struct Coverage {
    paths: usize,
    /// The tests, each time the one that adds most.
    tests: Vec<Test>,
    /// Tests that together take every path.
    enough: Vec<String>,
    /// What the field does, if it was given.
    field: Option<Field>,
}

#[derive(Serialize)]
struct Test {
    test: String,
    /// Paths that no test before it takes.
    added: usize,
    /// Paths that it or one before it takes.
    together: usize,
}

#[derive(Serialize)]
struct Field {
    paths: usize,
    /// The share of the weight that no test takes, from 0 to 1.
    share: f64,
    /// The paths that no test takes, hottest first.
    untested: Vec<PathReport>,
}

/// Reads profiles, which must be of one program and one profiler.
struct Reader<'a> {
    program: Option<Program<'a>>,
    first: Option<(Profile, String)>,
    trusted: bool,
}

impl Reader<'_> {
    /// The profile of a file's last dump, and the file's name.
    fn file(&mut self, file: &Path) -> Result<(String, Profile)> {
        let name = input::shown(file);
        let profile = input::profile(file, None)?.in_contexts(None)?;
        let profile = profile.sign_extended(self.program.as_ref());
        // With the program, which may be another one, or have addresses that the profiler does not hold.
        let report = Report::new(&profile, self.program.as_ref(), None);
        let report = report.with_context(|| name.clone())?;
        trust::complain(&report, Some(Path::new(&name)));
        self.trusted &= report.health.trusted;
        match &self.first {
            None => self.first = Some((profile.clone(), name.clone())),
            Some((first, other)) => profile
                .same_settings(first)
                .and_then(|()| profile.same_program(first))
                .with_context(|| format!("{name} with {other}"))?,
        }
        Ok((name, profile))
    }
}

pub fn run(args: &Args) -> Result<Output> {
    let elf = args.elf.as_deref().map(input::program).transpose()?;
    let mut reader = Reader {
        program: elf.as_ref().map(input::named).transpose()?,
        first: None,
        trusted: true,
    };
    let (mut suite, mut names) = (Suite::default(), Vec::new());
    for file in &args.tests {
        let (name, profile) = reader.file(file)?;
        suite.test(profile.counts.keys().copied());
        names.push(name);
    }
    let mut field: Option<Profile> = None;
    for file in &args.field {
        let (name, profile) = reader.file(file)?;
        match &mut field {
            None => field = Some(profile),
            Some(sum) => sum
                .add(&profile)
                .with_context(|| format!("cannot add {name}"))?,
        }
    }
    let test = |addition: &Addition| Test {
        test: names[addition.test].clone(),
        added: addition.added,
        together: addition.together,
    };
    let enough = suite.reduced().into_iter();
    let untested = |field| Field::of(&field, &suite, reader.program.as_ref());
    let coverage = Coverage {
        paths: suite.paths(),
        tests: suite.order().iter().map(test).collect(),
        enough: enough.map(|test| names[test].clone()).collect(),
        field: field.map(untested).transpose()?,
    };
    let text = match args.format {
        Format::Text => text(&coverage, args.top),
        Format::Json => serde_json::to_string_pretty(&coverage)? + "\n",
    };
    Ok(Output::styled(text, reader.trusted))
}

impl Field {
    fn of(
        field: &Profile,
        suite: &Suite<PathDescriptor>,
        program: Option<&Program<'_>>,
    ) -> Result<Self> {
        let report = Report::new(field, program, None)?;
        let paths = report.paths.len();
        let untested = report.paths.into_iter();
        let untested: Vec<PathReport> = untested
            .filter(|path| suite.takes(&path.descriptor) == 0)
            .collect();
        Ok(Field {
            paths,
            // The sum of nothing is -0.
            share: untested.iter().map(|path| path.share).sum::<f64>() + 0.0,
            untested,
        })
    }
}

fn text(coverage: &Coverage, top: usize) -> String {
    let count = |count: usize| thousands(count as u64);
    let mut out = format!(
        "tests     {}, which take {} different paths\n\n     added  together  test\n",
        count(coverage.tests.len()),
        count(coverage.paths)
    );
    for test in &coverage.tests {
        let (added, together) = (count(test.added), count(test.together));
        let _ = writeln!(out, "{added:>10}{together:>10}  {}", test.test);
    }
    let enough = match coverage.enough.is_empty() {
        true => "no test takes a path".into(),
        false => coverage.enough.join(", "),
    };
    let _ = writeln!(out, "\nenough    {enough}");
    if let Some(field) = &coverage.field {
        let _ = writeln!(
            out,
            "untested  {} of the field's {} paths, {} of its weight",
            count(field.untested.len()),
            count(field.paths),
            percent(field.share)
        );
        for path in field.untested.iter().take(top) {
            let outcomes = path.letters();
            let _ = writeln!(
                out,
                "path {} {outcomes} not tested, {} in the field{}",
                path.place,
                thousands(path.count),
                lines(path)
            );
        }
        let left = field.untested.len().saturating_sub(top);
        if left > 0 {
            let _ = writeln!(out, "and {} more (--top)", count(left));
        }
    }
    out
}

/// The source lines of a path's blocks, by file.
fn lines(path: &PathReport) -> String {
    let mut files: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for source in path.blocks.iter().filter_map(|block| block.source.as_ref()) {
        let lines = files.entry(&source.file).or_default();
        if lines.last() != Some(&source.line) {
            lines.push(source.line);
        }
    }
    let file = |(file, lines): (&str, Vec<u32>)| {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        format!(": lines {} of {file}", lines.join(" "))
    };
    files.into_iter().map(file).collect()
}
