//! The recorder's results for a batch of blocks: records and paths.

use hpp_explore::Times;
use hpp_golden::profiler::StackTally;

/// Records in order, the paths they completed, and what else happened on the path stack.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many records.
    pub records: u64,
    /// The records, by number, if they are kept.
    pub numbers: Vec<u32>,
    /// The paths they completed.
    pub paths: Vec<Times>,
    /// What happened on the path stack.
    pub tally: StackTally,
    /// Handlers of signals that were left and not seen to begin.
    pub unseen_signals: u64,
}

impl Batch {
    /// Without a record again.
    pub fn clear(&mut self) {
        self.records = 0;
        self.numbers.clear();
        self.paths.clear();
        self.tally = StackTally::default();
        self.unseen_signals = 0;
    }
}
