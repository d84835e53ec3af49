//! What software does with a tiny profiler, one access after another.

use super::access::Access;
use super::bench::{Bench, Pins};
use hpp_golden::registers::{at, control, status};
use rand::RngExt;

impl<P: Pins> Bench<P> {
    /// An access by itself.
    pub fn now(&mut self, access: Access) -> u32 {
        while !self.is_free() {
            self.cycle(None);
        }
        self.begin(access);
        while !self.is_free() {
            self.cycle(None);
        }
        self.data
    }

    /// So many cycles in which nothing happens.
    pub fn rest(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.cycle(None));
    }

    pub fn enable(&mut self) {
        self.now(Access::write(at::CONTROL, control::ENABLE.mask()));
    }

    /// Holds the reset for so many cycles, reads any register, then waits until the table is empty.
    pub fn reset(&mut self, cycles: u32) {
        self.restart(cycles);
        let first = 4 * self.noise.random_range(0..32);
        self.now(Access::read(first));
        self.settle();
    }

    /// Until nothing waits, and the table is not being emptied.
    pub fn settle(&mut self) {
        for _ in 0..=8 * self.geometry().entries() {
            if self.now(Access::read(at::STATUS)) & status::CLEARING.mask() == 0 {
                self.ends_clearing();
                return;
            }
            let gap = self.noise.random_range(0..4);
            self.rest(gap);
        }
        panic!("the table is still being emptied");
    }

    /// Nothing is done until the table must be empty.
    pub fn waits_until_empty(&mut self) {
        self.rest(self.geometry().clear_cycles());
        let status = self.now(Access::read(at::STATUS));
        assert_eq!(status & status::CLEARING.mask(), 0, "it takes too long");
        self.ends_clearing();
    }

    /// Reads every register, and every entry from any one on.
    pub fn compare(&mut self) {
        self.settle();
        for offset in (0..128).step_by(4) {
            if offset != at::TABLE_DATA {
                self.now(Access::read(offset));
            }
        }
        if self.noise.random() {
            let index = self.noise.random();
            self.now(Access::write(at::TABLE_INDEX, index));
        }
        for _ in 0..self.geometry().entries() * self.geometry().entry_words() {
            self.now(Access::read(at::TABLE_DATA));
        }
    }
}
