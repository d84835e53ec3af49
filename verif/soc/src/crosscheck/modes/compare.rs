//! Compares the sums of the second software profiler with the paths of the hardware.

use std::collections::BTreeMap;

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::ExactProfile;
use hpp_paths::Number;
use hpp_riscv::Program;
use thiserror::Error;

use super::follow::{Follower, LostError};
use super::graph::{Counting, ModeGraph, ModeGraphError, Observed};
use super::rules::{Mode, Paths};

/// How hardware and software disagree in a mode, or why they cannot be compared.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ModeDisagreement {
    /// The records are not those of the program.
    #[error(transparent)]
    Lost(#[from] LostError),
    /// The program has no graph.
    #[error(transparent)]
    Graph(#[from] ModeGraphError),
    /// A sum that is no path's number, or whose path has another number.
    #[error("the sum {0} was counted, which is the number of no path")]
    NoPath(Number),
    /// Two numbers that stand for one descriptor, where each path has its own.
    #[error("two numbers have the descriptor {0}")]
    Twice(PathDescriptor),
    /// The counts differ.
    #[error("descriptor {descriptor}: hardware counted {hardware}, software {software}")]
    Count {
        /// The descriptor.
        descriptor: PathDescriptor,
        /// The hardware's count, 0 if it has no such path.
        hardware: u64,
        /// The software's count, 0 if it has no such path.
        software: u64,
    },
}

/// A run on which hardware and software agree in a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeAgreement {
    /// Places of the program's graph.
    pub places: usize,
    /// Paths through the graph.
    pub possible: Number,
    /// Path numbers that were counted: more than descriptors where a path begins inside a callee, since only software
    /// knows by which call it was entered.
    pub numbers: usize,
}

/// Profiles a run in software, and compares with what the hardware counted of the same records: each number that was
/// counted leads back to a path, the path's descriptor has that count in hardware, and neither side has a path the other
/// lacks. O(instructions passed), and for each different path its places.
///
/// # Errors
///
/// At the first disagreement.
pub fn check_mode<C: Program>(
    program: &C,
    records: &[BranchRecord],
    geometry: &Geometry,
    mode: &Mode,
    hardware: &ExactProfile,
) -> Result<ModeAgreement, ModeDisagreement> {
    let paths = mode.paths;
    let mut run = Observed::default();
    Follower::new(program, paths, geometry, &mut run).run(records)?;
    let graph = ModeGraph::new(program, paths, &run)?;
    let software = Follower::new(program, paths, geometry, Counting::new(&graph)).run(records)?;
    let numbers = software.counts.len();
    let mut counts: BTreeMap<PathDescriptor, u64> = BTreeMap::new();
    for (number, count) in software.counts {
        let (descriptor, back) = match graph.descriptor(&number) {
            Some(found) => found,
            None => return Err(ModeDisagreement::NoPath(number)),
        };
        if !back {
            return Err(ModeDisagreement::NoPath(number));
        }
        let known = counts.insert(descriptor, count);
        match (known, paths) {
            (None, _) => {}
            (Some(before), Paths::AcrossCalls(_)) => {
                counts.insert(descriptor, before + count);
            }
            (Some(_), _) => return Err(ModeDisagreement::Twice(descriptor)),
        }
    }
    compare(hardware, &counts)?;
    let (places, possible) = graph.size();
    Ok(ModeAgreement {
        places,
        possible,
        numbers,
    })
}

fn compare(
    hardware: &ExactProfile,
    software: &BTreeMap<PathDescriptor, u64>,
) -> Result<(), ModeDisagreement> {
    let both = hardware.iter().map(|(descriptor, _)| *descriptor);
    for descriptor in both.chain(software.keys().copied()) {
        let (hardware, software) = (
            hardware.get(&descriptor),
            software.get(&descriptor).copied().unwrap_or(0),
        );
        if hardware != software {
            return Err(ModeDisagreement::Count {
                descriptor,
                hardware,
                software,
            });
        }
    }
    Ok(())
}
