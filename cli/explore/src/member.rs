//! A profiler of a sweep: its tables, of the run and of the window.

use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{
    ExactProfile, NumberedPath, NumberedTable, PlacedTable, Sets, TableEntry, TableTally,
};

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
    /// The numbers.
    pub numbers: &'a PathNumbers,
}

/// A profiler of a sweep.
#[derive(Debug)]
pub struct Member {
    configuration: Configuration,
    order: usize,
    tables: Tables,
    tally: TableTally,
    windows: Vec<Accuracy>,
}

/// The table of the run, and that of the window.
#[derive(Debug)]
enum Tables {
    /// Of the thesis's policy.
    Numbered(Sets, [NumberedTable; 2]),
    /// Of a skewed one.
    Placed(Box<[PlacedTable; 2]>),
}

impl Member {
    /// A profiler before the first path; `order` is its place in the sweep. The geometry must be valid.
    #[must_use]
    pub fn new(configuration: Configuration, order: usize) -> Self {
        let geometry = &configuration.geometry;
        let tables = match PlacedTable::new(geometry, configuration.reset.seed) {
            Some(table) => Tables::Placed(Box::new([table.clone(), table])),
            None => {
                let table = NumberedTable::new(geometry);
                Tables::Numbered(Sets::new(geometry), [table.clone(), table])
            }
        };
        Self {
            configuration,
            order,
            tables,
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
        let tally = match &mut self.tables {
            Tables::Numbered(sets, [complete, window]) => {
                sets.extend(segment.numbers.since(sets.len()));
                window.record_all(sets, segment.numbered);
                complete.record_all(sets, segment.numbered)
            }
            Tables::Placed(tables) => {
                let [complete, window] = &mut **tables;
                window.record_all(segment.paths, segment.numbered);
                complete.record_all(segment.paths, segment.numbered)
            }
        };
        self.tally.hits += tally.hits;
        self.tally.replacements += tally.replacements;
    }

    /// Ends the window, whose exact profile this is.
    pub fn end_window(&mut self, numbers: &PathNumbers, exact: &ExactProfile) {
        let accuracy = self.accuracy(1, numbers, exact);
        self.windows.push(accuracy);
        match &mut self.tables {
            Tables::Numbered(_, [_, window]) => window.clear(),
            Tables::Placed(tables) => tables[1].clear(),
        }
    }

    /// How well the table of the run holds it, whose exact profile this is.
    #[must_use]
    pub fn complete(&self, numbers: &PathNumbers, exact: &ExactProfile) -> Accuracy {
        self.accuracy(0, numbers, exact)
    }

    fn accuracy(&self, table: usize, numbers: &PathNumbers, exact: &ExactProfile) -> Accuracy {
        let room = self.configuration.geometry.entries() as usize;
        match &self.tables {
            Tables::Numbered(_, tables) => {
                let entry = |entry: NumberedPath| TableEntry {
                    descriptor: numbers.path(entry.number),
                    count: entry.count,
                };
                accuracy(tables[table].entries().map(entry), room, exact)
            }
            Tables::Placed(tables) => accuracy(tables[table].entries(), room, exact),
        }
    }
}
