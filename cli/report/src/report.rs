//! The report: hot paths with shares, function, line and blocks, and totals of functions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::Metric;
use hpp_golden::registers::{Counter, REGISTERS};
use hpp_riscv::{AddressRange, Walk};
use serde::Serialize;

use crate::by::{By, ranking};
use crate::counted::Counted;
use crate::error::ReportError;
use crate::health::{Health, Outside, Unwalked, Walked};
use crate::numbers::{grow, share, sum};
pub use crate::path::{PathBlock, PathReport};
use crate::profile::Profile;
use crate::program::{Place, Program};
use crate::totals::{FunctionTotal, totals};

/// Checks that the profiler holds the addresses of the program's instructions.
fn aligned(profile: &Profile, program: Option<&Program<'_>>) -> Result<(), ReportError> {
    let left_out = program.filter(|_| profile.geometry.align > 1);
    match left_out.and_then(|program| program.image().half_aligned()) {
        Some(at) => Err(ReportError::Align { at }),
        None => Ok(()),
    }
}

/// What a profile says of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How many dumps it was made of.
    pub runs: usize,
    /// What is counted.
    pub counted: Counted,
    /// What paths are ranked by, and shares are shares of.
    pub by: By,
    /// SHA-256 of the profiler's configuration, if it is known.
    pub configuration: Option<String>,
    /// Build ID of the program that ran, if it is known.
    pub program: Option<String>,
    /// Entries of the table.
    pub entries: u32,
    /// Whether the paths are those of the table and of what left it.
    pub drained: bool,
    /// Paths of the profile.
    pub held: usize,
    /// The sum of all weights: what shares are shares of.
    pub total: u64,
    /// The sum of all counts.
    pub counts: u64,
    /// How many paths completed, if counts are executions.
    pub completed: Option<u64>,
    /// Every statistics counter, by name.
    pub counters: BTreeMap<String, u64>,
    /// Whether it can be trusted.
    pub health: Health,
    /// How many paths walk, if there is a program.
    pub walked: Option<Walked>,
    /// The paths that begin outside of the program's code, if there is a program.
    pub outside: Outside,
    /// The paths, hottest first, equals by descriptor.
    pub paths: Vec<PathReport>,
    /// The functions that paths run through, hottest first.
    pub functions: Vec<FunctionTotal>,
}

impl Report {
    /// What a profile says; with a program, its paths are walked and named. Without `by`, ranked by what is counted.
    ///
    /// # Errors
    ///
    /// If the profile cannot be ranked so, or the profiler leaves a bit out of addresses in which instructions of the program differ.
    pub fn new(
        profile: &Profile,
        program: Option<&Program<'_>>,
        by: Option<By>,
    ) -> Result<Self, ReportError> {
        let decoded = program.filter(|program| program.image().is_riscv());
        aligned(profile, decoded)?;
        let by = ranking(profile, program, by)?;
        let mut paths: Vec<PathReport> = profile
            .counts
            .iter()
            .map(|(path, count)| path_report(profile, program, by, path, *count))
            .collect();
        let total = rank(&mut paths);
        let walked = decoded.map(|_| walked(&paths, profile.total()));
        let outside = program.map(|program| Outside::of(profile, program));
        let counters = Counter::ALL.iter().map(|&counter| {
            let low = REGISTERS.iter().find(|low| low.offset == counter.offset());
            let name = low.expect("a register").name.trim_end_matches("_LO");
            (name.to_lowercase(), profile.counter(counter))
        });
        Ok(Self {
            runs: profile.runs,
            counted: Counted::of(&profile.ppcr, &profile.event_names),
            by,
            configuration: profile.configuration.clone(),
            program: profile.program.clone(),
            entries: profile.geometry.entries(),
            drained: profile.missing.is_some(),
            held: paths.len(),
            total,
            counts: profile.total(),
            completed: profile.completed(),
            counters: counters.collect(),
            health: Health::of(profile, program, walked.as_ref()),
            walked,
            outside: outside.unwrap_or_default(),
            functions: program.map_or(Vec::new(), |program| {
                totals(program, profile, by, &paths, total)
            }),
            paths,
        })
    }

    /// Keeps the paths that begin at chosen addresses, and the chosen functions; shares stay shares of all, and paths that do not walk stay.
    pub fn retain(
        &mut self,
        begins: impl Fn(u64) -> bool,
        is_chosen: impl Fn(&FunctionTotal) -> bool,
    ) {
        self.paths
            .retain(|path| path.problem.is_some() || begins(path.descriptor.start));
        self.functions.retain(is_chosen);
    }

    /// Keeps the paths that run through functions, and these; shares stay shares of all.
    pub fn only(&mut self, is_chosen: impl Fn(&FunctionTotal) -> bool) {
        self.functions.retain(is_chosen);
        let through: BTreeSet<usize> = self
            .functions
            .iter()
            .flat_map(|total| &total.through)
            .copied()
            .collect();
        self.paths.retain(|path| through.contains(&path.rank));
    }
}

/// `total` is the sum of all counts: instructions of a path that does not walk are not known.
fn walked(paths: &[PathReport], total: u64) -> Walked {
    let inside = || paths.iter().filter(|path| !path.outside);
    let others: Vec<&PathReport> = inside().filter(|path| path.problem.is_some()).collect();
    let count = sum(others.iter().map(|path| path.count));
    let name = |path: &&PathReport| Unwalked {
        rank: path.rank,
        function: path.place.function.clone(),
    };
    Walked {
        walk: inside().count() - others.len(),
        of: inside().count(),
        lost: share(count, total),
        others: others.iter().map(name).collect(),
    }
}

fn path_report(
    profile: &Profile,
    program: Option<&Program<'_>>,
    by: By,
    path: &PathDescriptor,
    count: u64,
) -> PathReport {
    let decoded = program.filter(|program| program.image().is_riscv());
    let walked = decoded.map(|program| profile.walk(program.image(), path));
    let blocks = walked.as_ref().and_then(|walked| walked.as_ref().ok());
    let walk = program.zip(blocks);
    let instructions = walk.map(|(program, walk)| instructions(program, walk));
    let counts_events = profile.ppcr.metric == Metric::Events;
    PathReport {
        rank: 0,
        weight: match by {
            By::Instructions if !counts_events => count.saturating_mul(instructions.unwrap_or(0)),
            _ => count,
        },
        share: 0.0,
        cumulative: 0.0,
        count,
        share_of_completed: profile.completed().map(|completed| share(count, completed)),
        descriptor: *path,
        outcomes: outcomes(path),
        place: match program {
            Some(program) => program.place(path.start),
            None => Place::bare(path.start),
        },
        outside: program.is_some_and(|program| program.image().section(path.start).is_none()),
        instructions,
        blocks: walk.map_or(Vec::new(), |(program, walk)| path_blocks(program, walk)),
        problem: walked.and_then(Result::err).map(|error| error.to_string()),
    }
}

/// The outcomes of a path in order, `T` taken, `N` not.
pub fn outcomes(path: &PathDescriptor) -> String {
    let letter = |i| match path.outcome(i) {
        Some(true) => 'T',
        _ => 'N',
    };
    (0..path.length).map(letter).collect()
}

fn instructions(program: &Program<'_>, walk: &Walk) -> u64 {
    walk.blocks
        .iter()
        .map(|block| program.addresses(*block).count() as u64)
        .sum()
}

fn path_blocks(program: &Program<'_>, walk: &Walk) -> Vec<PathBlock> {
    let block = |block: &AddressRange| {
        let place = program.place(block.start);
        PathBlock {
            start: block.start,
            end: block.end,
            function: place.function,
            source: place.source,
        }
    };
    walk.blocks.iter().map(block).collect()
}

/// Sorts paths by weight and fills in ranks and shares; the sum of the weights.
fn rank(paths: &mut [PathReport]) -> u64 {
    paths.sort_by_key(|path| {
        (
            Reverse(path.weight),
            path.problem.is_some(),
            path.descriptor,
        )
    });
    let total = sum(paths.iter().map(|path| path.weight));
    let mut so_far = 0;
    for (rank, path) in (1..).zip(paths) {
        grow(&mut so_far, path.weight);
        path.rank = rank;
        path.share = share(path.weight, total);
        path.cumulative = share(so_far, total);
    }
    total
}
