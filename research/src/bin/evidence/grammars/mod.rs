//! Whole program paths of our programs: how small the grammar is, how fast it grows, what in it is hot.

mod hot;
mod size;

use anyhow::{Result, ensure};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::Ppcr;
use hpp_paths::wpp::Sequitur;
use indexmap::IndexMap;

use crate::document::Document;
use crate::streams::{self, ExecutedPath, Stream};

/// A run as the paths that tile it, each a number.
struct Tiled {
    name: &'static str,
    /// The paths in order, each by its place in `paths`.
    numbers: Vec<u32>,
    /// The paths and the instructions of one execution.
    paths: Vec<(PathDescriptor, u64)>,
    instructions: u64,
}

impl Tiled {
    /// The paths under the rows of whole program paths. A path is the same instructions in each of its executions.
    fn new(stream: &Stream) -> Result<Self> {
        let mut paths: IndexMap<PathDescriptor, u64> = IndexMap::new();
        let mut numbers = Vec::new();
        let mut total = 0;
        for ExecutedPath { path, instructions } in stream.paths(Ppcr::whole_program_path()) {
            let entry = paths.entry(path);
            numbers.push(entry.index() as u32);
            let first = *entry.or_insert(instructions);
            ensure!(
                first == instructions,
                "{path} of {} took {first} instructions, then {instructions}",
                stream.name
            );
            total += instructions;
        }
        Ok(Self {
            name: stream.name,
            numbers,
            paths: paths.into_iter().collect(),
            instructions: total,
        })
    }

    fn sequitur(&self) -> Sequitur<u32> {
        let mut sequitur = Sequitur::new();
        sequitur.extend(self.numbers.iter().copied());
        sequitur
    }
}

pub fn fill(document: &Document) -> Result<()> {
    let streams = streams::all()?;
    let tiled: Vec<Tiled> = streams.iter().map(Tiled::new).collect::<Result<_>>()?;
    size::fill(document, &streams, &tiled)?;
    hot::fill(document, &tiled)
}
