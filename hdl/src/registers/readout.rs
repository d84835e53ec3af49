//! The readout: one table entry at a time, word by word.
//!
//! ```text
//!   TABLE_INDEX --> [ index ] --> locator --> set, way --> table
//!                      ^                                     |
//!                      +-- + 1 after the last word           v
//!   TABLE_DATA <--- [ word ] <--- start, outcomes, length, count (latched)
//! ```
//!
//! An entry is fetched as a whole when its index is written, and when the last word of the one before has been read.
//! Numbers that belong to no entry read as an empty entry.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::locator::Locator;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::{Delay, Register};
use crate::table::{TAG_BITS, TagLayout};

/// The greatest width of an entry's words.
const WORDS_BITS: usize = 192;

/// Fetches table entries and deals them out.
#[derive(LogicBlock)]
pub struct Readout {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Fetch entry `new_index`; only while `entry_valid` is 1.
    pub fetch: Signal<In, Bit>,
    /// Its number.
    pub new_index: Signal<In, Bits<16>>,
    /// The present word has been read; only while `entry_valid` is 1.
    pub step: Signal<In, Bit>,
    /// Number of the present entry.
    pub index: Signal<Out, Bits<16>>,
    /// The entry is latched.
    pub entry_valid: Signal<Out, Bit>,
    /// Software reads the next word in this cycle.
    pub addressed: Signal<In, Bit>,
    /// The word, in the cycle after it was addressed; else 0.
    pub word: Signal<Out, Bits<32>>,

    /// To the table: the entry is wanted.
    pub read_request: Signal<Out, Bit>,
    /// Its set.
    pub read_set: Signal<Out, Bits<16>>,
    /// Its way (one-hot).
    pub read_way: Signal<Out, Bits<32>>,
    /// From the table: it is there.
    pub read_done: Signal<In, Bit>,
    /// Its tag, until the next readout.
    pub read_tag: Signal<In, Bits<TAG_BITS>>,
    /// The low part of its start address, which the tag lacks; as long.
    pub read_start_low: Signal<In, Bits<16>>,
    /// Its accumulator, in the cycle of `read_done`.
    pub read_count: Signal<In, Bits<32>>,

    locator: Locator,
    index_stage: Register<Bits<16>>,
    starting: Register<Bit>,
    fetching: Register<Bit>,
    blank: Register<Bit>,
    pointer: Register<Bits<3>>,
    count: Register<Bits<32>>,
    word_stage: Vec<Delay<Bits<32>>>,
    sources: Vec<Signal<Local, Bits<32>>>,
    next_blank: Signal<Local, Bit>,
    outside: Signal<Local, Bit>,
    words: Signal<Local, Bits<WORDS_BITS>>,
    start: Signal<Local, Bits<WORDS_BITS>>,
    outcomes: Signal<Local, Bits<WORDS_BITS>>,
    length: Signal<Local, Bits<WORDS_BITS>>,

    index_mask: Constant<Bits<16>>,
    ragged: Constant<Bit>,
    last_index: Constant<Bits<16>>,
    last_word: Constant<Bits<3>>,
    align: Constant<Bits<8>>,
    high_lsb: Constant<Bits<8>>,
    start_mask: Constant<Bits<TAG_BITS>>,
    outcomes_mask: Constant<Bits<TAG_BITS>>,
    length_mask: Constant<Bits<TAG_BITS>>,
    outcomes_lsb: Constant<Bits<8>>,
    length_lsb: Constant<Bits<8>>,
    outcomes_word: Constant<Bits<8>>,
    length_word: Constant<Bits<8>>,
    count_word: Constant<Bits<8>>,
    _words: usize,
    _end: usize,
}

impl Readout {
    /// The readout of a table of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = TagLayout::new(geometry);
        let index_bits = geometry.entries().next_power_of_two().trailing_zeros();
        let outcomes_word = 32 * geometry.start_words();
        let length_word = outcomes_word + 32 * geometry.outcome_words();
        let words = length_word + 64;
        let word_count = geometry.entry_words() as usize;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            fetch: Signal::default(),
            new_index: Signal::default(),
            step: Signal::default(),
            index: sized(index_bits),
            entry_valid: Signal::default(),
            addressed: Signal::default(),
            word: Signal::default(),
            read_request: Signal::default(),
            read_set: sized(layout.set_bits),
            read_way: sized(layout.ways),
            read_done: Signal::default(),
            read_tag: sized(layout.width()),
            read_start_low: sized(layout.set_bits),
            read_count: sized(layout.count_bits),
            locator: Locator::new(geometry),
            index_stage: Register::zero(index_bits),
            starting: Register::flag(false),
            fetching: Register::flag(false),
            blank: Register::flag(true),
            pointer: Register::zero(3),
            count: Register::zero(layout.count_bits),
            word_stage: (0..word_count).map(|_| Delay::new(32)).collect(),
            sources: (0..=word_count).map(|_| Signal::default()).collect(),
            next_blank: Signal::default(),
            outside: Signal::default(),
            words: sized(words),
            start: sized(words),
            outcomes: sized(words),
            length: sized(words),
            index_mask: mask(index_bits),
            ragged: Constant::new(!geometry.ways.is_power_of_two()),
            last_index: number(geometry.entries() - 1),
            last_word: number(geometry.entry_words() - 1),
            align: number(geometry.align),
            high_lsb: number(geometry.align + layout.set_bits),
            start_mask: Constant::new(low_ones(layout.start_bits)),
            outcomes_mask: Constant::new(low_ones(layout.outcome_bits)),
            length_mask: Constant::new(low_ones(layout.length_bits)),
            outcomes_lsb: number(layout.outcomes_lsb()),
            length_lsb: number(layout.length_lsb()),
            outcomes_word: number(outcomes_word),
            length_word: number(length_word),
            count_word: number(length_word + 32),
            _words: word_count,
            _end: word_count + 1,
        }
    }
}

fn low_ones(width: u32) -> Bits<TAG_BITS> {
    Geometry::mask(width).into()
}

impl Logic for Readout {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("readout: fetches table entries and deals them out word by word.");
        self.locator.clk.next = self.clk.val();
        self.locator.rst.next = self.rst.val();
        self.index_stage.clk.next = self.clk.val();
        self.index_stage.rst.next = self.rst.val();
        self.starting.clk.next = self.clk.val();
        self.starting.rst.next = self.rst.val();
        self.fetching.clk.next = self.clk.val();
        self.fetching.rst.next = self.rst.val();
        self.blank.clk.next = self.clk.val();
        self.blank.rst.next = self.rst.val();
        self.pointer.clk.next = self.clk.val();
        self.pointer.rst.next = self.rst.val();
        self.count.clk.next = self.clk.val();
        self.count.rst.next = self.rst.val();

        self.index_stage.d.next = self.index_stage.q.val();
        self.starting.d.next = false;
        self.fetching.d.next = self.fetching.q.val();
        self.next_blank.next = self.blank.q.val();
        self.pointer.d.next = self.pointer.q.val();
        self.count.d.next = self.count.q.val();

        // Software's side.
        if self.fetch.val() {
            self.index_stage.d.next = self.new_index.val() & self.index_mask.val();
            self.starting.d.next = true;
            self.fetching.d.next = true;
            self.pointer.d.next = 0.into();
        } else if self.step.val() {
            self.pointer.d.next = self.pointer.q.val() + 1;
            if self.pointer.q.val() == self.last_word.val() {
                self.index_stage.d.next = (self.index_stage.q.val() + 1) & self.index_mask.val();
                self.starting.d.next = true;
                self.fetching.d.next = true;
                self.pointer.d.next = 0.into();
            }
        }

        // The table's side.
        self.locator.start.next = self.starting.q.val();
        self.locator.index.next = self.index_stage.q.val();
        self.outside.next = self.ragged.val() & (self.index_stage.q.val() > self.last_index.val());
        self.read_set.next = self.locator.set.val();
        self.read_way.next = self.locator.way.val();
        self.read_request.next = self.fetching.q.val()
            & !self.starting.q.val()
            & !self.locator.busy.val()
            & !self.outside.val()
            & !self.read_done.val();
        if self.fetching.q.val() & !self.starting.q.val() {
            if self.outside.val() {
                self.fetching.d.next = false;
                self.next_blank.next = true;
            } else if self.read_done.val() {
                self.fetching.d.next = false;
                self.next_blank.next = false;
                self.count.d.next = self.read_count.val();
            }
        }

        self.blank.d.next = self.next_blank.val();

        self.index.next = self.index_stage.q.val();
        self.entry_valid.next = !self.fetching.q.val();
        self.start.next =
            (bit_cast::<WORDS_BITS, TAG_BITS>(self.read_tag.val() & self.start_mask.val())
                << self.high_lsb.val())
                | (bit_cast::<WORDS_BITS, 16>(self.read_start_low.val()) << self.align.val());
        self.outcomes.next = bit_cast::<WORDS_BITS, TAG_BITS>(
            (self.read_tag.val() >> self.outcomes_lsb.val()) & self.outcomes_mask.val(),
        ) << self.outcomes_word.val();
        self.length.next = bit_cast::<WORDS_BITS, TAG_BITS>(
            (self.read_tag.val() >> self.length_lsb.val()) & self.length_mask.val(),
        ) << self.length_word.val();
        self.words.next = self.start.val()
            | self.outcomes.val()
            | self.length.val()
            | (bit_cast::<WORDS_BITS, 32>(self.count.q.val()) << self.count_word.val());
        // Each word in a register of its own, cleared unless it is the one read: what remains is an OR.
        for i in self._words..self._end {
            self.sources[i].next = 0.into();
        }
        for i in 0..self._words {
            self.word_stage[i].clk.next = self.clk.val();
            self.word_stage[i].d.next = 0.into();
            if self.addressed.val()
                & (self.pointer.q.val() == i.to_bits::<3>())
                & !self.blank.q.val()
            {
                self.word_stage[i].d.next = self.words.val().get_bits::<32>(32 * i);
            }
            self.sources[i].next = self.sources[i + 1].val() | self.word_stage[i].q.val();
        }
        self.word.next = self.sources[0].val();
    }
}
