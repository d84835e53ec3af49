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

use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::table::EntryReader;

/// Greatest width of the words of an entry, in bits.
const WORDS_BITS: usize = 192;

/// Fetches table entries and returns them word by word.
#[circuit(
    geometry: &Geometry,
    let index_bits = geometry.entries().next_power_of_two().trailing_zeros(),
    let words = geometry.entry_words(),
    let outcomes = 32 * geometry.start_words()
)]
pub struct Readout {
    /// Fetch entry new_index; allowed while entry_valid is 1.
    pub fetch: Signal<In, Bit>,
    /// Number of the entry to fetch; excess high bits are ignored.
    pub new_index: Signal<In, Bits<16>>,
    /// The current word has been read; allowed while entry_valid is 1.
    pub step: Signal<In, Bit>,
    /// Number of the current entry.
    #[bits(index_bits)]
    pub index: Signal<Out, Bits<16>>,
    /// The current entry is fetched.
    pub entry_valid: Signal<Out, Bit>,
    /// The next word is addressed in this cycle.
    pub addressed: Signal<In, Bit>,
    /// Addressed word one cycle later, else 0.
    pub word: Signal<Out, Bits<32>>,
    /// Entry port of the table.
    #[bundle(geometry)]
    pub entry: EntryReader,

    #[bits(index_bits)]
    number: Register<Bits<16>>,
    fetching: Register<Bit>,
    requesting: Register<Bit>,
    #[reset(true)]
    blank: Register<Bit>,
    #[bits(u32::BITS - (words - 1).leading_zeros())]
    pointer: Register<Bits<3>>,
    #[each(_i in words)]
    word_stage: Vec<Delay<Bits<32>>>,

    #[bits(32 * words)]
    words: Signal<Local, Bits<WORDS_BITS>>,

    #[number(!geometry.ways.is_power_of_two())]
    not_power_of_two: Constant<Bit>,
    #[number(geometry.entries() - 1)]
    last_number: Constant<Bits<16>>,
    #[number(words - 1)]
    last_word: Constant<Bits<3>>,
    #[number(geometry.align)]
    start_lsb: Constant<Bits<8>>,
    #[number(outcomes)]
    outcomes_lsb: Constant<Bits<8>>,
    #[number(outcomes + 32 * geometry.outcome_words())]
    length_lsb: Constant<Bits<8>>,
    #[number(32 * words - 32)]
    count_lsb: Constant<Bits<8>>,
    #[value(words as usize)]
    _words: usize,
}

impl Logic for Readout {
    #[hdl_gen]
    fn update(&mut self) {
        // Index and word pointer.
        if self.step.val() {
            self.pointer.d.next = self.pointer.q.val() + 1;
            if self.pointer.q.val() == self.last_word.val() {
                self.number.d.next = self.number.q.val() + 1;
                self.pointer.d.next = 0.into();
                self.fetching.d.next = true;
            }
        }
        if self.fetch.val() {
            self.number.d.next = self.new_index.val();
            self.pointer.d.next = 0.into();
            self.fetching.d.next = true;
        }
        self.index.next = self.number.q.val();
        self.entry_valid.next = !self.fetching.q.val();

        // Fetch. The number is stable one cycle before the request.
        self.requesting.d.next = self.fetching.q.val() & !self.entry.done.val();
        self.entry.request.next = self.requesting.q.val();
        self.entry.number.next = self.number.q.val();
        if self.entry.done.val() {
            self.fetching.d.next = false;
            self.blank.d.next = !self.entry.filled.val()
                | (self.not_power_of_two.val() & (self.number.q.val() > self.last_number.val()));
        }

        // Each word has a register that is 0 unless the word is addressed. An OR of the registers replaces a
        // multiplexer.
        self.words.next = (bit_cast::<WORDS_BITS, 64>(self.entry.start.val())
            << self.start_lsb.val())
            | (bit_cast::<WORDS_BITS, 64>(self.entry.outcomes.val()) << self.outcomes_lsb.val())
            | (bit_cast::<WORDS_BITS, 7>(self.entry.length.val()) << self.length_lsb.val())
            | (bit_cast::<WORDS_BITS, 32>(self.entry.count.val()) << self.count_lsb.val());
        self.word.next = 0.into();
        for i in 0..self._words {
            self.word_stage[i].d.next = 0.into();
            if self.addressed.val()
                & (self.pointer.q.val() == i.to_bits::<3>())
                & !self.blank.q.val()
            {
                self.word_stage[i].d.next = self.words.val().get_bits::<32>(32 * i);
            }
            self.word.next = self.word.val() | self.word_stage[i].q.val();
        }
    }
}
