//! Many profilers over one run, at once.
//!
//! Profilers whose detectors agree share one, and one exact profile. Each table is there twice: for the whole run, and for the window of
//! instructions that is under way, emptied at its end.

use hpp_golden::branch::BranchRecord;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{AnyTable, ExactProfile, PathStack, TableTally};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::accuracy::{Accuracy, accuracy};
use crate::configuration::Configuration;
use crate::counts::Counts;
use crate::run::in_pieces;

/// Instructions of a window, as the thesis has it.
pub const WINDOW: u64 = 100_000_000;

/// Records that the detectors go through before the tables do.
const SEGMENT: usize = 1 << 16;

/// The seed of policies that draw.
const SEED: u32 = 1;

/// What became of a profiler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The profiler.
    pub configuration: Configuration,
    /// Records.
    pub records: u64,
    /// Instructions.
    pub instructions: u64,
    /// Paths that completed.
    pub paths: u64,
    /// Different ones.
    pub different: u64,
    /// Paths that were in the table.
    pub hits: u64,
    /// Paths that took the place of another.
    pub replacements: u64,
    /// The table of the whole run, which the thesis calls complete.
    pub complete: Accuracy,
    /// The mean over windows, each with a table of its own, which the thesis calls dynamic. `None` without a window.
    pub dynamic: Option<Accuracy>,
    /// How many windows there were; the last one may be shorter, and counts if it is at least half as long.
    pub windows: u64,
}

/// A profiler's table, and that of the window.
#[derive(Debug)]
struct Member {
    configuration: Configuration,
    /// Its place in the order of the sweep.
    order: usize,
    complete: AnyTable,
    tally: TableTally,
    window: AnyTable,
    windows: Vec<Accuracy>,
}

impl Member {
    fn room(&self) -> usize {
        self.configuration.geometry.entries() as usize
    }

    fn record_all(&mut self, paths: &[CompletedPath]) {
        let tally = self.complete.record_all(paths);
        self.tally.hits += tally.hits;
        self.tally.replacements += tally.replacements;
        self.window.record_all(paths);
    }

    fn end_window(&mut self, exact: &ExactProfile) {
        let entries = self.window.entries().into_iter().map(|(_, entry)| entry);
        self.windows.push(accuracy(entries, self.room(), exact));
        self.window.clear();
    }
}

/// Profilers whose detectors agree.
#[derive(Debug)]
struct Group {
    detector: Configuration,
    stack: PathStack,
    segment: Vec<CompletedPath>,
    paths: u64,
    window: Counts,
    complete: ExactProfile,
    members: Vec<Member>,
}

impl Group {
    fn new(detector: Configuration) -> Self {
        Self {
            detector,
            stack: PathStack::new(&detector.geometry, detector.reset.ppcr()),
            segment: Vec::new(),
            paths: 0,
            window: Counts::new(),
            complete: ExactProfile::new(),
            members: Vec::new(),
        }
    }

    fn profile(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        for numbers in numbers.chunks(SEGMENT) {
            self.segment.clear();
            let (stack, segment) = (&mut self.stack, &mut self.segment);
            in_pieces(records, numbers, |records| {
                stack.run(records, |paths| segment.extend_from_slice(paths));
            });
            self.paths += self.segment.len() as u64;
            let (window, members) = (&mut self.window, &mut self.members);
            let paths = &self.segment;
            rayon::join(
                || window.record_all(paths),
                || {
                    members
                        .par_iter_mut()
                        .for_each(|member| member.record_all(paths))
                },
            );
        }
    }

    /// Ends the window; `counts` says whether it was long enough.
    fn end_window(&mut self, counts: bool) -> ExactProfile {
        let exact = self.window.take();
        if counts {
            let members = self.members.par_iter_mut();
            members.for_each(|member| member.end_window(&exact));
        }
        for (path, count) in exact.iter() {
            self.complete.add(*path, count);
        }
        exact
    }
}

/// A sweep over one run.
#[derive(Debug)]
pub struct Sweep {
    groups: Vec<Group>,
    window: u64,
    records: u64,
    instructions: u64,
    /// Instructions of the window under way.
    under_way: u64,
    profiles: Vec<ExactProfile>,
}

impl Sweep {
    /// Before the first record. The geometries must be valid; a window is so many instructions.
    #[must_use]
    pub fn new(configurations: &[Configuration], window: u64) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (order, configuration) in configurations.iter().enumerate() {
            let detector = configuration.detector();
            let known = groups.iter().position(|group| group.detector == detector);
            let place = known.unwrap_or_else(|| {
                groups.push(Group::new(detector));
                groups.len() - 1
            });
            let table = || AnyTable::new(&configuration.geometry, configuration.replacement, SEED);
            groups[place].members.push(Member {
                configuration: *configuration,
                order,
                complete: table(),
                tally: TableTally::default(),
                window: table(),
                windows: Vec::new(),
            });
        }
        Self {
            groups,
            window: window.max(1),
            records: 0,
            instructions: 0,
            under_way: 0,
            profiles: Vec::new(),
        }
    }

    /// Shows every profiler records by their numbers, on all cores.
    ///
    /// # Panics
    ///
    /// If there is no record with one of the numbers.
    pub fn profile(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        let mut rest = numbers;
        while !rest.is_empty() {
            let (length, instructions) = self.fits(records, rest);
            let (now, later) = rest.split_at(length);
            let groups = self.groups.par_iter_mut();
            groups.for_each(|group| group.profile(records, now));
            self.records += length as u64;
            self.instructions += instructions;
            self.under_way += instructions;
            if self.under_way >= self.window {
                self.end_window(true);
            }
            rest = later;
        }
    }

    /// How many of the records end the window, or all if they do not, and their instructions.
    fn fits(&self, records: &[BranchRecord], numbers: &[u32]) -> (usize, u64) {
        let (room, mut instructions) = (self.window - self.under_way, 0);
        for (length, &number) in (1..).zip(numbers) {
            instructions += u64::from(records[number as usize].events);
            if instructions >= room {
                return (length, instructions);
            }
        }
        (numbers.len(), instructions)
    }

    fn end_window(&mut self, counts: bool) {
        let ended: Vec<ExactProfile> = self
            .groups
            .par_iter_mut()
            .map(|group| group.end_window(counts))
            .collect();
        if counts {
            self.profiles.extend(ended.into_iter().next());
        }
        self.under_way = 0;
    }

    /// The exact profiles of the windows that ended, as the first profiler's detector sees them.
    #[must_use]
    pub fn profiles(&self) -> &[ExactProfile] {
        &self.profiles
    }

    /// Ends the run: what became of the profilers, in their order. A last window counts if it is at least half as long as the others.
    pub fn finish(&mut self) -> Vec<Measured> {
        if self.under_way > 0 {
            self.end_window(2 * self.under_way >= self.window);
        }
        let (records, instructions) = (self.records, self.instructions);
        let mut measured: Vec<(usize, Measured)> = Vec::new();
        for group in &self.groups {
            let found = group.members.par_iter().map(|member| {
                let entries = member.complete.entries().into_iter().map(|(_, e)| e);
                let complete = accuracy(entries, member.room(), &group.complete);
                let measured = Measured {
                    configuration: member.configuration,
                    records,
                    instructions,
                    paths: group.paths,
                    different: group.complete.len() as u64,
                    hits: member.tally.hits,
                    replacements: member.tally.replacements,
                    complete,
                    dynamic: Accuracy::mean(&member.windows),
                    windows: member.windows.len() as u64,
                };
                (member.order, measured)
            });
            measured.par_extend(found);
        }
        measured.sort_by_key(|(order, _)| *order);
        measured.into_iter().map(|(_, measured)| measured).collect()
    }
}
