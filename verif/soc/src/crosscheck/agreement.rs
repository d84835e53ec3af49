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

use super::software::{
    Limits, Mismatch, PathCounts, ProfiledProgram, SoftwareProfiler, Values, observe,
};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{
    BackwardNotTaken, ExactProfile, HotPathTable, PathStack, Ppcr, TableEntry,
};
use hpp_paths::Number;
use hpp_paths::numbering::{BallLarus, InterestingError};
use hpp_riscv::Program;
use hpp_riscv::{DescriptorError, Functions, GraphError};
use hpp_riscv::{WalkError, walk};

/// A path as software names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumberedPath {
    /// The function it begins in.
    pub function: String,
    /// Its Ball-Larus number.
    pub number: Number,
}

impl fmt::Display for NumberedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "path {} of `{}`", self.number, self.function)
    }
}

/// How hardware and software disagree, or why they cannot be compared.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Disagreement {
    /// The program has no graphs.
    #[error(transparent)]
    Program(#[from] GraphError),
    /// The software profiler lost the run.
    #[error("record {index}: {source}")]
    Lost { index: usize, source: Mismatch },
    /// A descriptor stands for no path.
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
    /// Hot paths that are no set of interesting paths.
    #[error("function `{function}`: {source}")]
    Interesting {
        function: String,
        source: InterestingError,
    },
    /// Another numbering counted an interesting path differently.
    #[error("{path}: hardware counted {hardware}, {numbering} numbering {software}")]
    InterestingCount {
        path: NumberedPath,
        numbering: &'static str,
        hardware: u64,
        software: u64,
    },
    /// The counts differ.
    #[error("{path}: hardware counted {hardware}, software {software}")]
    Count {
        path: NumberedPath,
        hardware: u64,
        software: u64,
    },
}

/// One path that both sides counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreedPath {
    /// As the hardware names it.
    pub descriptor: PathDescriptor,
    /// Position of its function.
    pub function: usize,
    /// Its Ball-Larus number.
    pub number: Number,
    /// How often it ran.
    pub count: u64,
}

/// A run on which hardware and software agree.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The graphs of the program.
    pub program: ProfiledProgram,
    /// The Ball-Larus numbering of each function, by position; `None` for functions without paths.
    pub numberings: Vec<Option<BallLarus>>,
    /// The paths, the hottest first, equals by descriptor.
    pub paths: Vec<AgreedPath>,
    /// What the hot path table held at the end, the hottest first, equals by descriptor.
    pub table: Vec<TableEntry>,
}

impl Agreement {
    /// The hottest paths of the table that together hold at least this share (0 to 1) of its total.
    pub fn hottest(&self, share: f64) -> Vec<PathDescriptor> {
        let total: u64 = self.table.iter().map(|entry| u64::from(entry.count)).sum();
        let enough = (total as f64 * share).ceil() as u64;
        let mut sum = 0;
        self.table
            .iter()
            .take_while(|entry| {
                let more = sum < enough;
                sum += u64::from(entry.count);
                more
            })
            .map(|entry| entry.descriptor)
            .collect()
    }

    /// How many path executions were counted.
    pub fn executions(&self) -> u64 {
        self.paths.iter().map(|path| path.count).sum()
    }
}

/// Profiles a run in hardware (the model of the path stack, every path kept) and in software, and compares. The hardware
/// takes a step for each record; the software takes one for each block a record passes, and adds numbers as long as the
/// path counts of the functions. Comparing takes, for each different path, steps as many as it has blocks and as wide as
/// they branch, and such additions.
///
/// # Errors
///
/// At the first disagreement.
pub fn cross_check<P: Program>(
    program: &P,
    functions: &Functions,
    records: &[BranchRecord],
    geometry: &Geometry,
    backward_not_taken: BackwardNotTaken,
) -> Result<Agreement, Disagreement> {
    let (hardware, table) = hardware_profile(records, geometry, backward_not_taken);
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
    let software = software_profile(&graphs, &[&values], records)?;
    let paths = compare(&graphs, &numberings, &hardware, &software)?;
    for path in &paths {
        check_walk(program, &graphs, &numberings, path)?;
    }
    Ok(Agreement {
        program: graphs,
        numberings,
        paths,
        table,
    })
}

/// Every path the path stack completes, with Ball-Larus rows, and what the table keeps of them.
fn hardware_profile(
    records: &[BranchRecord],
    geometry: &Geometry,
    backward_not_taken: BackwardNotTaken,
) -> (ExactProfile, Vec<TableEntry>) {
    let ppcr = Ppcr {
        backward_not_taken,
        ..Ppcr::ball_larus()
    };
    let mut stack = PathStack::new(geometry, ppcr);
    let mut profile = ExactProfile::new();
    let mut table = HotPathTable::new(geometry);
    for path in records.iter().filter_map(|record| stack.step(record)) {
        profile.record(&path);
        table.record(&path);
    }
    let mut entries: Vec<TableEntry> = table.entries().map(|(_, entry)| entry).collect();
    entries.sort_unstable_by_key(|entry| (core::cmp::Reverse(entry.count), entry.descriptor));
    (profile, entries)
}

/// Every path the software profiler completes.
pub(super) fn software_profile(
    program: &ProfiledProgram,
    numberings: &[&Values],
    records: &[BranchRecord],
) -> Result<PathCounts, Disagreement> {
    let mut profiler = SoftwareProfiler::new(program, numberings);
    for (index, record) in records.iter().enumerate() {
        profiler
            .step(record)
            .map_err(|source| Disagreement::Lost { index, source })?;
    }
    Ok(profiler.into_counts())
}

fn compare(
    program: &ProfiledProgram,
    numberings: &[Option<BallLarus>],
    hardware: &ExactProfile,
    software: &PathCounts,
) -> Result<Vec<AgreedPath>, Disagreement> {
    let named = |function: usize, number: &Number| NumberedPath {
        function: program
            .function(function)
            .map_or_else(String::new, |f| f.name.clone()),
        number: number.clone(),
    };
    let mut paths = Vec::with_capacity(hardware.len());
    let mut seen = FxHashSet::default();
    for (descriptor, count) in hardware.hottest() {
        let (function, number) = number(program, numberings, &descriptor)?;
        let key = (function, vec![number.clone()]);
        let counted = software.get(&key).copied().unwrap_or(0);
        if counted != count {
            return Err(Disagreement::Count {
                path: named(function, &number),
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
        Some(((function, sums), &count)) => Err(Disagreement::Count {
            path: named(*function, &sums[0]),
            hardware: 0,
            software: count,
        }),
        None => Ok(paths),
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
        path: NumberedPath {
            function: function.name.clone(),
            number,
        },
        back,
    })
}

/// The walk of a descriptor goes through the same code as the path its number stands for.
fn check_walk<P: Program>(
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
            path: Box::new(NumberedPath {
                function: function.map_or_else(String::new, |f| f.name.clone()),
                number: path.number.clone(),
            }),
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
