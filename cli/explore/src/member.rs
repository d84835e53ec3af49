//! A profiler of a sweep: its tables, of the run and of the window.

use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{ExactProfile, NumberedPath, NumberedTable, TableEntry, TableTally};

use crate::accuracy::{Accuracy, accuracy};
use crate::configuration::Configuration;
use crate::numbers::PathNumbers;

/// Paths that completed one after another.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The paths.
    pub paths: &'a [CompletedPath],
    /// The same, by number.
    pub numbered: &'a [NumberedPath],
}

/// A profiler of a sweep.
#[derive(Debug)]
pub struct Member {
    configuration: Configuration,
    order: usize,
    /// The table of the run.
    complete: NumberedTable,
    /// The table of the window.
    window: NumberedTable,
    tally: TableTally,
    windows: Vec<Accuracy>,
}

impl Member {
    /// A profiler before the first path; `order` is its place in the sweep. The geometry must be valid.
    #[must_use]
    pub fn new(configuration: Configuration, order: usize) -> Self {
        let table = NumberedTable::new(&configuration.geometry, configuration.reset.seed);
        Self {
            configuration,
            order,
            complete: table.clone(),
            window: table,
            tally: TableTally::default(),
            windows: Vec::new(),
        }
    }

    /// What it is.
    #[must_use]
    pub const fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Its place in the sweep.
    #[must_use]
    pub const fn order(&self) -> usize {
        self.order
    }

    /// What the table of the run did.
    #[must_use]
    pub const fn tally(&self) -> TableTally {
        self.tally
    }

    /// How well the table of each window held it.
    #[must_use]
    pub fn windows(&self) -> &[Accuracy] {
        &self.windows
    }

    /// Counts the paths of a segment.
    pub fn record_all(&mut self, segment: Segment<'_>) {
        self.window.record_all(segment.paths, segment.numbered);
        let tally = self.complete.record_all(segment.paths, segment.numbered);
        self.tally.hits += tally.hits;
        self.tally.replacements += tally.replacements;
    }

    /// Ends the window, whose exact profile this is.
    pub fn end_window(&mut self, numbers: &PathNumbers, exact: &ExactProfile) {
        let accuracy = self.accuracy(&self.window, numbers, exact);
        self.windows.push(accuracy);
        self.window.clear();
    }

    /// How well the table of the run holds it, whose exact profile this is.
    #[must_use]
    pub fn complete(&self, numbers: &PathNumbers, exact: &ExactProfile) -> Accuracy {
        self.accuracy(&self.complete, numbers, exact)
    }

    fn accuracy(
        &self,
        table: &NumberedTable,
        numbers: &PathNumbers,
        exact: &ExactProfile,
    ) -> Accuracy {
        let entries = table.entries().map(|entry| TableEntry {
            descriptor: numbers.path(entry.number),
            count: entry.count,
        });
        accuracy(
            entries,
            self.configuration.geometry.entries() as usize,
            exact,
        )
    }
}
