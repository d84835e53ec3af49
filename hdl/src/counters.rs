//! The statistics counters: wide counters in a small memory, and a narrow counter for each event.
//!
//! ```text
//!   event 0 --> [ narrow 0 ] --+
//!      ...          ...        +--> + <--- word, carry
//!   event 7 --> [ narrow 7 ] --+    |        ^
//!                                   v        |
//!                       value ---> ( RAM: 8 x low, high ) ---> [ stored ]   scan: one word a cycle
//! ```
//!
//! A scan visits one of the sixteen words in each cycle. At a low word it adds the narrow counter and clears it. At the
//! high word that follows, it adds the carry. A read by software waits until the scan visits its word. A low word and
//! the next high word are therefore consistent.
//!
//! The scan rests in front of word 0 after sixteen words without an event and without a reason to go on (`busy`). It goes on
//! one cycle after either. While it rests nothing is pending, and no register changes.
//!
//! A clear command clears the narrow counters and the carry at once. The scan replaces each word by 0 at its next
//! visit, so the counters read 0 from then on. Reset works in the same way with the start value of the configuration.
//!
//! Timing: an event of cycle *t* is in the low word that the scan visits between *t* + 2 and *t* + 17, or in *t* + 18 if the
//! event wakes the scan. Its carry is in the high word one cycle later. Events and the command are registered at the input, which keeps the table and the bus
//! decoder out of the counters' paths. A command also clears the events of its own cycle.

use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Words of the counters.
#[memory(depth = 2 * Counter::COUNT as u32, same_edge = SameEdge::New, read_enable)]
pub struct CounterMemory {
    /// Word of a counter: low at an even address, high at the next.
    word: Bits<32>,
}

/// Statistics counters in a memory; a scan visits one word per cycle, and rests while there is nothing to add.
#[circuit(
    geometry: &Geometry, start: u64,
    const high_mask: Bits<32> = Geometry::mask(geometry.counter_bits) >> 32,
    const low_start: Bits<32> = start & u64::from(u32::MAX),
    const high_start: Bits<32> = (start & Geometry::mask(geometry.counter_bits)) >> 32,
    // At most one event of each hart a cycle, for at most seventeen cycles between two visits.
    let narrow_bits = 5 + geometry.harts.next_power_of_two().trailing_zeros(),
    const _harts: usize = geometry.harts as usize,
    const has_high: Bit = geometry.counter_bits > 32,
    // High words are narrower than 32 bits. Without this case the mask would cost a LUT for each bit.
    const _masked: bool = !geometry.counter_bits.is_multiple_of(32)
)]
pub struct Counters {
    /// Bit 8 h + i: event of counter i occurs at hart h, in address order of the counters.
    pub events: Signal<In, Bits<64, { 8 * geometry.harts }>>,
    /// Clear all counters.
    pub clear: Signal<In, Bit>,
    /// The scan must not rest.
    pub busy: Signal<In, Bit>,
    /// The scan visits a word; 0 while it rests.
    pub visits: Signal<Out, Bit>,
    /// Word that the scan visits: 2 * counter, plus 1 for the high word.
    pub word: Signal<Out, Bits<4>>,
    /// Value of the word that the scan visits.
    pub value: Signal<Out, Bits<32>>,

    #[connect(read_enable = visits, write_enable = visits)]
    words: CounterMemory,
    /// Events since the scan's last visit.
    count: Vec<Register<Bits<8, narrow_bits>>, { Counter::COUNT }>,
    /// The count, while the scan visits the low word; else 0.
    taken: Vec<Register<Bits<8, narrow_bits>>, { Counter::COUNT }>,
    pending: Register<Bits<64, { 8 * geometry.harts }>>,
    clear_now: Register<Bit>,
    #[connect(q = visits)]
    running: Register<Bit, true>,
    /// There was an event or another reason to go on since the scan visited word 0.
    stirred: Register<Bit>,
    #[connect(q = word)]
    scan: Register<Bits<4>>,
    // A register of its own drives the memory's read address: block RAM takes it without an adder before it.
    /// Word to read, two ahead of the scan.
    ahead: Register<Bits<4>, 2>,
    stored: Register<Bits<32>, { start & u64::from(u32::MAX) }>,
    carry: Register<Bit>,
    /// Clear in progress: the scan zeroes words until it reaches `last`.
    zeroing: Register<Bit, true>,
    last: Register<Bits<4>>,
    /// Zeroing was last started by reset: words get the start value of the configuration.
    starting: Option<Register<Bit, true>, { start != 0 }>,
}

/// The last word of a round.
const LAST_WORD: u64 = 15;

#[kernel]
impl Counters {
    /// The scan, and the word that it visits.
    fn scan(&mut self) {
        let next_scan = self.scan + 1;
        self.clear_now.d.next = self.clear;

        // A whole round without a reason has collected all there was, and ended the last clear.
        let wakes = self.pending.any() | self.clear | self.busy;
        let at_end = self.scan == LAST_WORD;
        self.stirred.d.next = wakes | (self.stirred & !at_end);
        self.running.d.next = wakes | (self.running & !(at_end & !self.stirred));

        // The sixteen words from the command on read 0.
        let zeroes = self.clear_now | (self.zeroing & (next_scan != self.last));
        self.zeroing.d.next = zeroes;
        if self.clear_now {
            self.last.d.next = next_scan;
        }

        // The narrow counters.
        self.pending.d.next = self.events;
        let mut collected: Bits<8> = 0.into();
        for i in 0..self.count.len() {
            // Adding one bit synthesises to a carry chain alone. Selecting one of two counts would not.
            let mut total: Bits<8> = self.count[i].q;
            for h in 0..self._harts {
                total = total + bit_cast::<8, 1>(self.pending.get_bits::<1>(8 * h + i));
            }
            // One of the two registers takes the total. The other is cleared by its synchronous reset, at no cost in logic.
            let take = next_scan == (2 * i).to_bits::<4>();
            self.count[i].d.next = total;
            if take | self.clear_now {
                self.count[i].d.next = 0.into();
            }
            self.taken[i].d.next = total;
            if !take | self.clear_now {
                self.taken[i].d.next = 0.into();
            }
            collected = collected | self.taken[i].q;
        }

        // The word of the next cycle.
        self.words.read_address.next = bit_cast::<16, 4>(self.ahead);
        if self.running {
            self.scan.d.next = next_scan;
            self.ahead.d.next = self.ahead + 1;
            self.stored.d.next = self.words.word;
        }
        if zeroes {
            self.stored.d.next = 0.into();
        }
        if zeroes & !self.clear_now & self.starting? {
            self.stored.d.next = if next_scan.get_bit(0) {
                self.high_start
            } else {
                self.low_start
            };
        }
        if self.clear_now {
            self.starting?.d.next = false;
        }

        // A high word adds the carry of the low word before it, and no events.
        let addend = if self.carry { collected | 1 } else { collected };
        let sum = bit_cast::<33, 32>(self.stored) + bit_cast::<33, 8>(addend);
        // A carry into a word that is being cleared belongs to the old count.
        self.carry.d.next =
            sum.get_bit(32) & !self.scan.get_bit(0) & !self.clear_now & self.has_high;
        let word = bit_cast::<32, 33>(sum);
        let new_word = if self._masked & self.scan.get_bit(0) {
            word & self.high_mask
        } else {
            word
        };
        self.words.write_address.next = bit_cast::<16, 4>(self.scan);
        self.words.write_word.next = new_word;
        self.value.next = new_word;
    }
}
