//! Tests that add paths, and what the field does that they do not.

use anyhow::{Context, Result};
use hpp_paths::graph::DagPath;
use hpp_paths::interprocedural::ProcedureId;
use hpp_paths::residual::Suite;
use hpp_soc::recordings::recorded_elf;
use hpp_soc::{firmware, with_data};
use verilated::tools::figures::thousands;
use verilated::tools::tool_path;

use super::Runs;
use super::inputs::{SAMPLE, read};
use crate::document::{Document, percent};

/// How many tests there are.
const TESTS: usize = 8;

/// After how many of them, as they come, the field is looked at.
const AFTER: [usize; 4] = [1, 2, 4, 8];

pub fn fill(document: &Document) -> Result<()> {
    let rows = [
        ("bzip2", "bzip2", "manual.xml", "zlib", "ChangeLog"),
        ("zlib", "zlib", "ChangeLog", "bzip2", "manual.xml"),
    ];
    let rows: Result<Vec<_>> = rows.into_iter().map(row).collect();
    let head = "program | tests | paths | of the first | added by each, the most first | enough | \
        untested after 1 test | 2 | 4 | 8";
    document.table("residual-suites", head, &rows?)
}

/// Samples of a program's own text as tests, and one of another as the field.
fn row(
    (program, own, text, other, other_text): (&str, &str, &str, &str, &str),
) -> Result<Vec<String>> {
    let elf = read(&firmware(program)?)?;
    let (own, other) = (
        read(&tool_path(own)?.join(text))?,
        read(&tool_path(other)?.join(other_text))?,
    );
    let samples = own
        .chunks_exact(SAMPLE)
        .take(TESTS)
        .chain([&other[..SAMPLE]]);
    let recordings =
        samples.map(|sample| Ok(recorded_elf(program, &with_data(&elf, "sample", sample)?)?.0));
    let runs = Runs::new(&recordings.collect::<Result<Vec<_>>>()?)?;
    let graphs = runs.graphs(0, &runs.runs);
    let profiles: Vec<_> = runs
        .runs
        .iter()
        .map(|run| runs.profile(&graphs, run))
        .collect::<Result<_>>()?;
    let (field, tests) = profiles.split_last().context("no run")?;
    let mut suite: Suite<(ProcedureId, DagPath)> = Suite::default();
    let (mut untested, mut first) = (Vec::new(), 0);
    for profile in tests {
        let test = suite.test(profile.iter().map(|(graph, path, _)| (graph, path.clone())));
        if test == 0 {
            first = suite.paths();
        }
        if AFTER.contains(&(test + 1)) {
            let paths = field.iter().map(|(graph, path, _)| (graph, path.clone()));
            let missing = suite.untested(paths).len();
            untested.push(format!(
                "{} ({})",
                thousands(missing as u64),
                percent(missing as f64 / field.len() as f64)
            ));
        }
    }
    let added: Vec<String> = suite
        .order()
        .iter()
        .map(|addition| addition.added.to_string())
        .collect();
    let head = [
        program.to_owned(),
        tests.len().to_string(),
        thousands(suite.paths() as u64),
        thousands(first as u64),
        added.join(", "),
        suite.reduced().len().to_string(),
    ];
    Ok(head.into_iter().chain(untested).collect())
}
