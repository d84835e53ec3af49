//! Records of a stream, each at its time.

use super::{Bench, Disagreement};
use crate::pins::Device;
use crate::stream::{Stream, StreamRng};
use hpp_golden::branch::BranchRecord;
use rand::RngExt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Full,
    /// A record in each cycle with this probability of 256.
    Random(u8),
    Every(u64),
}

impl Pace {
    /// Cycles without a record before the next one.
    fn draw(self, rng: &mut StreamRng) -> u64 {
        match self {
            Self::Full => 0,
            Self::Random(chance) => {
                let mut cycles = 0;
                while rng.random_range(0..256) > i32::from(chance) {
                    cycles += 1;
                }
                cycles
            }
            Self::Every(cycles) => cycles.saturating_sub(1),
        }
    }
}

/// A record, and the idle cycles before it.
struct Offered {
    idle: u64,
    record: BranchRecord,
}

/// Number of records that are drawn at once, because the reference processes cycles in batches too.
const DRAWN: u64 = 32;

impl<D: Device> Bench<D> {
    /// Offers `count` records of a stream. Each is offered until it is accepted, unless the core ignores the stall.
    pub fn stream(
        &mut self,
        count: u64,
        stream: &mut dyn Stream,
        pace: Pace,
        rng: &mut StreamRng,
    ) -> Result<(), Disagreement> {
        let mut drawn = Vec::with_capacity(DRAWN.min(count) as usize);
        let mut left = count;
        while left > 0 {
            let some = left.min(DRAWN);
            left -= some;
            drawn.extend((0..some).map(|_| draw(stream, pace, rng)));
            drawn.iter().try_for_each(|offered| self.offer(offered))?;
            drawn.clear();
        }
        self.catch_up()
    }

    /// Offers records of a stream until the bus is idle: no access may wait for the end of the stream.
    pub fn stream_until_idle(
        &mut self,
        stream: &mut dyn Stream,
        pace: Pace,
        rng: &mut StreamRng,
    ) -> Result<(), Disagreement> {
        while !self.bus().is_idle() {
            self.offer(&draw(stream, pace, rng))?;
        }
        self.catch_up()
    }

    fn offer(&mut self, offered: &Offered) -> Result<(), Disagreement> {
        for _ in 0..offered.idle {
            self.cycle_of_many(None)?;
        }
        while !self.cycle_of_many(Some(&offered.record))? && self.holds {}
        Ok(())
    }
}

fn draw(stream: &mut dyn Stream, pace: Pace, rng: &mut StreamRng) -> Offered {
    Offered {
        idle: pace.draw(rng),
        record: stream.record(rng),
    }
}
