use crate::registers::{geometry0, geometry3, table_data, table_index};
use crate::{Access, Driver};

/// Words of the widest entry: two of the start, two of the outcomes, length and count.
pub(crate) const MOST_WORDS: usize = 6;

/// A valid entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Set * WAYS + way.
    pub number: u32,
    /// Address of the path's first instruction.
    pub start: u64,
    /// Context as the core drives it: hart, privilege, address space. 0 without contexts.
    pub context: u8,
    /// Outcomes of the branches, the first in bit 0.
    pub outcomes: u64,
    /// Number of branches.
    pub length: u32,
    /// Value of the accumulator.
    pub count: u32,
}

impl<A: Access> Driver<A> {
    /// Freezes the table, passes every valid entry to `each`, and restores `CONTROL.FREEZE`. The profiler may run meanwhile.
    pub fn read(&mut self, mut each: impl FnMut(Entry)) {
        let address_bits = geometry0::PC_BITS.get(self.geometry[0]);
        let context_bits = geometry3::CONTEXT_BITS.get(self.geometry[3]);
        let wide = self.wide();
        let most = geometry0::MAX_BRANCHES.get(self.geometry[0]);
        let marked = (!self.has_length_word()).then_some(most);
        self.frozen(|driver| {
            driver.each_entry(|number, words| {
                let mut words = words.iter().copied().map(u64::from);
                let mut next = || words.next().unwrap_or(0);
                let [start, outcomes] =
                    wide.map(|wide| next() | if wide { next() << 32 } else { 0 });
                let (start, length, outcomes) = match marked {
                    Some(most) => unmarked(start, outcomes, most),
                    None => (start, next() as u32, outcomes),
                };
                let count = next() as u32;
                let context = match context_bits {
                    0 => 0,
                    _ => (start >> address_bits) as u8,
                };
                each(Entry {
                    number,
                    start: start ^ u64::from(context) << (address_bits & 63),
                    context,
                    outcomes,
                    length,
                    count,
                });
            });
        });
    }

    /// Whether starts, and outcomes, take two words.
    pub(crate) fn wide(&self) -> [bool; 2] {
        let address_bits = geometry0::PC_BITS.get(self.geometry[0]);
        let context_bits = geometry3::CONTEXT_BITS.get(self.geometry[3]);
        [
            address_bits + context_bits > 32,
            geometry0::MAX_BRANCHES.get(self.geometry[0]) > 32,
        ]
    }

    /// The words of every valid entry.
    pub(crate) fn each_entry(&mut self, mut each: impl FnMut(u32, &[u32])) {
        self.access.write(table_index::OFFSET, 0);
        for number in 0..self.entries() {
            let mut words = [0; MOST_WORDS];
            let words = &mut words[..self.entry_words()];
            self.access.read_all(table_data::OFFSET, words);
            if words.last() != Some(&0) {
                each(number, words);
            }
        }
    }
}

/// Converts an entry without a word for its length, as it is stored, to start, length and outcomes. Bit 0 of the start is set. Below the
/// outcomes there are a 1, and a 0 for each branch by which the path is shorter than the maximum.
const fn unmarked(start: u64, marked: u64, most: u32) -> (u64, u32, u64) {
    let free = marked.trailing_zeros();
    (
        start & !1,
        most.saturating_sub(free),
        match free {
            0..64 => marked >> free >> 1,
            _ => 0,
        },
    )
}
