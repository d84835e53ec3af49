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
use crate::circuit::{bundle, circuit};
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
    let outcomes = 32 * geometry.start_words()
)]
pub struct DrainWriter {
    /// Evicted paths from the drain.
    #[bundle(geometry)]
    pub drain: DrainSink,
    /// Memory.
    #[bundle()]
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
    #[bits(u32::BITS - (words - 1).leading_zeros())]
    word: Register<Bits<3>>,
    #[reset(true)]
    restarting: Register<Bit>,
    /// The word on the bus is not acknowledged yet.
    waits: Register<Bit>,

    under_way: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    active: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    #[bits(32 * words)]
    words: Signal<Local, Bits<WORDS_BITS>>,

    #[number(words - 1)]
    last_word: Constant<Bits<3>>,
    #[number(words)]
    entry_words: Constant<Bits<30>>,
    #[number(outcomes)]
    outcomes_lsb: Constant<Bits<8>>,
    #[number(outcomes + 32 * geometry.outcome_words())]
    length_lsb: Constant<Bits<8>>,
    #[number(32 * words - 32)]
    count_lsb: Constant<Bits<8>>,
    #[value(words as usize)]
    _words: usize,
}

impl Logic for DrainWriter {
    #[hdl_gen]
    fn update(&mut self) {
        // A restart takes effect between two entries. A word is presented until it is acknowledged.
        self.under_way.next = self.waits.q.val() | self.word.q.val().any();
        self.begins.next = self.restarting.q.val() & !self.under_way.val();
        self.active.next = self.drain.valid.val()
            & (self.under_way.val()
                | (!self.begins.val() & (self.entries.q.val() < self.room.val())));
        self.waits.d.next = self.active.val() & !self.wb.ack_i.val();
        self.last.next =
            self.active.val() & self.wb.ack_i.val() & (self.word.q.val() == self.last_word.val());
        self.restarting.d.next =
            self.restart.val() | (self.restarting.q.val() & self.under_way.val());
        if self.active.val() & self.wb.ack_i.val() {
            self.word.d.next = self.word.q.val() + 1;
        }
        if self.last.val() {
            self.word.d.next = 0.into();
            self.address.d.next = self.address.q.val() + self.entry_words.val();
            self.entries.d.next = self.entries.q.val() + 1;
        }
        // An entry is withdrawn if software clears the drain or takes entries itself. It has no effect then.
        if !self.drain.valid.val() {
            self.word.d.next = 0.into();
        }
        if self.begins.val() {
            self.address.d.next = self.base.val();
            self.entries.d.next = 0.into();
        }
        self.drain.ready.next = self.last.val();

        self.words.next = bit_cast::<WORDS_BITS, 64>(self.drain.start.val())
            | (bit_cast::<WORDS_BITS, 64>(self.drain.outcomes.val()) << self.outcomes_lsb.val())
            | (bit_cast::<WORDS_BITS, 7>(self.drain.length.val()) << self.length_lsb.val())
            | (bit_cast::<WORDS_BITS, 32>(self.drain.count.val()) << self.count_lsb.val());
        self.wb.dat_o.next = 0.into();
        for i in 0..self._words {
            if self.word.q.val() == i.to_bits::<3>() {
                self.wb.dat_o.next = self.words.val().get_bits::<32>(32 * i);
            }
        }
        self.wb.cyc_o.next = self.active.val();
        self.wb.stb_o.next = self.active.val();
        self.wb.we_o.next = true;
        self.wb.adr_o.next = self.address.q.val() + bit_cast::<30, 3>(self.word.q.val());
        self.wb.sel_o.next = 0xf.into();
    }
}
