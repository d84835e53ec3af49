//! The possible values of the registers and of the entry that is read.
//!
//! If a master aborts an access of the readout that waits, it is unknown whether the access took effect. Two views are
//! then kept, until a read shows which is correct.

use super::EntryWatch;
use super::shown::Shown;
use hpp_golden::profiler::register_file::{RegisterFile, Sight};
use hpp_golden::profiler::{Counters, HotPathTable};
use hpp_golden::registers::{TABLE_DATA, TABLE_INDEX};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub registers: RegisterFile,
    pub watch: EntryWatch,
    /// The cycle in which the entry was requested.
    pub fetched: Option<u64>,
}

#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub counters: &'a Counters,
    pub table: &'a HotPathTable,
    /// The table as the readout sees it.
    pub shown: &'a Shown,
    pub cycle: u64,
}

impl View {
    /// The registers after reset, with an empty entry.
    pub fn new(registers: RegisterFile, entry_words: u32) -> Self {
        let watch = EntryWatch::new(0, vec![0; entry_words as usize]);
        Self {
            registers,
            watch,
            fetched: None,
        }
    }

    pub fn read(&mut self, offset: u32, around: Around<'_>) -> u32 {
        let sight = Sight {
            counters: around.counters,
            table: around.table,
            clearing: false,
        };
        self.registers.read(offset, sight)
    }

    /// Fetches the entry that the index register selects.
    pub fn fetch(&mut self, around: Around<'_>) {
        let number = self.read(TABLE_INDEX.offset, around) as usize;
        self.watch = EntryWatch::new(number, around.shown.words(number).collect());
        self.fetched = Some(around.cycle);
    }

    /// Checks the next word of the entry. `word` is `None` if its value is unknown.
    ///
    /// # Errors
    ///
    /// If the entry has another word there.
    pub fn read_word(&mut self, word: Option<u32>, around: Around<'_>) -> Result<(), String> {
        let last = match word {
            Some(word) => self.watch.read(word)?,
            None => self.watch.skip(),
        };
        self.read(TABLE_DATA.offset, around);
        if last {
            self.fetch(around);
        }
        Ok(())
    }
}

/// Keeps the views in which `read` finds no error.
///
/// # Errors
///
/// The error of the first view, if every view has one.
pub fn keep(
    views: &mut Vec<View>,
    mut read: impl FnMut(&mut View) -> Result<(), String>,
) -> Result<(), String> {
    let mut first = None;
    views.retain_mut(|view| match read(view) {
        Ok(()) => true,
        Err(what) => {
            first.get_or_insert(what);
            false
        }
    });
    match first {
        Some(what) if views.is_empty() => Err(what),
        _ => Ok(()),
    }
}

/// The views and those of `others` that are new. Without removing duplicates, accesses of unknown outcome would double
/// the views each time.
pub fn unite(views: &mut Vec<View>, others: Vec<View>) {
    let all = std::mem::take(views).into_iter().chain(others);
    for view in all {
        if !views.contains(&view) {
            views.push(view);
        }
    }
}
