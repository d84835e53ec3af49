//! Tables 4.6 and 4.7: what is in the sample and what it takes; tables 4.9 and 4.10: how good it is by the Chernoff bounds.

use anyhow::{Context, Result};
use hpp_paths::subpath::{Report, Sides};
use verilated::tools::figures::thousands;

use super::{profile, settings};
use crate::document::{Document, percent};
use crate::streams::Stream;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let mut sample = Vec::new();
    let mut bounds = [Vec::new(), Vec::new()];
    for stream in streams {
        let profiler = profile(settings(), &stream.blocks())?;
        let report = profiler.report();
        sample.push(vec![
            stream.name.to_owned(),
            thousands(report.samples()),
            report.subpaths().len().to_string(),
            format!("{:.2}", report.gain()),
            format!("{:.0}", profiler.period()),
            profiler.thinnings().to_string(),
            percent(profiler.sampled_blocks() as f64 / profiler.blocks() as f64),
            thousands(profiler.memory() as u64),
        ]);
        for (rows, place) in bounds.iter_mut().zip([1, 5]) {
            rows.push(bound(stream.name, &report, place)?);
        }
    }
    let head = "program | samples | distinct | gain | f | thinnings | blocks sampled | bytes";
    document.table("subpath-sample", head, &sample)?;
    let head = "program | count | σ1 | σ2 | σ3 | σ4";
    let [hottest, fifth] = bounds;
    document.table("subpath-bounds-hottest", head, &hottest)?;
    document.table("subpath-bounds-fifth", head, &fifth)
}

/// A row of tables 4.9 and 4.10: the subpath with the greatest count in the sample but so many.
fn bound(name: &str, report: &Report, place: usize) -> Result<Vec<String>> {
    let mut subpaths: Vec<_> = report.subpaths().iter().collect();
    subpaths.sort_by_key(|subpath| core::cmp::Reverse(subpath.count));
    let subpath = subpaths
        .get(place - 1)
        .with_context(|| format!("{name} has fewer than {place} subpaths"))?;
    let mut row = vec![name.to_owned(), thousands(subpath.count)];
    for confidence in [0.95, 0.80] {
        for sides in [Sides::Both, Sides::Low] {
            row.push(percent(subpath.relative_error(sides, confidence)));
        }
    }
    Ok(row)
}
