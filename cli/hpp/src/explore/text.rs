//! The results of a sweep as a table of text.

use hpp_explore::Measured;
use hpp_report::columns::{lines, table};

use super::Explored;
use super::effects;
use super::grid::Experiment;
use super::rows::of_branches;

const HEAD: [&str; 10] = [
    "trace",
    "table",
    "paths",
    "overlap",
    "accounted",
    "dynamic",
    "best",
    "of best",
    "hits",
    "replaced",
];

/// Columns of entries that leave for 1,000 branches, and the fewest that can.
const LEAST: [&str; 3] = ["left", "least in sets", "least"];

/// A table of all profilers over all traces, the phases of the programs, and the effects that an experiment estimated.
pub fn write(explored: &[Explored], experiment: Option<&Experiment>) -> String {
    let has_least = |run: &Explored| run.measured.iter().any(|m| m.least.is_some());
    let more = explored.iter().any(has_least).then_some(LEAST);
    let head = HEAD.into_iter().chain(more.into_iter().flatten());
    // All but what the trace, the table and the paths are.
    let mut table = table(head, 3..usize::MAX);
    for run in explored {
        for measured in &run.measured {
            table.add_row(row(run, measured).into_iter().chain(least(measured)));
        }
    }
    let mut text = lines(&table);
    let phased: Vec<&Explored> = explored.iter().filter(|run| run.phases.len() > 1).collect();
    if !phased.is_empty() {
        text += "\nphases, a letter for each window:\n";
    }
    for run in phased {
        let letters = run.phases.iter().map(|&phase| letter(phase));
        text += &format!("{}  {}\n", run.name(), letters.collect::<String>());
    }
    if let Some(experiment) = experiment {
        text += &effects(explored, experiment);
    }
    text
}

fn row(run: &Explored, measured: &Measured) -> [String; HEAD.len()] {
    let (complete, paths) = (measured.complete, measured.paths.max(1) as f64);
    [
        run.name(),
        measured.configuration.table(),
        measured.configuration.paths(),
        percent(complete.overlap),
        percent(complete.accounted),
        measured.dynamic.map_or("-".into(), |d| percent(d.overlap)),
        percent(complete.bound),
        percent(complete.overlap / complete.bound),
        percent(measured.hits as f64 / paths),
        percent(measured.replacements as f64 / paths),
    ]
}

/// Entries that leave, and the fewest that can, for 1,000 branches.
fn least(measured: &Measured) -> Vec<String> {
    let shown = |left| format!("{:.3}", of_branches(measured, left));
    let least = measured.least.iter();
    least
        .flat_map(|least| [measured.replacements, least.in_sets, least.anywhere].map(shown))
        .collect()
}

/// The effects on the complete overlap, in the mean over the traces.
fn effects(explored: &[Explored], experiment: &Experiment) -> String {
    let mut table = table(["effect", "share", "significant", "of"], 0..0);
    for effect in effects::named(explored, experiment) {
        table.add_row([
            format!("{:+.2}", effect.effect.effect),
            percent(effect.effect.share),
            effect.significant().into(),
            effect.factors.join(" with "),
        ]);
    }
    format!(
        "\neffects on the overlap, in percentage points (high less low), and their shares of all effects' squares:\n{}",
        lines(&table)
    )
}

/// A letter for a phase; after the 52nd, one for all.
fn letter(phase: usize) -> char {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.into_iter().nth(phase).unwrap_or('*')
}

fn percent(part: f64) -> String {
    format!("{:.2}", 100.0 * part)
}
