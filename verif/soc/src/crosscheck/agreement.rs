//! Hardware against software: the completed paths of the path stack and the path sums of the software profiler, from
//! the same records.
//!
//! The two agree if
//!
//! - descriptors and pairs of function and path number correspond one to one;
//! - every number regenerates its descriptor, which walks through the code of that path;
//! - both have the same paths with the same counts.

use core::fmt;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::software::{Limits, Mismatch, PathCounts, ProfiledProgram, SoftwareProfiler, observe};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{BackwardNotTaken, ExactProfile, PathStack, Ppcr};
use hpp_paths::Number;
use hpp_paths::numbering::BallLarus;
use hpp_riscv::ProgramCode;
use hpp_riscv::{DescriptorError, Functions, GraphError};
use hpp_riscv::{WalkError, walk};

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberedPath {
    pub function: String,
    pub number: Number,
}

impl fmt::Display for NumberedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "path {} of `{}`", self.number, self.function)
    }
}

/// How hardware and software disagree, or why they cannot be compared.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Disagreement {
    #[error(transparent)]
    Program(#[from] GraphError),
    #[error("record {index}: {source}")]
    Lost { index: usize, source: Mismatch },
    #[error("descriptor {descriptor}: {source}")]
    NoPath {
        descriptor: PathDescriptor,
        source: DescriptorError,
    },
    /// The number of a descriptor does not lead back to it.
    #[error("descriptor {descriptor} is {path}, which is descriptor {back:?}")]
    NotBack {
        descriptor: PathDescriptor,
        path: NumberedPath,
        back: Option<PathDescriptor>,
    },
    /// A descriptor cannot be walked through the code.
    #[error("descriptor {descriptor}: {source}")]
    Walk {
        descriptor: PathDescriptor,
        source: WalkError,
    },
    /// The walk of a descriptor goes another way than the path it stands for.
    #[error("descriptor {descriptor} walks through {walked:x?}, but as {path} through {graph:x?}")]
    OtherWay {
        descriptor: PathDescriptor,
        path: Box<NumberedPath>,
        walked: Vec<(u64, u64)>,
        graph: Vec<(u64, u64)>,
    },
    #[error("{path}: hardware counted {hardware}, software {software}")]
    Count {
        path: NumberedPath,
        hardware: u64,
        software: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreedPath {
    /// As the hardware names it.
    pub descriptor: PathDescriptor,
    pub function: usize,
    pub number: Number,
    pub count: u64,
}

/// Profiles a run in hardware (the model of the path stack, every path kept) and in software, and compares. The hardware
/// takes a step for each record; the software takes one for each block a record passes, and adds numbers as long as the
/// path counts of the functions. Comparing takes, for each different path, steps as many as it has blocks and as wide as
/// they branch, and such additions. Returns the paths, the hottest first, equals by descriptor.
///
/// # Errors
///
/// At the first disagreement.
pub fn cross_check<P: ProgramCode>(
    program: &P,
    functions: &Functions,
    records: &[BranchRecord],
    geometry: &Geometry,
    backward_not_taken: BackwardNotTaken,
) -> Result<Vec<AgreedPath>, Disagreement> {
    let ppcr = Ppcr {
        backward_not_taken,
        ..Ppcr::ball_larus()
    };
    let mut stack = PathStack::new(geometry, ppcr);
    let mut hardware = ExactProfile::new();
    for path in records.iter().filter_map(|record| stack.step(record)) {
        hardware.record(&path);
    }
    let limits = Limits::of(geometry, backward_not_taken);
    let run = observe(records, &limits);
    let graphs = ProfiledProgram::recover(program, functions, run, limits)?;
    let numberings: Vec<Option<BallLarus>> = (0..functions.len())
        .map(|i| graphs.function(i).map(|f| BallLarus::exact(f.graph.dag())))
        .collect();
    let values: Vec<_> = numberings
        .iter()
        .map(|numbering| numbering.as_ref().map(BallLarus::values))
        .collect();
    let mut software = SoftwareProfiler::new(&graphs, &values);
    for (index, record) in records.iter().enumerate() {
        software
            .step(record)
            .map_err(|source| Disagreement::Lost { index, source })?;
    }
    let paths = compare(&graphs, &numberings, &hardware, &software.into_counts())?;
    for path in &paths {
        check_walk(program, &graphs, &numberings, path)?;
    }
    Ok(paths)
}

fn compare(
    program: &ProfiledProgram,
    numberings: &[Option<BallLarus>],
    hardware: &ExactProfile,
    software: &PathCounts,
) -> Result<Vec<AgreedPath>, Disagreement> {
    let mut paths = Vec::with_capacity(hardware.len());
    let mut seen = FxHashSet::default();
    for (descriptor, count) in hardware.hottest() {
        let (function, number) = number(program, numberings, &descriptor)?;
        let key = (function, number.clone());
        let counted = software.get(&key).copied().unwrap_or(0);
        if counted != count {
            return Err(Disagreement::Count {
                path: named(program, function, &number),
                hardware: count,
                software: counted,
            });
        }
        seen.insert(key);
        paths.push(AgreedPath {
            descriptor,
            function,
            number,
            count,
        });
    }
    match software.iter().find(|(key, _)| !seen.contains(*key)) {
        Some(((function, number), &count)) => Err(Disagreement::Count {
            path: named(program, *function, number),
            hardware: 0,
            software: count,
        }),
        None => Ok(paths),
    }
}

fn named(program: &ProfiledProgram, function: usize, number: &Number) -> NumberedPath {
    let function = program.function(function);
    NumberedPath {
        function: function.map_or_else(String::new, |function| function.name.clone()),
        number: number.clone(),
    }
}

/// The function and the number of a descriptor; the number must lead back to the descriptor, so no two share one.
fn number(
    program: &ProfiledProgram,
    numberings: &[Option<BallLarus>],
    descriptor: &PathDescriptor,
) -> Result<(usize, Number), Disagreement> {
    let no_path = |source| Disagreement::NoPath {
        descriptor: *descriptor,
        source,
    };
    let no_start = || no_path(DescriptorError::NoStart(descriptor.start));
    let position = program.owner(descriptor.start).ok_or_else(no_start)?;
    let function = program.function(position).ok_or_else(no_start)?;
    let numbering = numberings[position].as_ref().ok_or_else(no_start)?;
    let path = function
        .graph
        .path(program.limits().max_branches, descriptor)
        .map_err(no_path)?;
    let number = numbering.number(&path);
    let back = numbering
        .path(&number)
        .ok()
        .and_then(|path| function.graph.descriptor(&path));
    if back == Some(*descriptor) {
        return Ok((position, number));
    }
    Err(Disagreement::NotBack {
        descriptor: *descriptor,
        path: named(program, position, &number),
        back,
    })
}

/// The walk of a descriptor goes through the same code as the path its number stands for.
fn check_walk<P: ProgramCode>(
    program: &P,
    graphs: &ProfiledProgram,
    numberings: &[Option<BallLarus>],
    path: &AgreedPath,
) -> Result<(), Disagreement> {
    let descriptor = path.descriptor;
    let limits = graphs.limits();
    let ppcr = Ppcr {
        backward_not_taken: limits.backward_not_taken,
        ..Ppcr::ball_larus()
    };
    let walk = walk(program, &ppcr, limits.max_branches, &descriptor)
        .map_err(|source| Disagreement::Walk { descriptor, source })?;
    let walked = stretches(walk.blocks.iter().map(|block| (block.start, block.end)));
    let function = graphs.function(path.function);
    let graph = function.zip(numberings[path.function].as_ref());
    let graph = graph.and_then(|(function, numbering)| {
        let blocks = numbering.path(&path.number).ok()?;
        let blocks = blocks.route(function.graph.dag()).blocks;
        let code = blocks
            .iter()
            .filter_map(|&block| function.graph.code(block));
        Some(stretches(code.map(|block| (block.start, block.end))))
    });
    match graph {
        Some(graph) if graph == walked => Ok(()),
        graph => Err(Disagreement::OtherWay {
            descriptor,
            path: Box::new(named(graphs, path.function, &path.number)),
            walked,
            graph: graph.unwrap_or_default(),
        }),
    }
}

/// Joins blocks that follow one another in the code: a graph has more of them than a walk.
fn stretches(blocks: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in blocks {
        match joined.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}
