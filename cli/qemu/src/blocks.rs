//! The blocks of a program, by number, and the words by which QEMU's thread notes them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hpp_golden::branch::BranchKind;
use rustc_hash::FxHashMap;

use crate::block::Block;
use crate::recorder::segments::{ENDS, NUMBER, RETURNS};

/// Blocks by number, which any thread translates. A block that is translated again, as QEMU does when its memory for code is full, keeps its number.
#[derive(Clone, Debug)]
pub struct Translating(Arc<Shared>);

/// Who reads takes no lock: a program may be killed, or replaced by another of its threads, while it holds one.
#[derive(Debug)]
struct Shared {
    numbers: Mutex<FxHashMap<Block, u32>>,
    /// The blocks by number, in parts, which stay where they are.
    parts: Box<[OnceLock<Part>]>,
}

type Part = Box<[OnceLock<Block>]>;

/// Blocks of a part.
const PART: usize = 1 << 12;

impl Default for Translating {
    fn default() -> Self {
        let parts = (0..=NUMBER as usize / PART).map(|_| OnceLock::new());
        Self(Arc::new(Shared {
            numbers: Mutex::default(),
            parts: parts.collect(),
        }))
    }
}

impl Translating {
    /// Locks the numbers as long as the guard lives.
    pub(crate) fn hold(&self) -> MutexGuard<'_, impl Sized> {
        self.0
            .numbers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The word of a block that was translated, which [counts](instructions) so many instructions; `None` if there are too many blocks.
    pub fn word(&self, block: Block, counted: u32) -> Option<u32> {
        let flags = ends(&block) | counted.min(MANY) << COUNTED_AT;
        let Shared { numbers, parts } = &*self.0;
        let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(&block) {
            return Some(number | flags);
        }
        let number = numbers.len();
        let part = parts.get(number / PART)?;
        let part = part.get_or_init(|| (0..PART).map(|_| OnceLock::new()).collect());
        part[number % PART].get_or_init(|| block.clone());
        numbers.insert(block, number as u32);
        Some(number as u32 | flags)
    }
}

/// Where in a word there is how many instructions count when the block begins, as far as there is room.
const COUNTED_AT: u32 = NUMBER.count_ones();
/// So many or more.
const MANY: u32 = (1 << (RETURNS.trailing_zeros() - COUNTED_AT)) - 1;

/// The flags of a block by which [segments](crate::recorder::segments) are cut: where a path may end.
fn ends(block: &Block) -> u32 {
    match block.transfer {
        Some(transfer) if transfer.kind == BranchKind::Return => RETURNS,
        Some(transfer) if transfer.target.is_none_or(|to| to <= block.last) => ENDS,
        _ => 0,
    }
}

/// A reader of blocks.
#[derive(Debug)]
pub struct Translated(Translating);

impl Translated {
    /// A reader of these blocks and of later ones.
    pub const fn new(all: Translating) -> Self {
        Self(all)
    }

    /// How many instructions count for these words. Constant time a word; most take part of a nanosecond.
    pub fn instructions(&self, words: &[u32]) -> u64 {
        let counted = |word: u32| word >> COUNTED_AT & MANY;
        let (mut sum, mut has_many) = (0, false);
        for words in words.chunks(1 << 10) {
            let (some, many) = words.iter().fold((0, 0), |(some, many), &word| {
                (some + counted(word), many | (counted(word) + 1))
            });
            sum += u64::from(some);
            has_many |= many > MANY;
        }
        if has_many {
            let many = words.iter().filter(|&&word| counted(word) == MANY);
            sum += many
                .map(|&word| u64::from(self.get(word).instructions - MANY))
                .sum::<u64>();
        }
        sum
    }

    /// The block of a word.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn get(&self, word: u32) -> &Block {
        let number = (word & NUMBER) as usize;
        let part = self.0.0.parts[number / PART].get();
        let block = part.and_then(|part| part[number % PART].get());
        block.expect("a block is translated before it runs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_explore::trace::Isa;

    #[test]
    fn blocks_are_read_while_a_thread_that_is_no_more_holds_the_lock() {
        let all = Translating::default();
        let blocks: Vec<Block> = (0..2 * PART as u64)
            .map(|at| Block::new(Isa::X86_64, 16 * at, 40, 16 * at, &[0xc3]))
            .collect();
        let words: Vec<u32> = (blocks.iter())
            .map(|block| all.word(block.clone(), 40).expect("they are few"))
            .collect();
        assert_eq!(all.word(blocks[5].clone(), 40), Some(words[5]));
        core::mem::forget(all.hold());
        let read = Translated::new(all);
        assert!(
            blocks
                .iter()
                .zip(&words)
                .all(|(block, &word)| read.get(word) == block)
        );
        assert_eq!(read.instructions(&words[..100]), 4000);
    }
}
