//! The words that a table entry may read as while profiling continues.
//!
//! A fetch latches a whole entry at some moment between the request and the acknowledgement of the first word. The
//! words read must form a snapshot from such a moment.

/// The versions of an entry since it was requested, reduced by the words read so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryWatch {
    number: usize,
    versions: Vec<Vec<u32>>,
    next_word: usize,
}

impl EntryWatch {
    /// Watches entry `number`, whose current words are `words`.
    pub fn new(number: usize, words: Vec<u32>) -> Self {
        Self {
            number,
            versions: vec![words],
            next_word: 0,
        }
    }

    pub fn number(&self) -> usize {
        self.number
    }

    /// Adds `words` as a version. It has no effect once a word was read, because the entry is latched.
    pub fn change<W: Iterator<Item = u32>>(&mut self, words: impl Fn() -> W) {
        if self.next_word == 0 {
            let last = self.versions.last();
            if !last.is_some_and(|last| words().eq(last.iter().copied())) {
                self.versions.push(words().collect());
            }
        }
    }

    /// The next word was read as `word`. Returns whether it was the last of the entry.
    ///
    /// # Errors
    ///
    /// If no version has these words.
    pub fn read(&mut self, word: u32) -> Result<bool, String> {
        let index = self.next_word;
        let fits = |version: &Vec<u32>| version[index] == word;
        if !self.versions.iter().any(fits) {
            return Err(format!(
                "word {index} of entry {} reads {word:#x}; the entry was one of {:x?}",
                self.number, self.versions
            ));
        }
        self.versions.retain(fits);
        Ok(self.skip())
    }

    /// The next word was read and its value is unknown. Returns whether it was the last of the entry.
    pub fn skip(&mut self) -> bool {
        self.next_word += 1;
        self.next_word == self.versions[0].len()
    }
}
