//! Records and their numbers.

use hpp_golden::branch::BranchRecord;
use rustc_hash::FxHashMap;

/// Different records, numbered from 0 in the order in which they first happened.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<BranchRecord, u32>,
    records: Vec<BranchRecord>,
}

impl Numbering {
    /// Nothing is numbered yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a record, a new one if it never happened before. Constant time on average.
    ///
    /// # Panics
    ///
    /// At the record that would be number 2^32, after 128 GiB.
    #[inline]
    pub fn number(&mut self, record: &BranchRecord) -> u32 {
        let next = self.records.len();
        *self.numbers.entry(*record).or_insert_with(|| {
            self.records.push(*record);
            u32::try_from(next).expect("memory ends before the numbers do")
        })
    }

    /// The records, by number.
    pub fn records(&self) -> &[BranchRecord] {
        &self.records
    }
}
