//! Loops that a table must distinguish: hot ones and rare ones.

use super::{Stream, StreamRng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use rand::RngExt;

/// Loops of one block: this many hot, warm and rare ones.
#[derive(Debug)]
pub struct Loops {
    first: u64,
    hot: u64,
    warm: u64,
    cold: u64,
}

impl Loops {
    /// Together they take a table with shadows through every case of a miss.
    pub const ALL: [Self; 3] = [
        Self::new(20, 40, 5000),
        Self::new(8, 20, 40),
        Self::new(30, 2, 2),
    ];

    /// One that is hot, and comes late: where accumulators have saturated, it gets no row, and s grows.
    pub const LATE: Self = Self {
        first: 6000,
        ..Self::new(1, 1, 1)
    };

    const fn new(hot: u64, warm: u64, cold: u64) -> Self {
        Self {
            first: 0,
            hot,
            warm,
            cold,
        }
    }
}

impl Stream for Loops {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        let number = match rng.random_range(0..100) {
            0..60 => rng.random_range(0..self.hot),
            60..90 => self.hot + rng.random_range(0..self.warm),
            _ => self.hot + self.warm + rng.random_range(0..self.cold),
        };
        let target = 4 * (1000 + 7 * (self.first + number));
        BranchRecord::new(BranchKind::Backward, true, target, 0).with_events(1)
    }
}
