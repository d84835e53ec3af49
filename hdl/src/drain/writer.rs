//! The drain writer: a Wishbone master that copies entries from a drain's ports to memory.
//!
//! ```text
//!   drain_* ---> [ word 0, 1, ... ] ---> wb_dat_o
//!                      |
//!   base, restart --> [ address ] -----> wb_adr_o          ack of the last word ---> drain_ready, written
//! ```
//!
//! An entry takes the same words as on `TABLE_DATA`: start, outcomes (low words first), length, accumulator. After
//! `room` entries `drain_ready` stays 0. The drain then fills, and loses entries or stalls the records, as its control
//! register selects. `restart` begins again at the base address.
//!
//! It is a classic master: `cyc`, `stb`, address and data are stable until `ack`, unless the drain withdraws the entry.
//! An entry is in progress once its first word was presented, and `restart` and `room` do not interrupt it. If the
//! slave acknowledges combinationally, a word is written in every cycle.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::DrainSink;
use crate::circuit::{bundle, circuit, kernel};
use crate::register::{Delay, Register};

/// Wishbone master port; writes whole words only.
#[bundle()]
pub struct WishboneWriterPort {
    /// Wishbone: bus cycle in progress.
    pub cyc_o: Signal<Out, Bit>,
    /// Wishbone: strobe, an access is requested.
    pub stb_o: Signal<Out, Bit>,
    /// Wishbone: always 1 (write).
    pub we_o: Signal<Out, Bit>,
    /// Wishbone: word address.
    pub adr_o: Signal<Out, Bits<30>>,
    /// Wishbone: byte lanes; always all.
    pub sel_o: Signal<Out, Bits<4>>,
    /// Wishbone: write data.
    pub dat_o: Signal<Out, Bits<32>>,
    /// Wishbone: acknowledge, the word is written.
    pub ack_i: Signal<In, Bit>,
}

/// Greatest width of the words of an entry, in bits.
const WORDS_BITS: usize = 192;

/// Writes evicted paths from the drain's streaming ports to memory.
#[circuit(
    geometry: &Geometry,
    let words = geometry.entry_words(),
    let outcomes = 32 * geometry.start_words(),
    const last_word: Bits<3> = words - 1,
    const entry_words: Bits<30> = words,
    const outcomes_lsb: Bits<8> = outcomes,
    const length_lsb: Bits<8> = outcomes + 32 * geometry.outcome_words(),
    const count_lsb: Bits<8> = 32 * words - 32,
    const _words: usize = words as usize
)]
pub struct DrainWriter {
    /// Evicted paths from the drain.
    pub drain: DrainSink<geometry>,
    /// Memory.
    pub wb: WishboneWriterPort,
    /// Word address of the buffer in memory.
    pub base: Signal<In, Bits<30>>,
    /// Capacity of the buffer in entries.
    pub room: Signal<In, Bits<32>>,
    /// Restart at base after the current entry; also used once after reset.
    pub restart: Signal<In, Bit>,
    /// Entries written since the last restart.
    pub written: Signal<Out, Bits<32>>,

    /// Word address of the current entry.
    address: Delay<Bits<30>>,
    #[connect(q = written)]
    entries: Register<Bits<32>>,
    word: Register<Bits<3, { u32::BITS - (words - 1).leading_zeros() }>>,
    restarting: Register<Bit, true>,
    /// The word on the bus is not acknowledged yet.
    waits: Register<Bit>,
}

#[kernel]
impl DrainWriter {
    /// The word on the bus, and the entry that it belongs to.
    fn logic(&mut self) {
        // A restart takes effect between two entries. A word is presented until it is acknowledged.
        let under_way = self.waits | self.word.any();
        let begins = self.restarting & !under_way;
        let active = self.drain.valid & (under_way | (!begins & (self.entries < self.room)));
        self.waits.d.next = active & !self.wb.ack_i;
        let last = active & self.wb.ack_i & (self.word == self.last_word);
        self.restarting.d.next = self.restart | (self.restarting & under_way);
        if active & self.wb.ack_i {
            self.word.d.next = self.word + 1;
        }
        if last {
            self.word.d.next = 0.into();
            self.address.d.next = self.address + self.entry_words;
            self.entries.d.next = self.entries + 1;
        }
        // An entry is withdrawn if software clears the drain or takes entries itself. It has no effect then.
        if !self.drain.valid {
            self.word.d.next = 0.into();
        }
        if begins {
            self.address.d.next = self.base;
            self.entries.d.next = 0.into();
        }
        self.drain.ready.next = last;

        let words = bit_cast::<WORDS_BITS, 64>(self.drain.start)
            | (bit_cast::<WORDS_BITS, 64>(self.drain.outcomes) << self.outcomes_lsb)
            | (bit_cast::<WORDS_BITS, 7>(self.drain.length) << self.length_lsb)
            | (bit_cast::<WORDS_BITS, 32>(self.drain.count) << self.count_lsb);
        self.wb.dat_o.next = 0.into();
        for i in 0..self._words {
            if self.word == i.to_bits::<3>() {
                self.wb.dat_o.next = words.get_bits::<32>(32 * i);
            }
        }
        self.wb.cyc_o.next = active;
        self.wb.stb_o.next = active;
        self.wb.we_o.next = true;
        self.wb.adr_o.next = self.address + bit_cast::<30, 3>(self.word);
        self.wb.sel_o.next = 0xf.into();
    }
}
