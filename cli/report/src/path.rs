//! A path in a report.

use hpp_golden::path::PathDescriptor;
use serde::Serialize;

use crate::program::{Place, SourceLine};

/// One path.
#[derive(Clone, Debug, Serialize)]
pub struct PathReport {
    /// Its place in the order, from 1.
    pub rank: usize,
    /// What it is ranked by.
    pub weight: u64,
    /// Its share of the total, from 0 to 1.
    pub share: f64,
    /// The share of this path and all hotter ones.
    pub cumulative: f64,
    /// What the table counts.
    pub count: u64,
    /// Its share of all completed paths, if counts are executions.
    pub share_of_completed: Option<f64>,
    /// The path.
    pub descriptor: PathDescriptor,
    /// Its outcomes in order, `T` taken, `N` not.
    pub outcomes: String,
    /// Where it begins.
    pub place: Place,
    /// Whether that is outside of the program's code.
    pub outside: bool,
    /// Instructions of its blocks, if it walks.
    pub instructions: Option<u64>,
    /// Its blocks, if it walks.
    pub blocks: Vec<PathBlock>,
    /// Why it does not walk.
    pub problem: Option<String>,
}

/// A block of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathBlock {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
    /// The function it is in.
    pub function: Option<String>,
    /// The source line of its first instruction.
    pub source: Option<SourceLine>,
}

impl PathReport {
    /// Instructions that all its executions ran, if it walks and counts are executions.
    pub fn ran(&self) -> Option<u64> {
        Some(self.count.saturating_mul(self.instructions?))
    }

    /// Its outcomes as a column has them; `-` for a path without a recorded branch.
    pub fn letters(&self) -> &str {
        letters(&self.outcomes)
    }
}

/// Outcomes in order, `T` taken, `N` not; `-` for a path without a recorded branch.
pub(crate) fn letters(outcomes: &str) -> &str {
    match outcomes {
        "" => "-",
        outcomes => outcomes,
    }
}
