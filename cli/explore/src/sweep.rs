//! Many profilers over one run, at once.
//!
//! Profilers whose detectors agree share one, and one exact profile. Their paths are numbered once, so that a table of theirs
//! compares numbers. Each table is there twice: for the whole run, and for the window of instructions that is under way,
//! emptied at its end.

use hpp_golden::branch::BranchRecord;
use hpp_golden::profiler::{ExactProfile, NumberedPath, PathStack};
use rayon::prelude::*;
use serde::Serialize;

use crate::accuracy::Accuracy;
use crate::configuration::Configuration;
use crate::distribution::Distribution;
use crate::member::{Member, Paths};
use crate::stack::{Completed, NumberedStack};

/// How many different paths there may be; more would not fit in memory.
const MOST_DIFFERENT: usize = u32::MAX as usize - 1;

/// How many records the detectors process before the tables do.
const SEGMENT: usize = 1 << 16;

/// What became of a profiler.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// Profilers whose detectors agree.
#[derive(Debug)]
struct Group {
    detector: Configuration,
    stack: NumberedStack,
    /// The paths that the last records completed.
    numbered: Vec<NumberedPath>,
    completed: u64,
    paths: Paths,
    /// Their numbers, and what each counts, by those of the stack. Paths of one descriptor may count different numbers of events.
    of_stack: Vec<NumberedPath>,
    /// What each path counted in the window under way, by its number.
    window: Vec<u64>,
    /// What it counted in those before.
    complete: Vec<u64>,
    members: Vec<Member>,
}

impl Group {
    fn new(detector: Configuration) -> Self {
        Self {
            detector,
            stack: NumberedStack::new(PathStack::new(&detector.geometry, detector.reset.ppcr())),
            numbered: Vec::new(),
            completed: 0,
            paths: Paths::default(),
            of_stack: Vec::new(),
            window: Vec::new(),
            complete: Vec::new(),
            members: Vec::new(),
        }
    }

    fn profile(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        for numbers in numbers.chunks(SEGMENT) {
            self.follow(records, numbers);
            let (paths, numbered) = (&self.paths, &self.numbered);
            let members = self.members.par_iter_mut();
            members.for_each(|member| member.record_all(paths, numbered));
        }
    }

    /// Numbers and counts the paths that the records complete.
    fn follow(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        let mut completed = Completed::default();
        self.stack.run(records, numbers, &mut completed);
        for path in self.stack.paths().iter().skip(self.of_stack.len()) {
            let (number, _) = self.paths.insert_full(path.descriptor);
            assert!(number < MOST_DIFFERENT, "too many different paths");
            let (number, count) = (number as u32, path.count);
            self.of_stack.push(NumberedPath { number, count });
        }
        self.window.resize(self.paths.len(), 0);
        self.numbered.clear();
        for times in completed.paths {
            let path = self.of_stack[times.path as usize];
            self.window[path.number as usize] += u64::from(path.count) * u64::from(times.times);
            self.numbered.extend((0..times.times).map(|_| path));
        }
        self.completed += self.numbered.len() as u64;
    }

    /// Ends the window; `counts` says whether it was long enough.
    fn end_window(&mut self, counts: bool) -> ExactProfile {
        self.complete.resize(self.window.len(), 0);
        for (all, window) in self.complete.iter_mut().zip(&self.window) {
            *all += window;
        }
        let exact = self.exact(&self.window);
        self.window.fill(0);
        if counts {
            let (members, paths) = (&mut self.members, &self.paths);
            let members = members.par_iter_mut();
            members.for_each(|member| member.end_window(paths, &exact));
        }
        exact
    }

    /// The profile of these counts, by number.
    fn exact(&self, counts: &[u64]) -> ExactProfile {
        let mut exact = ExactProfile::new();
        for (path, &count) in self.paths.iter().zip(counts) {
            exact.add(*path, count);
        }
        exact
    }

    /// What became of the members, with their places in the order of the sweep.
    fn measured(&self, records: u64, instructions: u64) -> Vec<(usize, Measured)> {
        let exact = self.exact(&self.complete);
        let measured = |member: &Member| {
            let tally = member.tally();
            let measured = Measured {
                configuration: *member.configuration(),
                records,
                instructions,
                paths: self.completed,
                different: exact.len() as u64,
                hits: tally.hits,
                replacements: tally.replacements,
                complete: member.complete(&self.paths, &exact),
                dynamic: Accuracy::mean(member.windows()),
                windows: member.windows().len() as u64,
            };
            (member.order(), measured)
        };
        self.members.par_iter().map(measured).collect()
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
    pub fn new(configurations: &[Configuration], window: u64) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (order, configuration) in configurations.iter().enumerate() {
            let detector = configuration.detector();
            let known = groups.iter().position(|group| group.detector == detector);
            let place = known.unwrap_or_else(|| {
                groups.push(Group::new(detector));
                groups.len() - 1
            });
            groups[place]
                .members
                .push(Member::new(*configuration, order));
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

    /// Records are missing: paths that are under way are dropped.
    pub fn purge(&mut self) {
        self.groups.iter_mut().for_each(|group| group.stack.purge());
    }

    /// How many of the records belong to the window, and their instructions.
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
    pub fn profiles(&self) -> &[ExactProfile] {
        &self.profiles
    }

    /// How the run is spread over its paths, for each way in which they are given, once it is [finished](Self::finish).
    pub fn distributions(&self) -> Vec<(Configuration, Distribution)> {
        let groups = self.groups.par_iter();
        groups
            .map(|group| {
                let exact = group.exact(&group.complete);
                (group.detector, Distribution::of(&exact))
            })
            .collect()
    }

    /// Ends the run: what became of the profilers, in their order. A last window counts if it is at least half as long as the others.
    pub fn finish(&mut self) -> Vec<Measured> {
        // Records without instructions may have come since the last window ended.
        let counts = self.under_way > 0 && self.under_way >= self.window.div_ceil(2);
        self.end_window(counts);
        let (records, instructions) = (self.records, self.instructions);
        let groups = self.groups.iter();
        let mut measured: Vec<(usize, Measured)> = groups
            .flat_map(|group| group.measured(records, instructions))
            .collect();
        measured.sort_by_key(|(order, _)| *order);
        measured.into_iter().map(|(_, measured)| measured).collect()
    }
}
