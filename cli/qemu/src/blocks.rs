//! The blocks that were translated, by number.

use std::sync::{Arc, Mutex, PoisonError};

use crate::block::Block;

/// Blocks in the order in which they were translated, by any thread.
#[derive(Clone, Debug, Default)]
pub struct Translating(Arc<Mutex<Vec<Block>>>);

impl Translating {
    /// The number of a block that was translated.
    ///
    /// # Panics
    ///
    /// At block number 2^32 - 1, after 256 GiB.
    pub fn push(&self, block: Block) -> u32 {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = u32::try_from(blocks.len()).expect("memory ends before the numbers do");
        blocks.push(block);
        number
    }
}

/// The same blocks for one who asks often.
#[derive(Debug)]
pub struct Translated {
    all: Translating,
    known: Vec<Block>,
}

impl Translated {
    /// The blocks that there are, and those that come.
    #[must_use]
    pub const fn new(all: Translating) -> Self {
        Self {
            all,
            known: Vec::new(),
        }
    }

    /// The block with a number.
    ///
    /// # Panics
    ///
    /// If there is none yet.
    pub fn get(&mut self, number: u32) -> &Block {
        let number = number as usize;
        if number >= self.known.len() {
            let all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
            self.known.extend_from_slice(&all[self.known.len()..]);
        }
        &self.known[number]
    }
}
