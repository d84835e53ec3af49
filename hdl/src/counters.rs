//! The statistics counters: wide counts in a small memory, narrow counts where the events happen.
//!
//! ```text
//!   event 0 --> [ narrow 0 ] --+
//!      ...          ...        +--> + <--- word, carry
//!   event 7 --> [ narrow 7 ] --+    |        ^
//!                                   v        |
//!                       value ---> ( RAM: 8 x low, high ) ---> [ stored ]   scan: one word a cycle
//! ```
//!
//! A scan visits the sixteen words in turn. At a low word it adds the narrow counter and empties it. At the high word
//! that follows, it adds the carry. Software's read waits until the scan passes, so a low word and the high word after
//! it come from one moment. A command, like reset, clears the narrow counters and the carry at once. The words count as
//! 0 at their next visit, so the counters read 0 from then on.
//!
//! Timing: an event of cycle *t* is in the low word that the scan visits in cycle *t* + 2 to *t* + 18, and its carry in
//! the high word a cycle later. Events and the command are registered first, so that neither the table nor the bus
//! decoder is in the counters' paths. Events up to the cycle of the command are cleared.

use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge};
use crate::register::Register;

/// Width of a narrow counter: the scan comes by in every sixteenth cycle.
const NARROW_BITS: u32 = 5;

/// Counts one event between two visits of the scan.
#[circuit()]
pub struct EventCounter {
    /// The event happens.
    pub event: Signal<In, Bit>,
    /// The scan visits it in the next cycle.
    pub take: Signal<In, Bit>,
    /// Forget everything.
    pub clear: Signal<In, Bit>,
    /// Events before the visit, in the cycle of the visit; else 0.
    pub collected: Signal<Out, Bits<5>>,
    count: Register<Bits<5>>,
    #[connect(q = collected)]
    taken: Register<Bits<5>>,
    #[bits(1)]
    step: Signal<Local, Bits<5>>,
    total: Signal<Local, Bits<5>>,
}

impl Logic for EventCounter {
    #[hdl_gen]
    fn update(&mut self) {
        // An addend of one bit, not a choice between two counts: the sum is a carry chain and nothing else.
        self.step.next = 0.into();
        if self.event.val() {
            self.step.next = 1.into();
        }
        self.total.next = self.count.q.val() + self.step.val();
        // One of the two takes the total; clearing the other costs nothing in front of a register.
        self.count.d.next = self.total.val();
        if self.take.val() | self.clear.val() {
            self.count.d.next = 0.into();
        }
        self.taken.d.next = self.total.val();
        if !self.take.val() | self.clear.val() {
            self.taken.d.next = 0.into();
        }
    }
}

/// Statistics, gathered in a memory that is scanned one word a cycle.
#[circuit(geometry: &Geometry, start: u64)]
pub struct Counters {
    /// The event of counter *i* happens: bit *i*, in the order of the counters' addresses.
    pub events: Signal<In, Bits<8>>,
    /// Zero all counters.
    pub clear: Signal<In, Bit>,
    /// Word the scan visits: twice the counter's number, plus 1 for the high word.
    pub word: Signal<Out, Bits<4>>,
    /// Its value.
    pub value: Signal<Out, Bits<32>>,

    #[new(2 * Counter::COUNT as u32, 32, SameEdge::New)]
    words: Ram<32>,
    #[each(i in Counter::COUNT)]
    #[new()]
    #[connect(clear = clear_now.q)]
    narrow: Vec<EventCounter>,
    pending: Register<Bits<8>>,
    clear_now: Register<Bit>,
    #[connect(q = word)]
    scan: Register<Bits<4>>,
    // A register of its own: the proof of a netlist tells the memory's two addresses apart by their nets.
    /// Word to read, two ahead of the scan.
    #[reset(2)]
    ahead: Register<Bits<4>>,
    #[reset(start & u64::from(u32::MAX))]
    stored: Register<Bits<32>>,
    carry: Register<Bit>,
    /// The words from the present one to the one before `last` are yet to be zeroed.
    #[reset(true)]
    zeroing: Register<Bit>,
    last: Register<Bits<4>>,
    /// Reset is the last thing that zeroed them; only where they do not start at 0.
    #[each(i in usize::from(start != 0))]
    #[reset(true)]
    starting: Vec<Register<Bit>>,

    next_scan: Signal<Local, Bits<4>>,
    zeroes: Signal<Local, Bit>,
    #[bits(NARROW_BITS)]
    collected: Signal<Local, Bits<5>>,
    #[bits(NARROW_BITS)]
    addend: Signal<Local, Bits<33>>,
    sum: Signal<Local, Bits<33>>,
    new_word: Signal<Local, Bits<32>>,
    #[number(Geometry::mask(geometry.counter_bits) >> 32)]
    high_mask: Constant<Bits<32>>,
    #[number(start & u64::from(u32::MAX))]
    low_start: Constant<Bits<32>>,
    #[number((start & Geometry::mask(geometry.counter_bits)) >> 32)]
    high_start: Constant<Bits<32>>,
    #[value(Counter::COUNT)]
    _count: usize,
    #[value(usize::from(start != 0))]
    _starting: usize,
    /// Whether there are high words.
    #[number(geometry.counter_bits > 32)]
    high: Constant<Bit>,
    // A mask in front of the memory costs a look-up table a bit.
    /// Whether high words have fewer bits than low ones, and more than none.
    #[value(usize::from(!geometry.counter_bits.is_multiple_of(32)))]
    _masked: usize,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        self.next_scan.next = self.scan.q.val() + 1;
        self.scan.d.next = self.next_scan.val();
        self.clear_now.d.next = self.clear.val();

        // Sixteen words from the command on.
        self.zeroes.next = self.clear_now.q.val()
            | (self.zeroing.q.val() & (self.next_scan.val() != self.last.q.val()));
        self.zeroing.d.next = self.zeroes.val();
        if self.clear_now.q.val() {
            self.last.d.next = self.next_scan.val();
        }

        // The narrow counters.
        self.pending.d.next = self.events.val();
        self.collected.next = 0.into();
        for i in 0..self._count {
            self.narrow[i].event.next = self.pending.q.val().get_bit(i);
            self.narrow[i].take.next = self.next_scan.val() == (2 * i).to_bits::<4>();
            self.collected.next = self.collected.val() | self.narrow[i].collected.val();
        }

        // The word of the next cycle.
        self.ahead.d.next = self.ahead.q.val() + 1;
        self.words.read_address.next = bit_cast::<16, 4>(self.ahead.q.val());
        self.stored.d.next = self.words.read_data.val();
        if self.zeroes.val() {
            self.stored.d.next = 0.into();
        }
        for i in 0..self._starting {
            if self.zeroes.val() & !self.clear_now.q.val() & self.starting[i].q.val() {
                self.stored.d.next = self.low_start.val();
                if self.next_scan.val().get_bit(0) {
                    self.stored.d.next = self.high_start.val();
                }
            }
            if self.clear_now.q.val() {
                self.starting[i].d.next = false;
            }
        }

        // A high word takes the carry of the low word visited just before, and no events.
        self.addend.next = bit_cast::<33, 5>(self.collected.val());
        if self.carry.q.val() {
            self.addend.next = bit_cast::<33, 5>(self.collected.val() | 1);
        }
        self.sum.next = bit_cast::<33, 32>(self.stored.q.val()) + self.addend.val();
        // A carry into a word that is being zeroed belongs to what was forgotten.
        self.carry.d.next = self.sum.val().get_bit(32)
            & !self.scan.q.val().get_bit(0)
            & !self.clear_now.q.val()
            & self.high.val();
        self.new_word.next = bit_cast::<32, 33>(self.sum.val());
        for _i in 0..self._masked {
            if self.scan.q.val().get_bit(0) {
                self.new_word.next = bit_cast::<32, 33>(self.sum.val()) & self.high_mask.val();
            }
        }
        self.words.write_address.next = bit_cast::<16, 4>(self.scan.q.val());
        self.words.write_data.next = self.new_word.val();
        self.words.write_enable.next = true;

        self.value.next = self.new_word.val();
    }
}
