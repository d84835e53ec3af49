//! The readout: it fetches one table entry at a time and returns it word by word.
//!
//! ```text
//!   TABLE_INDEX --> [ index ] --> number, request --> table
//!                      ^                                |
//!                      +-- + 1 after the last word      v
//!   TABLE_DATA <--- [ word ] <--- start, outcomes, length, count (held by the table)
//! ```
//!
//! A write of the index fetches the whole entry, and so does the read of the last word of the previous entry. An index
//! beyond the table reads as an empty entry.
//!
//! Timing: for `fetch` or the last `step` in cycle *t*, `request` rises in *t* + 2. `entry_valid` rises one cycle after
//! the table's `done`.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};
use crate::table::EntryReader;

/// Greatest width of the words of an entry, in bits.
const WORDS_BITS: usize = 192;

/// Fetches table entries and returns them word by word.
#[circuit(
    geometry: &Geometry,
    let index_bits = geometry.entries().next_power_of_two().trailing_zeros(),
    let words = geometry.entry_words(),
    let outcomes = 32 * geometry.start_words(),
    const _last_number: u32 = geometry.entries() - 1,
    const _has_gaps: bool = !geometry.ways.is_power_of_two(),
    const _last_word: u32 = words - 1,
    const _start_lsb: u32 = geometry.align,
    const _outcomes_lsb: u32 = outcomes,
    const _length_lsb: u32 = outcomes + 32 * geometry.outcome_words(),
    const _count_lsb: u32 = 32 * words - 32
)]
pub struct Readout {
    /// Fetch entry new_index; allowed while entry_valid is 1.
    pub fetch: Signal<In, Bit>,
    /// Number of the entry to fetch; excess high bits are ignored.
    pub new_index: Signal<In, Bits<16>>,
    /// The current word has been read; allowed while entry_valid is 1.
    pub step: Signal<In, Bit>,
    /// Number of the current entry.
    pub index: Signal<Out, Bits<16, index_bits>>,
    /// The current entry is fetched.
    pub entry_valid: Signal<Out, Bit>,
    /// The next word is addressed in this cycle.
    pub addressed: Signal<In, Bit>,
    /// Addressed word one cycle later, else 0.
    pub word: Signal<Out, Bits<32>>,
    /// Entry port of the table.
    pub entry: EntryReader<geometry>,

    number: Register<Bits<16, index_bits>>,
    fetching: Register<Bit>,
    requesting: Register<Bit>,
    blank: Register<Bit, true>,
    pointer: Register<Bits<3, { u32::BITS - (words - 1).leading_zeros() }>>,
    word_stage: Vec<Delay<Bits<32>>, words>,
}

#[kernel]
impl Readout {
    /// Index and word pointer.
    fn position(&mut self) {
        if self.step {
            self.pointer.d.next = self.pointer + 1;
            if self.pointer == self._last_word {
                self.number.d.next = self.number + 1;
                self.pointer.d.next = 0.into();
                self.fetching.d.next = true;
            }
        }
        if self.fetch {
            self.number.d.next = self.new_index;
            self.pointer.d.next = 0.into();
            self.fetching.d.next = true;
        }
        self.index.next = self.number;
        self.entry_valid.next = !self.fetching;
    }

    /// The fetch. The number is stable one cycle before the request.
    fn fetch(&mut self) {
        self.requesting.d.next = self.fetching & !self.entry.done;
        self.entry.request.next = self.requesting;
        self.entry.number.next = self.number;
        if self.entry.done {
            self.fetching.d.next = false;
            self.blank.d.next =
                !self.entry.filled | (self._has_gaps & (self.number > self._last_number));
        }
    }

    /// Each word has a register that is 0 unless the word is addressed. An OR of the registers replaces a multiplexer.
    fn words(&mut self) {
        let entry: Bits<WORDS_BITS> = (bit_cast::<WORDS_BITS, 64>(self.entry.start)
            << self._start_lsb)
            | (bit_cast::<WORDS_BITS, 64>(self.entry.outcomes) << self._outcomes_lsb)
            | (bit_cast::<WORDS_BITS, 7>(self.entry.length) << self._length_lsb)
            | (bit_cast::<WORDS_BITS, 32>(self.entry.count) << self._count_lsb);
        let mut word: Bits<32> = 0.into();
        for i in 0..self.word_stage.len() {
            let fire = self.addressed & (self.pointer == i.to_bits::<3>()) & !self.blank;
            self.word_stage[i].d.next = if fire {
                entry.get_bits::<32>(32 * i)
            } else {
                0.into()
            };
            word = word | self.word_stage[i];
        }
        self.word.next = word;
    }
}
