//! Folded stacks and flame graphs: a path is a stack of its function and its blocks, the first block at the bottom.
//!
//! Paths that begin alike share the frames of their first blocks, so a flame shows where they part.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail};
use hpp_report::PathReport;
use hpp_report::names::plain;
use inferno::flamegraph::{self, Options, TextTruncateDirection};

use super::Input;

/// A line for each path: its frames with semicolons between, and its count.
pub fn folded(input: &Input<'_>) -> String {
    stacks(input, |name| name.to_owned())
}

/// The same, with functions called otherwise.
fn stacks(input: &Input<'_>, called: impl Fn(&str) -> String) -> String {
    let line = |path: &PathReport| {
        let mut frames = frames(path);
        frames[0] = called(&frames[0]);
        let names = frames.iter();
        let names = names.map(|name| on_one_line(&name.replace(';', ":")));
        let names: Vec<String> = names.collect();
        format!("{} {}\n", names.join(";"), path.count)
    };
    input.report.paths.iter().map(line).collect()
}

/// A name on one line, whatever a file is called.
pub fn on_one_line(name: &str) -> String {
    name.replace(char::is_control, "?")
}

/// A flame graph as an interactive picture. It cuts the end of a name that is wider than its frame, so functions go by their names alone, without parameters
/// behind them, unless several have the name.
pub fn svg(input: &Input<'_>) -> Result<Vec<u8>> {
    let mut options = Options::default();
    options.title = format!("Paths of {}", input.name);
    options.subtitle = Some(format!("{}: {}", input.report.counted, input.report.total));
    options.count_name = input.unit().into();
    options.name_type = "Block:".into();
    options.deterministic = true;
    options.text_truncate_direction = TextTruncateDirection::Right;
    let functions = input.report.functions.iter();
    let names = functions.filter_map(|total| total.function.as_deref());
    let mut alike: HashMap<String, HashSet<&str>> = HashMap::new();
    for name in names {
        alike.entry(plain(name)).or_default().insert(name);
    }
    let text = stacks(input, |name| match alike.get(&plain(name)) {
        Some(several) if several.len() > 1 => name.to_owned(),
        _ => plain(name),
    });
    if text.is_empty() {
        bail!("the profile has no path to draw");
    }
    let mut picture = Vec::new();
    flamegraph::from_lines(&mut options, text.lines(), &mut picture)
        .context("cannot draw a flame graph")?;
    Ok(picture)
}

/// The frames of a path, outermost first: its function, then its blocks; a path that does not walk is one frame.
fn frames(path: &PathReport) -> Vec<String> {
    let function = path.place.function.clone();
    let mut frames = vec![function.unwrap_or_else(|| "(in no function)".into())];
    for block in &path.blocks {
        let line = block
            .source
            .as_ref()
            .map_or(String::new(), |line| format!(" {}", line.short()));
        frames.push(format!("{:#x}-{:#x}{line}", block.start, block.end));
    }
    if path.blocks.is_empty() {
        frames.push(format!("{} (does not walk)", path.descriptor));
    }
    frames
}
