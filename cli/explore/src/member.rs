//! A profiler of a sweep: its tables, of the run and of the window.

use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{ExactProfile, NumberedPath, NumberedTable, TableEntry, TableTally};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::accuracy::{Accuracy, accuracy};
use crate::configuration::Configuration;

/// Different paths, by number.
pub(crate) type Paths = IndexSet<PathDescriptor, FxBuildHasher>;

/// A profiler of a sweep.
#[derive(Debug)]
pub struct Member {
    configuration: Configuration,
    order: usize,
    /// The table of the run.
    complete: NumberedTable,
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

    /// Counts paths, in their order.
    pub fn record_all(&mut self, paths: &Paths, numbered: &[NumberedPath]) {
        let path = |number| paths[number as usize];
        self.window.record_all(numbered, path);
        let tally = self.complete.record_all(numbered, path);
        self.tally.hits += tally.hits;
        self.tally.replacements += tally.replacements;
    }

    /// Ends the window, whose exact profile this is.
    pub fn end_window(&mut self, paths: &Paths, exact: &ExactProfile) {
        let accuracy = self.accuracy(&self.window, paths, exact);
        self.windows.push(accuracy);
        self.window.clear();
    }

    /// How well the table of the run holds it, whose exact profile this is.
    #[must_use]
    pub fn complete(&self, paths: &Paths, exact: &ExactProfile) -> Accuracy {
        self.accuracy(&self.complete, paths, exact)
    }

    fn accuracy(&self, table: &NumberedTable, paths: &Paths, exact: &ExactProfile) -> Accuracy {
        let entries = table.entries().map(|entry| TableEntry {
            descriptor: paths[entry.number as usize],
            count: entry.count,
        });
        accuracy(
            entries,
            self.configuration.geometry.entries() as usize,
            exact,
        )
    }
}
