//! One profiler over a run, beside the exact profile.

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::{CompletedPath, Repeated};
use hpp_golden::profiler::{
    ContextFilter, ExactProfile, PathStack, Profiler, ProfilerError, ResetValues, StackTally,
};
use hpp_golden::registers::CONTEXT;
use serde::{Deserialize, Serialize};

use crate::accuracy::{Accuracy, accuracy};
use crate::counts::Counts;

/// A path, by number, that completed several times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Which path.
    pub path: u32,
    /// How often, at least once.
    pub times: u32,
}

/// A profiler and the exact profile of the same records.
#[derive(Clone, Debug)]
pub struct Run {
    profiler: Profiler,
    exact: Counts,
    /// The paths that come by number, and how often each did since the exact profile was last asked for.
    numbered: Vec<(CompletedPath, u64)>,
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

impl Run {
    /// Before the first record.
    ///
    /// # Errors
    ///
    /// If there is no such profiler.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        Ok(Self {
            profiler: Profiler::new(geometry, reset)?,
            exact: Counts::new(),
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

    /// A path stack to find the paths with elsewhere, for [`complete`](Self::complete); none if paths dropped from the stack are not reported
    /// by [its entry on top](PathStack::effect), or the profiler takes no records.
    #[must_use]
    pub fn detector(&self) -> Option<PathStack> {
        let reports = !self.profiler.geometry().stack_check && self.profiler.registers().enabled();
        reports.then(|| self.profiler.stack().clone())
    }

    /// Numbers paths after those that have numbers, for [`complete`](Self::complete).
    pub fn define<'a>(&mut self, paths: impl IntoIterator<Item = &'a CompletedPath>) {
        self.numbered
            .extend(paths.into_iter().map(|&path| (path, 0)));
    }

    /// Takes what a [detector](Self::detector) made of so many records: its tally, and the paths they completed, in order.
    /// For a path as many steps as the table has ways, however often it completed in a row; with shadows, for each time.
    ///
    /// # Panics
    ///
    /// If no path has one of the numbers.
    pub fn complete(&mut self, records: u64, tally: StackTally, paths: &[Times]) {
        self.records += records;
        let numbered = &mut self.numbered;
        let repeated = paths.iter().map(|&Times { path, times }| {
            let (path, all) = &mut numbered[path as usize];
            *all += u64::from(times);
            Repeated { path: *path, times }
        });
        self.profiler.complete(records, tally, repeated);
    }

    /// Profiles records by their numbers. Constant time a record on average, and for a path as many steps as the table has ways.
    ///
    /// # Panics
    ///
    /// If there is no record with one of the numbers.
    pub fn profile(&mut self, records: &[BranchRecord], numbers: &[u32]) {
        self.records += numbers.len() as u64;
        for &number in numbers {
            if let Some(path) = self.profiler.profile(&records[number as usize]) {
                self.exact.record(&path);
            }
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
        for (path, times) in &mut self.numbered {
            self.exact.add(path, core::mem::take(times));
        }
        self.exact.profile()
    }

    /// How the table of another run holds what this one counted. `O(n)` for *n* different paths.
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
            accuracy: accuracy(entries, room, self.exact.profile()),
            dump: Dump::of(&self.profiler).to_string(),
        }
    }
}
