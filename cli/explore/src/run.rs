//! One profiler over a run, beside the exact profile.

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::{CompletedPath, Numbered};
use hpp_golden::profiler::{
    ContextFilter, ExactProfile, PathStack, Profiler, ProfilerError, ResetValues, StackTally,
};
use hpp_golden::registers::{COMMAND, CONTEXT, command};
use indexmap::set::Slice;
use serde::{Deserialize, Serialize};

use crate::accuracy::{Accuracy, accuracy};
use crate::stack::{Completed, NumberedStack, Times};

/// Records whose paths are found before the table sees them.
const SEGMENT: usize = 1 << 16;

/// A profiler and the exact profile of the same records.
#[derive(Clone, Debug)]
pub struct Run {
    profiler: Profiler,
    exact: ExactProfile,
    /// Finds the paths of records that come by number, from the first one on.
    stack: Option<NumberedStack>,
    /// The numbered paths, and how often each completed since the exact profile was last read.
    numbered: Vec<Numbered>,
    records: u64,
}

/// What a profiler held, and how that compares with the exact profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Records.
    pub records: u64,
    /// Different paths.
    pub different: usize,
    /// The comparison.
    pub accuracy: Accuracy,
    /// The profile in the table, as firmware prints it.
    pub dump: String,
}

/// What takes paths that complete, by their numbers.
pub trait Table {
    /// Takes paths in any order, given all paths with numbers, and returns true; or takes none and returns false, because their order matters.
    fn take_all(&mut self, all: &Slice<CompletedPath>, paths: &[Times]) -> bool;

    /// Takes paths in the order in which they completed, given all paths with numbers.
    fn take_in_order(&mut self, all: &Slice<CompletedPath>, paths: &[Times]);
}

impl Table for Run {
    fn take_all(&mut self, all: &Slice<CompletedPath>, paths: &[Times]) -> bool {
        self.define(all);
        let paths = paths.iter().map(|&Times { path, times }| (path, times));
        self.profiler.complete_all(&mut self.numbered, paths)
    }

    fn take_in_order(&mut self, all: &Slice<CompletedPath>, paths: &[Times]) {
        self.define(all);
        self.complete(0, StackTally::default(), paths);
    }
}

impl Run {
    /// Before the first record.
    ///
    /// # Errors
    ///
    /// If there is no such profiler.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        Ok(Self {
            profiler: Profiler::new(geometry, reset)?,
            exact: ExactProfile::new(),
            stack: None,
            numbered: Vec::new(),
            records: 0,
        })
    }

    /// From now on only paths of this context are profiled.
    pub fn only(&mut self, context: u8) {
        let filter = ContextFilter {
            mask: u8::MAX,
            value: context,
        };
        self.profiler.write(CONTEXT.offset, filter.to_word());
    }

    /// A path stack with which a caller finds the paths itself, for [`complete`](Self::complete); `None` if the profiler does not take every record.
    #[must_use]
    pub fn detector(&self) -> Option<PathStack> {
        self.takes_all().then(|| self.profiler.stack().clone())
    }

    /// Whether every record comes to the path stack.
    fn takes_all(&self) -> bool {
        self.profiler.registers().enabled() && self.profiler.triggers().is_none()
    }

    /// Gives these paths their places as numbers, for [`complete`](Self::complete). Those before must have them already.
    pub fn define<'a>(&mut self, all: impl IntoIterator<Item = &'a CompletedPath>) {
        let new = all.into_iter().skip(self.numbered.len());
        self.numbered.extend(new.map(|&path| Numbered::new(path)));
    }

    /// Takes the result of a [detector](Self::detector) over so many records: its tally, and the completed paths in order.
    /// Constant time for a path that is found where it was last, else as many steps as the table has ways, however often it completed in a row; with
    /// shadows, for each time.
    ///
    /// # Panics
    ///
    /// If no path has one of the numbers.
    pub fn complete(&mut self, records: u64, tally: StackTally, paths: &[Times]) {
        self.records += records;
        let paths = paths.iter().map(|&Times { path, times }| (path, times));
        self.profiler
            .complete(records, tally, &mut self.numbered, paths);
    }

    /// Profiles records by their numbers. Constant time a record on average, and for a path as many steps as the table has ways.
    ///
    /// # Panics
    ///
    /// If there is no record with one of the numbers. A number must be that of the same record each time.
    pub fn profile(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        if !self.takes_all() {
            self.records += numbers.len() as u64;
            let records = numbers.iter().map(|&number| &records[number as usize]);
            let paths = records.filter_map(|record| self.profiler.profile(record));
            return paths.for_each(|path| self.exact.record(&path));
        }
        let stack = self.stack.take();
        let mut stack = stack.unwrap_or_else(|| NumberedStack::new(self.profiler.stack().clone()));
        for numbers in numbers.chunks(SEGMENT) {
            let mut completed = Completed::default();
            stack.run(records, numbers, &mut completed);
            self.define(stack.paths());
            self.complete(numbers.len() as u64, completed.tally, &completed.paths);
        }
        self.stack = Some(stack);
    }

    /// Records are missing: paths that are under way are dropped.
    pub fn purge(&mut self) {
        match &mut self.stack {
            Some(stack) => stack.purge(),
            None => self.profiler.write(COMMAND.offset, command::PURGE.mask()),
        }
    }

    /// How many records it saw.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// The exact profile.
    #[must_use]
    pub fn exact(&mut self) -> &ExactProfile {
        for Numbered { path, times, .. } in &mut self.numbered {
            let count = u64::from(path.count).saturating_mul(core::mem::take(times));
            self.exact.add(path.descriptor, count);
        }
        &self.exact
    }

    /// How well the table of another run holds this run's exact profile. `O(n)` for *n* different paths.
    #[must_use]
    pub fn held_by(&mut self, other: &Self) -> Accuracy {
        let entries = other.profiler.table().entries().map(|(_, entry)| entry);
        let room = other.profiler.geometry().entries() as usize;
        accuracy(entries, room, self.exact())
    }

    /// What the profiler holds. `O(n)` for *n* different paths.
    #[must_use]
    pub fn held(&mut self) -> Held {
        let different = self.exact().len();
        let entries = self.profiler.table().entries().map(|(_, entry)| entry);
        let room = self.profiler.geometry().entries() as usize;
        Held {
            records: self.records,
            different,
            accuracy: accuracy(entries, room, &self.exact),
            dump: Dump::of(&self.profiler).to_string(),
        }
    }
}
