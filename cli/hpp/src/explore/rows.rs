//! The results of a sweep as rows, for CSV and Parquet.

use std::fmt::Write;

use hpp_explore::{Accuracy, Measured};

use super::Explored;
use super::grid::{BACKWARD_NOT_TAKEN, EXTEND, STACK_CHECK};
use crate::choices::name_of;
use crate::csv;
use crate::model::{INDEX, METRICS};
use crate::parquet::Cell;

/// The columns and their values, for one profiler over one trace.
pub fn cells(run: &Explored, measured: &Measured) -> Vec<(&'static str, Cell)> {
    let text = |text: &str| Cell::Text(Some(text.into()));
    let number = |number: u64| Cell::Number(Some(number));
    let real = |number: f64| Cell::Real(Some(number));
    let configuration = &measured.configuration;
    let (geometry, reset) = (&configuration.geometry, &configuration.reset);
    let complete = measured.complete;
    let replacement = geometry.replacement.name();
    let index = name_of(&INDEX, &geometry.index_scheme);
    let stack_check = name_of(&STACK_CHECK, &geometry.stack_check);
    let backward_not_taken = name_of(&BACKWARD_NOT_TAKEN, &reset.backward_not_taken);
    let dynamic = |part: fn(Accuracy) -> f64| Cell::Real(measured.dynamic.map(part));
    let mut cells = vec![
        ("trace", text(&run.trace)),
        ("command", text(&run.command.join(" "))),
        ("isa", text(&run.isa.to_string())),
        ("entries", number(geometry.entries().into())),
        ("sets", number(geometry.sets.into())),
        ("ways", number(geometry.ways.into())),
        ("replacement", text(replacement)),
        ("index", text(index)),
        ("max_branches", number(geometry.max_branches.into())),
        ("stack_depth", number(geometry.stack_depth.into())),
        ("stack_check", text(stack_check)),
        ("context_bits", number(geometry.context_bits.into())),
        ("backward_not_taken", text(backward_not_taken)),
        ("extend", text(name_of(&EXTEND, &reset.extension))),
        ("metric", text(name_of(&METRICS, &reset.metric))),
        ("instructions", number(measured.instructions)),
        ("records", number(measured.records)),
        ("paths", number(measured.paths)),
        ("different", number(measured.different)),
        ("hits", number(measured.hits)),
        ("replacements", number(measured.replacements)),
        ("overlap", real(complete.overlap)),
        ("accounted", real(complete.accounted)),
        ("best", real(complete.bound)),
        ("windows", number(measured.windows)),
        ("dynamic_overlap", dynamic(|a| a.overlap)),
        ("dynamic_accounted", dynamic(|a| a.accounted)),
        ("dynamic_best", dynamic(|a| a.bound)),
    ];
    if let Some(least) = measured.least {
        let left = [measured.replacements, least.in_sets, least.anywhere];
        let left = left.map(|left| real(of_branches(measured, left)));
        cells.extend(["left", "least_in_sets", "least"].into_iter().zip(left));
    }
    cells
}

/// Of entries that leave, how many do for 1,000 branches.
pub fn of_branches(measured: &Measured, left: u64) -> f64 {
    1000.0 * left as f64 / measured.records.max(1) as f64
}

/// A head line, and a line for each profiler over each trace.
pub fn csv(explored: &[Explored]) -> String {
    let mut text = String::new();
    for cells in all(explored) {
        if text.is_empty() {
            text += &csv::line(cells.iter().map(|(name, _)| (*name).into()));
        }
        text += &csv::line(cells.into_iter().map(|(_, cell)| match cell {
            Cell::Text(text) => text.unwrap_or_default(),
            Cell::Number(number) => number.map_or_else(String::new, |n| n.to_string()),
            Cell::Real(number) => number.map_or_else(String::new, |n| format!("{n:.6}")),
        }));
    }
    text
}

/// The schema of a Parquet file with these columns.
pub fn schema(cells: &[(&'static str, Cell)]) -> String {
    let mut schema = String::from("message explored {");
    for (name, cell) in cells {
        let kind = match cell {
            Cell::Text(_) => format!("required binary {name} (UTF8)"),
            Cell::Number(_) => format!("required int64 {name}"),
            Cell::Real(_) => format!("optional double {name}"),
        };
        write!(schema, " {kind};").expect("writing to a string cannot fail");
    }
    schema + " }"
}

pub fn all(explored: &[Explored]) -> impl Iterator<Item = Vec<(&'static str, Cell)>> {
    explored
        .iter()
        .flat_map(|run| run.measured.iter().map(|measured| cells(run, measured)))
}
