//! Paths that a program takes again and again, without going from state to state each time.
//!
//! The state that a block meets decides what it does. If a path ends in the state in which the previous one ended, the blocks in between are a *round*.
//! When the same blocks run again, they do the same again. Most loops have many rounds: their blocks are compared, eight at once.

use super::Batch;
use super::segments::agreeing;
use hpp_explore::states::NONE;

/// Where the last path ended, if what happened since touched nothing but the state and was [kept](hpp_explore::states::States::taken_last).
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// The state; none of them if there was no such path.
    state: u32,
    /// How many blocks there were until then.
    blocks: usize,
    /// How many records of the batch there were until then.
    records: u64,
    numbers: usize,
}

impl Round {
    pub const NONE: Self = Self {
        state: NONE,
        blocks: 0,
        records: 0,
        numbers: 0,
    };

    /// A path, the last of the batch, ended in this state with the block before `at`. If it ended a round that the next blocks repeat, the round is added to
    /// the batch as many times. Returns the position after the repetitions.
    #[inline(always)]
    pub fn ends(&mut self, state: u32, blocks: &[u32], at: usize, batch: &mut Batch) -> usize {
        let mut at = at;
        if self.state == state {
            let length = at - self.blocks;
            let times = agreeing(&blocks[at..], &blocks[self.blocks..]) / length;
            if times > 0 {
                self.repeat(times, batch);
                at += times * length;
            }
        }
        *self = Self {
            state,
            blocks: at,
            records: batch.records,
            numbers: batch.numbers.len(),
        };
        at
    }

    /// Adds the last round to the batch so many times more.
    fn repeat(&self, times: usize, batch: &mut Batch) {
        batch.records += times as u64 * (batch.records - self.records);
        let numbered = self.numbers..batch.numbers.len();
        if !numbered.is_empty() {
            (0..times).for_each(|_| batch.numbers.extend_from_within(numbered.clone()));
        }
        if let Some(path) = batch.paths.last_mut() {
            path.times += u32::try_from(times).expect("no batch has as many blocks");
        }
    }
}
