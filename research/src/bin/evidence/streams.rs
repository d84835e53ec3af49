//! What the programs executed, as blocks and as paths.

use anyhow::Result;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{PathStack, Ppcr};
use hpp_soc::PROGRAMS;
use hpp_soc::recordings::recorded;

pub struct Stream {
    pub name: &'static str,
    /// Its branch records, from reset to the end.
    pub records: Vec<BranchRecord>,
    pub retired: u64,
}

/// A path of a run and the instructions that retired in it.
#[derive(Clone, Copy, Debug)]
pub struct ExecutedPath {
    pub path: PathDescriptor,
    pub instructions: u64,
}

/// The runs of all programs.
pub fn all() -> Result<Vec<Stream>> {
    PROGRAMS
        .into_iter()
        .map(|name| {
            let recording = recorded(name)?;
            Ok(Stream {
                name,
                records: recording.records,
                retired: recording.retired,
            })
        })
        .collect()
}

/// The geometry of a core with compressed instructions.
pub fn geometry() -> Geometry {
    Geometry {
        align: 1,
        ..Geometry::default()
    }
}

impl Stream {
    /// The blocks entered, by the address of their first instruction: each record enters one.
    pub fn blocks(&self) -> Vec<u64> {
        self.records.iter().map(|record| record.target).collect()
    }

    /// The paths that the path stack completes.
    pub fn paths(&self, ppcr: Ppcr) -> Vec<ExecutedPath> {
        paths(&self.records, ppcr)
    }
}

/// The paths that the path stack completes.
pub fn paths(records: &[BranchRecord], ppcr: Ppcr) -> Vec<ExecutedPath> {
    let mut stack = PathStack::new(&geometry(), ppcr);
    let mut instructions = 0;
    let mut paths = Vec::new();
    for record in records {
        // What comes before the first path belongs to none.
        if !stack.is_empty() {
            instructions += u64::from(record.events);
        }
        if let Some(completed) = stack.step(record) {
            paths.push(ExecutedPath {
                path: completed.descriptor,
                instructions: core::mem::take(&mut instructions),
            });
        }
    }
    paths
}
