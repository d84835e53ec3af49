use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::block::Block;

/// Blocks in the order in which they were first translated, by any thread. A block that is translated again, as QEMU does when its memory for
/// code is full, keeps its number.
#[derive(Clone, Debug, Default)]
pub struct Translating(Arc<Mutex<IndexSet<Block, FxBuildHasher>>>);

impl Translating {
    /// Locks the blocks as long as the guard lives.
    pub(crate) fn hold(&self) -> impl Sized {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a block that was translated.
    pub fn number(&self, block: Block) -> u32 {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, _) = blocks.insert_full(block);
        u32::try_from(number).expect("memory ends before the numbers do")
    }
}

/// A copy of the blocks for a reader that asks often.
#[derive(Debug)]
pub struct Translated {
    all: Translating,
    known: Vec<Block>,
}

impl Translated {
    /// A reader of these blocks and of later ones.
    pub const fn new(all: Translating) -> Self {
        Self {
            all,
            known: Vec::new(),
        }
    }

    pub fn get(&mut self, number: u32) -> &Block {
        let number = number as usize;
        if number >= self.known.len() {
            let all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
            let new = all.iter().skip(self.known.len()).cloned();
            self.known.extend(new);
        }
        &self.known[number]
    }
}
