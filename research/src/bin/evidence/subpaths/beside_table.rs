//! The hot path table and a concise sample of paths, with the same number of entries, against the exact profile.
//!
//! Both see the Ball-Larus paths of the path stack. The sample takes every path into its list until the list is full, so that its
//! period is the one its memory allows.

use std::collections::HashMap;

use anyhow::{Context, Result};
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable, Ppcr};
use hpp_paths::metrics::overlap;
use hpp_paths::subpath::{Lengths, Memory, Settings, SubpathProfiler, Windows};
use indexmap::IndexSet;

use super::SEED;
use crate::document::{Document, percent};
use crate::streams::{self, ExecutedPath, Stream};

/// Entries of both, four ways a set in the table.
const ENTRIES: [u32; 7] = [8, 16, 32, 64, 128, 256, 512];

type Profile = HashMap<PathDescriptor, u64>;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let mut rows = Vec::new();
    for stream in streams {
        let paths = stream.paths(Ppcr::ball_larus());
        let mut exact = Profile::new();
        for executed in &paths {
            *exact.entry(executed.path).or_default() += 1;
        }
        for entries in ENTRIES {
            let table = table(&paths, entries);
            let (sample, period) = sample(&paths, entries)?;
            let both = [&table, &sample].map(|profile| overlap(&exact, profile));
            rows.push(vec![
                stream.name.to_owned(),
                exact.len().to_string(),
                entries.to_string(),
                percent(both[0]),
                percent(both[1]),
                format!("{period:.1}"),
                found(&exact, &table).to_string(),
                found(&exact, &sample).to_string(),
            ]);
        }
    }
    let head = "program | paths | entries | overlap, table | overlap, sample | f | of the ten, table | \
        of the ten, sample";
    document.table("subpath-beside-table", head, &rows)
}

fn table(paths: &[ExecutedPath], entries: u32) -> Profile {
    let geometry = Geometry {
        sets: entries / 4,
        ways: 4,
        ..streams::geometry()
    };
    let mut table = HotPathTable::new(&geometry);
    for executed in paths {
        table.record(&CompletedPath {
            descriptor: executed.path,
            count: 1,
        });
    }
    let entries = table.entries().map(|(_, entry)| entry);
    entries
        .map(|entry| (entry.descriptor, u64::from(entry.count)))
        .collect()
}

/// The sample's counts, and the period in the end.
fn sample(paths: &[ExecutedPath], entries: u32) -> Result<(Profile, f64)> {
    let settings = Settings {
        lengths: Lengths::uniform(1..=1)?,
        period: 1.0,
        memory: Memory::Entries(entries as usize),
        windows: Windows::Overlapping,
        ..Settings::default()
    };
    let mut profiler = SubpathProfiler::seeded(settings, SEED)?;
    let mut numbers: IndexSet<PathDescriptor> = IndexSet::new();
    for executed in paths {
        profiler.enter(numbers.insert_full(executed.path).0 as u64);
    }
    let report = profiler.report();
    let profile = report.subpaths().iter().map(|subpath| {
        let path = subpath
            .blocks
            .as_deref()
            .and_then(|blocks| numbers.get_index(blocks[0] as usize));
        Ok((
            *path.context("a sampled path has been numbered")?,
            subpath.count,
        ))
    });
    Ok((profile.collect::<Result<_>>()?, profiler.period()))
}

/// How many of the ten hottest paths a profile holds among its own ten hottest.
fn found(exact: &Profile, profile: &Profile) -> usize {
    let hottest = |profile: &Profile| {
        let mut paths: Vec<_> = profile
            .iter()
            .map(|(path, count)| (*count, *path))
            .collect();
        paths.sort_unstable_by_key(|path| core::cmp::Reverse(*path));
        paths
            .into_iter()
            .take(10)
            .map(|(_, path)| path)
            .collect::<Vec<_>>()
    };
    let ours = hottest(profile);
    hottest(exact)
        .iter()
        .filter(|path| ours.contains(path))
        .count()
}
