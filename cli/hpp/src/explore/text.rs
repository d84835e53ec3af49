//! The results of a sweep as a table of text.

use hpp_explore::Measured;
use hpp_report::columns::{lines, table};

use super::Explored;

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

/// A table of all profilers over all traces, and the phases of the programs.
pub fn write(explored: &[Explored]) -> String {
    // All but what the trace, the table and the paths are.
    let mut table = table(HEAD, 3..usize::MAX);
    for run in explored {
        for measured in &run.measured {
            table.add_row(row(run, measured));
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

/// A letter for a phase; after the 52nd, one for all.
fn letter(phase: usize) -> char {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.into_iter().nth(phase).unwrap_or('*')
}

fn percent(part: f64) -> String {
    format!("{:.2}", 100.0 * part)
}
