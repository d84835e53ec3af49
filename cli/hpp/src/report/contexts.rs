//! The profile of a whole machine, split by context, with the program of each.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hpp_report::numbers::percent;
use hpp_report::{By, ElfFile, Profile, Program, Report, text};
use serde::Serialize;

use crate::input::{self, TableFormat};

/// What a context's paths are, and whose.
#[derive(Serialize)]
struct Part {
    context: u8,
    /// Its share of the profile, from 0 to 1.
    share: f64,
    /// The program whose code holds more than half of its paths, if there is one.
    program: Option<PathBuf>,
    /// The share of its paths in that code, from 0 to 1.
    walks: f64,
    report: Report,
}

/// A context is a program's if more than this share of its paths is in the program's code.
const MOST: f64 = 0.5;

/// The reports of all contexts, each with the program that holds most of its paths, and whether all can be trusted.
pub fn write(
    profile: &Profile,
    files: &[PathBuf],
    by: Option<By>,
    format: TableFormat,
    top: usize,
) -> Result<(String, bool)> {
    let read = files.iter().map(|file| input::program(file));
    let read: Vec<ElfFile> = read.collect::<Result<_>>()?;
    let programs: Vec<Program<'_>> = read.iter().map(input::named).collect::<Result<_>>()?;
    let contexts = profile.clone().in_contexts(None)?.contexts;
    let total: u64 = contexts.values().sum();
    let mut parts = Vec::new();
    for (&context, &count) in &contexts {
        let own = profile.clone().in_contexts(Some(context))?;
        parts.push(Part {
            context,
            share: count as f64 / total.max(1) as f64,
            ..of_best(&own, &programs, files, by)?
        });
    }
    if parts.is_empty() {
        bail!("the profile has no contexts: `hpp trace --system` and --context-bits give it some");
    }
    let trusted = parts.iter().all(|part| part.report.health.trusted);
    let text = match format {
        TableFormat::Csv => bail!("--program writes text or JSON"),
        TableFormat::Json => serde_json::to_string_pretty(&parts)? + "\n",
        TableFormat::Text => {
            let shown = parts.iter().map(|part| shown(part, top));
            shown.collect::<Vec<_>>().join("\n")
        }
    };
    Ok((text, trusted))
}

/// A context's report, with the program that holds most of its paths.
fn of_best(
    profile: &Profile,
    programs: &[Program<'_>],
    files: &[PathBuf],
    by: Option<By>,
) -> Result<Part> {
    let mut best = (MOST, None);
    for (program, file) in programs.iter().zip(files) {
        let own = profile.clone().sign_extended(Some(program));
        let walks = own.walks(program.image());
        if walks > best.0 {
            best = (walks, Some((program, file, own)));
        }
    }
    let (walks, program, report) = match best {
        (walks, Some((program, file, own))) => {
            let by = by.or_else(|| By::time(&own, Some(program)));
            let report = Report::new(&own, Some(program), by)?;
            (walks, Some(file.clone()), report)
        }
        (_, None) => {
            let by = by.filter(|by| *by != By::Instructions);
            (0.0, None, Report::new(profile, None, by)?)
        }
    };
    Ok(Part {
        context: 0,
        share: 0.0,
        program,
        walks,
        report,
    })
}

fn shown(part: &Part, top: usize) -> String {
    let program = match &part.program {
        Some(file) => format!(
            "{} of its paths are in {}",
            percent(part.walks),
            file.display()
        ),
        None => "most of its paths are in none of the programs".into(),
    };
    format!(
        "context {}: {} of the profile; {program}\n\n{}",
        part.context,
        percent(part.share),
        text::write(&part.report, top, super::terminal_width())
    )
}
