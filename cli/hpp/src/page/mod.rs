//! One self-contained page: a table of paths, and each path drawn through the control-flow graph of its function, with the
//! source beside it.

mod data;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use hpp_report::numbers::{number_of, thousands};
use hpp_report::{Graphs, Profile, Program, Report, SourceLine, text};

use crate::sources::Sources;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Lines of source shown before and after one that ran.
const AROUND: u32 = 3;

pub fn write(
    profile: &Profile,
    report: &Report,
    program: &Program<'_>,
    name: &str,
    sources: &mut Sources<'_>,
) -> Result<String> {
    let graphs = Graphs::new(profile, report, program);
    let sources = lines(&graphs, sources);
    // A script's text ends at the first `</script`, and not even there after `<!--` and `<script`.
    let data =
        data::written(name, program.build_id(), report, &graphs, sources)?.replace('<', "\\u003c");
    let subtitle = format!(
        "{} {} in {}",
        thousands(report.total),
        text::unit(report.by),
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

/// The lines that instructions come from which ran, and a few around each.
fn lines<'a>(
    graphs: &'a Graphs,
    sources: &mut Sources<'_>,
) -> BTreeMap<&'a str, BTreeMap<u32, String>> {
    let mut found: BTreeMap<&str, BTreeMap<u32, String>> = BTreeMap::new();
    let blocks = graphs.graphs.iter().flat_map(|graph| &graph.blocks);
    let ran = blocks
        .flat_map(|block| &block.code)
        .filter(|code| code.weight > 0);
    let all: BTreeSet<&SourceLine> = ran.filter_map(|code| code.source.as_ref()).collect();
    for source in all {
        let around = source.line.saturating_sub(AROUND).max(1)..=source.line.saturating_add(AROUND);
        for line in around {
            let place = SourceLine::new(&source.file, line);
            let lines = found.entry(&source.file).or_default();
            if let Entry::Vacant(entry) = lines.entry(line)
                && let Some(text) = sources.line(&place)
            {
                entry.insert(text.into());
            }
        }
    }
    found.retain(|_, lines| !lines.is_empty());
    found
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
