//! The results of a sweep as rows, for CSV.

use hpp_explore::{Accuracy, Measured};

use super::Explored;
use super::grid::{BACKWARD_NOT_TAKEN, EXTEND, STACK_CHECK};
use crate::choices::name_of;
use crate::csv;
use crate::model::{INDEX, METRICS};

/// The columns and their values, for one profiler over one trace.
fn cells(run: &Explored, measured: &Measured) -> Vec<(&'static str, String)> {
    let real = |number: f64| format!("{number:.6}");
    let configuration = &measured.configuration;
    let (geometry, reset) = (&configuration.geometry, &configuration.reset);
    let complete = measured.complete;
    let dynamic =
        |part: fn(Accuracy) -> f64| measured.dynamic.map_or(String::new(), |a| real(part(a)));
    vec![
        ("trace", run.trace.clone()),
        ("command", run.command.join(" ")),
        ("isa", run.isa.to_string()),
        ("entries", geometry.entries().to_string()),
        ("sets", geometry.sets.to_string()),
        ("ways", geometry.ways.to_string()),
        ("replacement", geometry.replacement.name().into()),
        ("index", name_of(&INDEX, &geometry.index_scheme).into()),
        ("max_branches", geometry.max_branches.to_string()),
        ("stack_depth", geometry.stack_depth.to_string()),
        (
            "stack_check",
            name_of(&STACK_CHECK, &geometry.stack_check).into(),
        ),
        ("context_bits", geometry.context_bits.to_string()),
        (
            "backward_not_taken",
            name_of(&BACKWARD_NOT_TAKEN, &reset.backward_not_taken).into(),
        ),
        ("extend", name_of(&EXTEND, &reset.extension).into()),
        ("metric", name_of(&METRICS, &reset.metric).into()),
        ("instructions", measured.instructions.to_string()),
        ("records", measured.records.to_string()),
        ("paths", measured.paths.to_string()),
        ("different", measured.different.to_string()),
        ("hits", measured.hits.to_string()),
        ("replacements", measured.replacements.to_string()),
        ("overlap", real(complete.overlap)),
        ("accounted", real(complete.accounted)),
        ("best", real(complete.bound)),
        ("windows", measured.windows.to_string()),
        ("dynamic_overlap", dynamic(|a| a.overlap)),
        ("dynamic_accounted", dynamic(|a| a.accounted)),
        ("dynamic_best", dynamic(|a| a.bound)),
    ]
}

/// A head line, and a line for each profiler over each trace.
pub fn csv(explored: &[Explored]) -> String {
    let rows = explored
        .iter()
        .flat_map(|run| run.measured.iter().map(|measured| cells(run, measured)));
    let mut text = String::new();
    for cells in rows {
        let (head, values): (Vec<_>, Vec<_>) = cells.into_iter().unzip();
        if text.is_empty() {
            text += &csv::line(head.into_iter().map(String::from));
        }
        text += &csv::line(values);
    }
    text
}
