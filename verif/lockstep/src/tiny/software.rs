//! What software does with a tiny profiler, one access after another.

use super::bench::{Bench, Pins};
use super::program::Run;
use crate::pins::Request;
use hpp_golden::registers::{self, COUNTERS_OFFSET, at, command, control, status};
use rand::RngExt;
use rand::rngs::StdRng;

impl<P: Pins> Bench<P> {
    pub fn now(&mut self, access: Request) -> u32 {
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
        self.now(Request::write(at::CONTROL, control::ENABLE.mask()));
    }

    /// Holds the reset for so many cycles, reads any register, then waits until the table is empty.
    pub fn reset(&mut self, cycles: u32) {
        self.restart(cycles);
        let first = 4 * self.noise.random_range(0..32);
        self.now(Request::read(first));
        self.settle();
    }

    /// Until nothing waits, and the table is not being emptied.
    pub fn settle(&mut self) {
        for _ in 0..=8 * self.geometry().entries() {
            if self.now(Request::read(at::STATUS)) & status::CLEARING.mask() == 0 {
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
        let status = self.now(Request::read(at::STATUS));
        assert_eq!(status & status::CLEARING.mask(), 0, "it takes too long");
        self.ends_clearing();
    }

    /// Reads every register, and every entry from any one on.
    pub fn compare(&mut self) {
        self.settle();
        for offset in (0..128).step_by(4) {
            if offset != at::TABLE_DATA {
                self.now(Request::read(offset));
            }
        }
        if self.noise.random() {
            let index = self.noise.random();
            self.now(Request::write(at::TABLE_INDEX, index));
        }
        for _ in 0..self.geometry().entries() * self.geometry().entry_words() {
            self.now(Request::read(at::TABLE_DATA));
        }
    }
}

/// Any access, except commands that would clear the table most of the time.
pub(super) fn access(rng: &mut StdRng) -> Request {
    let lanes = match rng.random_range(0..4) {
        0 => rng.random_range(0..16),
        _ => 0xf,
    };
    let offset = match rng.random_range(0..4) {
        0 => at::TABLE_DATA,
        1 => 4 * rng.random_range(0..32),
        2 => COUNTERS_OFFSET + 8 * rng.random_range(0..8),
        _ => {
            [
                registers::CONTROL,
                registers::TABLE_INDEX,
                registers::ERRORS,
                registers::STATUS,
                registers::COMMAND,
            ][rng.random_range(0..5)]
            .offset
        }
    };
    if rng.random_range(0..3) > 0 {
        return Request {
            select: lanes,
            ..Request::read(offset)
        };
    }
    let value: u32 = rng.random();
    let value = match rng.random_range(0..40) {
        0 => value,
        1..8 if offset == at::COMMAND => command::CLEAR_COUNTERS.mask(),
        _ if offset == at::COMMAND => value & command::PURGE.mask(),
        _ if offset == at::CONTROL => value | control::ENABLE.mask(),
        _ => value,
    };
    Request {
        select: lanes,
        ..Request::write(offset, value)
    }
}

/// Enough records to fill everything, without an access between them.
pub fn fills<P: Pins>(bench: &mut Bench<P>, seed: u64, records: u32) {
    bench.enable();
    // Every second seed splits paths.
    let mut program = Run::new(seed).straight(seed.is_multiple_of(2));
    let longest = bench.geometry().longest_access();
    let last = bench.records + u64::from(records);
    // At least one instruction in a hundred is a transfer.
    for _ in 0..records * (longest + 100) {
        let held = bench.stalls();
        bench.cycle((!held).then(|| program.step()));
        if bench.records >= last {
            break;
        }
    }
    assert!(bench.records >= last, "the core is held for ever");
    bench.compare();
}
