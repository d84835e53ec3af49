//! A report as text in columns. Styles are escape sequences, which the printer keeps or strips.

mod compared;

use std::fmt::Write;

use crate::by::By;
use crate::columns::{lines, table, wrap};
use crate::health::Finding;
use crate::names::shortened;
use crate::numbers::{number_of, percent, share, thousands};
use crate::program::Place;
use crate::report::{PathBlock, PathReport, Report};
use anstyle::{AnsiColor, Style};
use hpp_golden::dump::Logged;
use hpp_golden::registers::Counter;

pub use compared::diff;

const HEADING: Style = Style::new().bold();
const CRITICAL: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();

/// Blocks of a path on one line of its cell.
const BLOCKS: usize = 3;

/// Head, health, paths and functions; `top` of each of the last two. Cells are wrapped where a table is wider than `width` characters.
pub fn write(report: &Report, top: usize, width: Option<u16>) -> String {
    let mut out = head(report);
    out += "\n";
    out += &paths(report, top, width);
    if !report.functions.is_empty() {
        out += "\n";
        out += &functions(report, top, width);
    }
    out
}

/// The dumps of a log.
pub fn list(dumps: &[Logged]) -> String {
    let mut table = table(["dump", "line", "paths", "completed", "what it is"], 0..4);
    for (number, logged) in (1..).zip(dumps) {
        let known = match &logged.dump {
            Ok(dump) => {
                let program = dump.program.as_deref().unwrap_or("not said");
                let paths = dump.entries.len().to_string();
                let completed = dump.counter(Counter::Paths).to_string();
                [paths, completed, format!("intact; program {program}")]
            }
            Err(error) => ["-".into(), "-".into(), error.to_string()],
        };
        let place = [number, logged.line].map(|number| number.to_string());
        table.add_row(place.into_iter().chain(known));
    }
    lines(&table)
}

fn line(name: &str, text: &str) -> String {
    format!("{HEADING}{name:<9}{HEADING:#} {text}\n")
}

/// What is counted, of what shares are, how much the table holds, and whether it can be trusted.
pub fn head(report: &Report) -> String {
    let mut out = line("counted", &report.counted.to_string());
    if report.runs > 1 {
        out += &line("runs", &report.runs.to_string());
    }
    if let Some(program) = &report.program {
        out += &line("program", &format!("build ID {program}"));
    }
    let paths = number_of(report.held as u64, "path");
    let place = match report.drained {
        true => ", and what left it",
        false => "",
    };
    let held = match report.completed {
        Some(completed) => format!(
            "{paths} in a table of {}{place}; they count {} of {} completed paths, {:.1} %",
            thousands(u64::from(report.entries)),
            thousands(report.counts),
            thousands(completed),
            100.0 * share(report.counts, completed),
        ),
        None => format!(
            "{paths} in a table of {}{place}; of {} completed",
            thousands(u64::from(report.entries)),
            number_of(report.counters["paths"], "path"),
        ),
    };
    out += &line("table", &held);
    out += &line("shares", &shares(report));
    if let Some(walked) = &report.walked {
        let [walk, of] = [walked.walk, walked.of].map(|paths| thousands(paths as u64));
        let walk = format!("{walk} of {of} walk through the program's code");
        out += &line("walk", &walk);
    }
    out + &health(report)
}

/// Of what shares are.
pub fn shares(report: &Report) -> String {
    let counted = match report.drained {
        true => "counted",
        false => "counted in the table",
    };
    match report.by {
        By::Count => format!("of the {} {counted}", number_of(report.total, "execution")),
        By::Instructions => {
            let of = format!("of the {} of the", number_of(report.total, "instruction"));
            match report.outside.paths {
                0 => format!("{of} table's paths"),
                paths => format!(
                    "{of} paths in the ELF file; those of {} outside of it, {} of the executions, are not known (--by count)",
                    number_of(paths as u64, "path"),
                    percent(share(report.outside.count, report.counts))
                ),
            }
        }
        By::Events => format!(
            "of the {} {} {counted}",
            thousands(report.total),
            report.counted.metric
        ),
    }
}

fn health(report: &Report) -> String {
    let state = match report.health.trusted {
        true => format!("{GOOD}good{GOOD:#}: no errors, no lost records"),
        false => format!("{CRITICAL}this profile cannot be trusted{CRITICAL:#}"),
    };
    let mut out = line("health", &state);
    for Finding { critical, text } in &report.health.findings {
        let _ = match critical {
            true => writeln!(out, "          {CRITICAL}!{CRITICAL:#} {text}"),
            false => writeln!(out, "          - {text}"),
        };
    }
    out
}

/// What is left out.
fn more(all: usize, top: usize, what: &str) -> String {
    match all.saturating_sub(top) {
        0 => String::new(),
        left => format!(
            "and {} (--top)\n",
            number_of(left as u64, &format!("more {what}"))
        ),
    }
}

/// What a ranking counts.
pub const fn unit(by: By) -> &'static str {
    match by {
        By::Count => "executions",
        By::Instructions => "instructions",
        By::Events => "events",
    }
}

/// Reasons why paths do not walk, each of them once.
#[derive(Default)]
struct Reasons<'a>(Vec<&'a str>);

impl<'a> Reasons<'a> {
    /// The cell of a path that does not walk.
    fn cell(&mut self, reason: &'a str) -> String {
        let known = self.0.iter().position(|other| *other == reason);
        let number = known.unwrap_or_else(|| {
            self.0.push(reason);
            self.0.len() - 1
        });
        format!("does not walk ({})", number + 1)
    }

    /// The reasons by number.
    fn list(&self) -> String {
        let line = |(number, reason): (usize, &&str)| format!("({number}) {reason}\n");
        (1..).zip(&self.0).map(line).collect()
    }
}

/// The hottest paths.
pub fn paths(report: &Report, top: usize, width: Option<u16>) -> String {
    let mut reasons = Reasons::default();
    let mut heads = vec!["#", unit(report.by), "share", "sum"];
    let beside = beside(report);
    heads.extend(beside);
    let numbers = heads.len();
    heads.extend(match report.functions.is_empty() {
        false => &["path begins in", "at", "branches", "blocks"][..],
        true => &["path begins at", "branches"],
    });
    let named = !report.functions.is_empty();
    let mut table = table(heads, 0..numbers);
    // Paths that do not walk are shown wherever they stand, as many of them as of others; those outside of the program's code are one line.
    let inside: Vec<&PathReport> = report.paths.iter().filter(|path| !path.outside).collect();
    let (hottest, others) = inside.split_at(top.min(inside.len()));
    let others = others.iter().filter(|path| path.problem.is_some());
    let shown: Vec<&PathReport> = hottest.iter().chain(others.take(top)).copied().collect();
    wrap(&mut table, width);
    for path in &shown {
        let mut cells = vec![
            path.rank.to_string(),
            thousands(path.weight),
            percent(path.share),
            percent(path.cumulative),
        ];
        cells.extend(beside.map(|_| other(path, report.by).map_or("-".into(), thousands)));
        cells.push(place(&path.place));
        cells.extend(named.then(|| path.place.lines()));
        cells.push(path.letters().into());
        cells.extend(named.then(|| match &path.problem {
            Some(problem) => reasons.cell(problem),
            None => blocks(path),
        }));
        table.add_row(cells);
    }
    let outside = match report.paths.len() - inside.len() {
        0 => String::new(),
        paths => format!(
            "and {}, {} of all counts, outside of the program's code\n",
            number_of(paths as u64, "path"),
            percent(share(report.outside.count, report.counts))
        ),
    };
    lines(&table) + &reasons.list() + &more(inside.len(), shown.len(), "path") + &outside
}

/// A place with names short enough for a column.
pub fn place(place: &Place) -> String {
    let short = |name: &Option<String>| name.as_deref().map(|name| shortened(name).into_owned());
    let short = Place {
        function: short(&place.function),
        inlined: short(&place.inlined),
        ..place.clone()
    };
    short.to_string()
}

/// Start and end of every block; one in another function than the block before it says in which.
fn blocks(path: &PathReport) -> String {
    let mut last = path.place.function.as_ref();
    let mut blocks = Vec::new();
    for PathBlock {
        start,
        end,
        function,
        ..
    } in &path.blocks
    {
        let here = function.as_ref();
        let name = here
            .filter(|_| here != last)
            .map_or(String::new(), |name| format!(" {}", shortened(name)));
        last = here;
        blocks.push(format!("{start:x}-{end:x}{name}"));
    }
    let lines: Vec<String> = blocks.chunks(BLOCKS).map(|line| line.join(" ")).collect();
    lines.join("\n")
}

/// What stands beside what paths are ranked by: executions beside instructions, and instructions beside executions where they are known.
pub fn beside(report: &Report) -> Option<&'static str> {
    let known = report.paths.iter().any(|path| path.instructions.is_some());
    match report.by {
        By::Count => known.then_some(unit(By::Instructions)),
        By::Instructions if report.counted.events => None,
        By::Instructions => Some(unit(By::Count)),
        By::Events => None,
    }
}

/// A path's number beside what paths are ranked by.
pub fn other(path: &PathReport, by: By) -> Option<u64> {
    match by {
        By::Instructions => Some(path.count),
        _ => path.ran(),
    }
}

fn functions(report: &Report, top: usize, width: Option<u16>) -> String {
    let heads = [unit(report.by), "share", "with inlined", "share", "paths"];
    let mut table = table(heads.into_iter().chain(["function", "at"]), 0..heads.len());
    wrap(&mut table, width);
    for total in report.functions.iter().take(top) {
        let source = total.source.as_ref().map_or(String::new(), |s| s.short());
        let name = total.function.as_deref().unwrap_or("(in no function)");
        table.add_row([
            thousands(total.own),
            percent(total.own_share),
            thousands(total.inclusive),
            percent(total.inclusive_share),
            thousands(total.paths as u64),
            shortened(name).into(),
            source,
        ]);
    }
    lines(&table) + &more(report.functions.len(), top, "function")
}
