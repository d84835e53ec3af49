//! What one look at a board shows: totals, and what was counted since the look before.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use hpp_golden::path::PathDescriptor;
use hpp_report::numbers::{share, sum};
use hpp_report::{Health, PathReport, Profile, Program, Report};
use serde::Serialize;

#[derive(Serialize)]
pub struct View {
    /// Seconds since the first look.
    pub time: f64,
    /// Seconds since the look before; none at first.
    pub interval: Option<f64>,
    /// What is counted, in words.
    pub counted: String,
    pub counters: BTreeMap<String, u64>,
    /// What they counted a second since the look before.
    pub rates: BTreeMap<String, f64>,
    /// The share of the paths since then that the table held already.
    pub hits: Option<f64>,
    /// Entries in use, and all.
    pub held: usize,
    pub entries: u32,
    /// Whether the profile can be trusted, and what has to be known of it.
    pub health: Health,
    /// The paths that counted most since the look before, or at first in all.
    pub paths: Vec<Row>,
}

#[derive(Clone, Serialize)]
pub struct Row {
    /// What it counted a second since the look before.
    pub rate: Option<f64>,
    /// Its share of what all paths in the table counted since then, or at first in all.
    pub share: f64,
    pub count: u64,
    pub share_of_all: f64,
    pub start: u64,
    /// Its outcomes in order, `T` taken, `N` not.
    pub outcomes: String,
    /// Function and offset, or the address.
    pub place: String,
    /// File and lines of its blocks.
    pub lines: Option<String>,
}

/// Looks, each beside the one before.
#[derive(Default)]
pub struct Views {
    first: Option<Instant>,
    before: Option<Before>,
}

struct Before {
    at: Instant,
    counters: BTreeMap<String, u64>,
    counts: BTreeMap<PathDescriptor, u64>,
}

/// What was counted between two looks. What counts less than before was cleared, or left the table and came again.
fn since(now: u64, before: u64) -> u64 {
    now.checked_sub(before).unwrap_or(now)
}

impl Views {
    /// The next look, with the profile as it is at that time.
    pub fn next(
        &mut self,
        profile: &Profile,
        program: Option<&Program<'_>>,
        at: Instant,
    ) -> Result<View> {
        let report = Report::new(profile, program, None)?;
        let first = *self.first.get_or_insert(at);
        let before = self.before.take();
        let seconds = before.as_ref().map(|before| (at - before.at).as_secs_f64());
        let per_second = |count: u64| seconds.map(|seconds| count as f64 / seconds.max(1e-9));
        let counted = |name: &String, now: u64| match &before {
            Some(before) => since(now, before.counters[name]),
            None => now,
        };
        let new = |name: &str| counted(&name.to_owned(), report.counters[name]);
        let rate =
            |(name, now): (&String, &u64)| Some((name.clone(), per_second(counted(name, *now))?));
        let view = View {
            time: (at - first).as_secs_f64(),
            interval: seconds,
            counted: report.counted.to_string(),
            rates: report.counters.iter().filter_map(rate).collect(),
            hits: (new("paths") > 0).then(|| share(new("hits"), new("paths"))),
            held: report.held,
            entries: report.entries,
            paths: rows(&report, before.as_ref(), per_second),
            health: report.health,
            counters: report.counters,
        };
        self.before = Some(Before {
            at,
            counters: view.counters.clone(),
            counts: profile.counts.clone(),
        });
        Ok(view)
    }
}

fn rows(
    report: &Report,
    before: Option<&Before>,
    per_second: impl Fn(u64) -> Option<f64>,
) -> Vec<Row> {
    let new = |path: &PathReport| {
        let old = before.and_then(|before| before.counts.get(&path.descriptor));
        since(path.count, old.copied().unwrap_or(0))
    };
    let mut paths: Vec<(u64, &PathReport)> =
        report.paths.iter().map(|path| (new(path), path)).collect();
    // The report's order stays among equals.
    paths.sort_by_key(|(new, _)| Reverse(*new));
    let all = sum(paths.iter().map(|(new, _)| *new));
    let row = |(new, path): (u64, &PathReport)| Row {
        rate: per_second(new),
        share: share(new, all),
        count: path.count,
        share_of_all: path.share,
        start: path.descriptor.start,
        outcomes: path.outcomes.clone(),
        place: path.place.to_string(),
        lines: lines(path),
    };
    paths.into_iter().map(row).collect()
}

/// The file and the lines that a path's blocks begin with, a line once if it follows itself; another file by its name.
fn lines(path: &PathReport) -> Option<String> {
    let places = path.blocks.iter().filter_map(|block| block.source.as_ref());
    let start = path.place.source.iter().filter(|_| path.blocks.is_empty());
    let mut text = String::new();
    let mut last = None;
    for source in places.chain(start) {
        if last == Some(source) {
            continue;
        }
        let is_same_file =
            last.is_some_and(|last: &hpp_report::SourceLine| last.file == source.file);
        if last.is_some() {
            text.push(' ');
        }
        match is_same_file {
            true => text += &source.line.to_string(),
            false => text += &source.short(),
        }
        last = Some(source);
    }
    (!text.is_empty()).then_some(text)
}
