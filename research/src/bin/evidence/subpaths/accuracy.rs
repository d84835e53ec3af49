//! Table 4.8: the hottest subpaths of the sample against their exact counts, of one program and of all.

use anyhow::Result;
use hpp_paths::subpath::{SampledSubpath, Settings, Sides, SubpathProfiler, Windows};
use verilated::tools::figures::thousands;

use super::exact::Exact;
use super::{LENGTHS, SEED, settings};
use crate::document::{Document, percent};
use crate::streams::Stream;

/// How many of the hottest subpaths are judged.
const TOP: usize = 10;

/// Runs with different seeds that the summary is a mean of.
const RUNS: u64 = 50;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let mut rows = Vec::new();
    for (number, stream) in streams.iter().enumerate() {
        let blocks = stream.blocks();
        let exact = Exact::of(&blocks, LENGTHS, settings().encoding);
        if number == 0 {
            document.table("subpath-accuracy", HEAD, &hottest(&blocks, &exact)?)?;
        }
        for windows in [Windows::Disjoint, Windows::Overlapping] {
            let mut row = vec![
                stream.name.to_owned(),
                format!("{windows:?}").to_lowercase(),
            ];
            row.extend(summary(&blocks, &exact, windows)?.cells());
            rows.push(row);
        }
    }
    let head =
        "program | windows | error | bias | bias of count × f / p | within bounds | of the ten";
    document.table("subpath-accuracy-all", head, &rows)
}

const HEAD: &str = "sample rank | exact rank | sample count | est. count | exact count | error | \
    est. error | length";

fn hottest(blocks: &[u64], exact: &Exact) -> Result<Vec<Vec<String>>> {
    let report = super::profile(settings(), blocks)?.report();
    let row = |(rank, subpath): (usize, &SampledSubpath)| {
        let count = exact.count(&subpath.id);
        vec![
            rank.to_string(),
            exact.rank(&subpath.id).to_string(),
            thousands(subpath.count),
            thousands(subpath.estimate.round() as u64),
            thousands(count),
            percent((subpath.estimate / count as f64 - 1.0).abs()),
            percent(subpath.relative_error(Sides::Both, 0.95)),
            subpath.id.length.to_string(),
        ]
    };
    Ok((1..).zip(report.subpaths()).take(TOP).map(row).collect())
}

/// Means over the ten hottest of the exact ranking and over all runs.
#[derive(Default)]
struct Summary {
    error: f64,
    bias: f64,
    printed_bias: f64,
    within: f64,
    found: f64,
}

impl Summary {
    fn cells(&self) -> [String; 5] {
        [
            percent(self.error),
            format!("{:+.2} %", 100.0 * self.bias),
            format!("{:+.2} %", 100.0 * self.printed_bias),
            percent(self.within),
            format!("{:.1}", 10.0 * self.found),
        ]
    }
}

/// Judges the ten hottest by exact counts, so that which subpaths are judged does not depend on chance.
fn summary(blocks: &[u64], exact: &Exact, windows: Windows) -> Result<Summary> {
    let mut mean = Summary::default();
    let weight = 1.0 / (TOP as u64 * RUNS) as f64;
    for seed in SEED..SEED + RUNS {
        let settings = Settings {
            windows,
            ..settings()
        };
        let lengths = settings.lengths.clone();
        let mut profiler = SubpathProfiler::seeded(settings, seed)?;
        blocks.iter().for_each(|&block| profiler.enter(block));
        let report = profiler.report();
        for &(id, count) in &exact.ranking()[..TOP] {
            let place = report
                .subpaths()
                .iter()
                .position(|subpath| subpath.id == id);
            let subpath = place.map(|place| &report.subpaths()[place]);
            let count = count as f64;
            let estimate = subpath.map_or(0.0, |subpath| subpath.estimate);
            // As section 4.4 estimates: by f and the probability of the length alone.
            let printed = subpath.map_or(0.0, |subpath| {
                subpath.count as f64 * profiler.period() / lengths.probability(id.length)
            });
            mean.error += weight * (estimate / count - 1.0).abs();
            mean.bias += weight * (estimate / count - 1.0);
            mean.printed_bias += weight * (printed / count - 1.0);
            let within = subpath.is_some_and(|subpath| subpath.bounds(0.95).contains(&count));
            mean.within += weight * f64::from(u8::from(within));
            mean.found += weight * f64::from(u8::from(place.is_some_and(|place| place < TOP)));
        }
    }
    Ok(mean)
}
