//! Table 4.11: the five hottest subpaths in the report at six moments of a run.

use anyhow::Result;

use super::exact::Exact;
use super::{LENGTHS, SEED, settings};
use crate::document::Document;
use crate::streams::Stream;
use hpp_paths::subpath::SubpathProfiler;

/// Percent of the run.
const STOPS: [usize; 6] = [6, 12, 18, 24, 30, 36];

/// How many of the hottest are looked for.
const TOP: usize = 5;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let mut rows = Vec::new();
    for stream in streams {
        let columns = ranks(&stream.blocks())?;
        for rank in 0..TOP {
            let mut row = vec![stream.name.to_owned(), (rank + 1).to_string()];
            row.extend(columns.iter().map(|column| column[rank].clone()));
            rows.push(row);
        }
    }
    let stops = STOPS.map(|stop| format!("{stop} %")).join(" | ");
    let head = format!("program | exact rank | {stops}");
    document.table("subpath-incremental", &head, &rows)
}

/// For each stop the rank in the report of each of the hottest.
fn ranks(blocks: &[u64]) -> Result<Vec<Vec<String>>> {
    let mut profiler = SubpathProfiler::seeded(settings(), SEED)?;
    let mut columns = Vec::new();
    let mut seen = 0;
    for stop in STOPS {
        let end = blocks.len() * stop / 100;
        blocks[seen..end]
            .iter()
            .for_each(|&block| profiler.enter(block));
        seen = end;
        let exact = Exact::of(&blocks[..end], LENGTHS, settings().encoding);
        let report = profiler.report();
        let rank = |id| {
            let place = report
                .subpaths()
                .iter()
                .position(|subpath| subpath.id == id);
            place.map_or("–".to_owned(), |place| (place + 1).to_string())
        };
        let top = exact.ranking().iter().take(TOP);
        columns.push(top.map(|&(id, _)| rank(id)).collect());
    }
    Ok(columns)
}
