//! The profiler's own path stream: the paths that the path stack completes under the rows of whole program paths.

use hpp_golden::profiler::Ppcr;

use crate::runs::Run;
use crate::streams::{geometry, paths};

/// Bits of all descriptors: with room for as many outcomes as there may be, and with as many as there are.
pub fn bits(run: &Run) -> [u64; 2] {
    let geometry = geometry();
    let head = u64::from(geometry.pc_bits - geometry.align + geometry.length_bits());
    let paths = paths(&run.records, Ppcr::whole_program_path());
    let outcomes: u64 = paths
        .iter()
        .map(|executed| u64::from(executed.path.length))
        .sum();
    let heads = head * paths.len() as u64;
    let room = u64::from(geometry.max_branches) * paths.len() as u64;
    [heads + room, heads + outcomes]
}
