//! One self-contained page: a table of paths, and each path drawn through the control-flow graph of its function, with the
//! source beside it.

use std::collections::BTreeMap;

use anyhow::Result;
use hpp_report::graph::{HotGraph, Route};
use hpp_report::health::{number_of, thousands};
use hpp_report::{By, Graphs, Profile, Program, Report, SourceLine};
use serde::Serialize;
use serde_json::Value;

use crate::sources::Sources;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What the script draws.
#[derive(Serialize)]
struct Data<'a> {
    title: String,
    unit: &'static str,
    report: &'a Report,
    graphs: &'a [HotGraph],
    /// By the rank of the path: the report may hold one function's alone.
    routes: BTreeMap<usize, &'a Option<Route>>,
    /// Lines of source files, by file and number.
    sources: BTreeMap<&'a str, BTreeMap<u32, String>>,
}

/// The page.
pub fn write(
    profile: &Profile,
    report: &Report,
    program: &Program<'_>,
    name: &str,
    sources: &mut Sources<'_>,
) -> Result<String> {
    let graphs = Graphs::new(profile, report, program);
    let ranks = report.paths.iter().map(|path| path.rank);
    let data = Data {
        title: format!("Paths of {name}"),
        unit: match report.by {
            By::Count => "count",
            By::Instructions => "instructions",
            By::Events => "events",
        },
        report,
        graphs: &graphs.graphs,
        routes: ranks.zip(&graphs.routes).collect(),
        sources: lines(&graphs, sources),
    };
    // A script's text ends at the first `</script`, and not even there behind `<!--` and `<script`.
    let mut data = serde_json::to_value(&data)?;
    spell_addresses(&mut data);
    let data = data.to_string().replace('<', "\\u003c");
    let subtitle = format!(
        "{} in {}",
        thousands(report.total),
        number_of(report.paths.len() as u64, "path")
    );
    Ok(PAGE
        .replace(
            "{{title}}",
            &escaped(&format!("Paths of {name}: {subtitle}")),
        )
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT)
        .replace("{{data}}", &data))
}

/// Writes addresses as hexadecimal text: a number of the script has 53 bits.
fn spell_addresses(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(spell_addresses),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_u64().filter(|_| name == "address") {
                    Some(address) => *value = format!("{address:x}").into(),
                    None => spell_addresses(value),
                }
            }
        }
        _ => {}
    }
}

/// The lines that the graphs' instructions come from, and those between.
fn lines<'a>(
    graphs: &'a Graphs,
    sources: &mut Sources<'_>,
) -> BTreeMap<&'a str, BTreeMap<u32, String>> {
    let mut spans: BTreeMap<(usize, &str), (u32, u32)> = BTreeMap::new();
    for (number, graph) in graphs.graphs.iter().enumerate() {
        for source in graph
            .blocks
            .iter()
            .flat_map(|block| &block.code)
            .filter_map(|code| code.source.as_ref())
        {
            let span = spans
                .entry((number, &source.file))
                .or_insert((source.line, source.line));
            *span = (span.0.min(source.line), span.1.max(source.line));
        }
    }
    let mut found: BTreeMap<&str, BTreeMap<u32, String>> = BTreeMap::new();
    for ((_, file), (first, last)) in spans {
        for line in first..=last {
            let place = SourceLine {
                file: file.into(),
                line,
            };
            if let Some(text) = sources.line(&place) {
                found.entry(file).or_default().insert(line, text.into());
            }
        }
    }
    found
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
