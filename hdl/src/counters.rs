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
//! A clear command clears the narrow counters and the carry at once. The scan replaces each word by 0 at its next
//! visit, so the counters read 0 from then on. Reset works in the same way with the start value of the configuration.
//!
//! Timing: an event of cycle *t* is in the low word that the scan visits between *t* + 2 and *t* + 17. Its carry is in
//! the high word one cycle later. Events and the command are registered at the input, which keeps the table and the bus
//! decoder out of the counters' paths. A command also clears the events of its own cycle.

use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::ram::{Ram, SameEdge};
use crate::register::Register;

/// Width of a narrow counter. It counts at most one event a cycle for the sixteen cycles between two visits.
const NARROW_BITS: u32 = 5;

/// Narrow counter of one event; the counter scan collects and clears it.
#[circuit()]
pub struct EventCounter {
    /// The event occurs in this cycle.
    pub event: Signal<In, Bit>,
    /// The scan collects this counter in the next cycle.
    pub take: Signal<In, Bit>,
    /// Clear the counter.
    pub clear: Signal<In, Bit>,
    /// Events since the last collection, in the cycle of collection; else 0.
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
        // Adding one bit synthesises to a carry chain alone. Selecting one of two counts would not.
        self.step.next = 0.into();
        if self.event.val() {
            self.step.next = 1.into();
        }
        self.total.next = self.count.q.val() + self.step.val();
        // One of the two registers takes the total. The other is cleared by its synchronous reset, at no cost in logic.
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

/// Statistics counters in a memory; a scan visits one word per cycle.
#[circuit(geometry: &Geometry, start: u64)]
pub struct Counters {
    /// Bit i: event of counter i occurs, in address order of the counters.
    pub events: Signal<In, Bits<8>>,
    /// Clear all counters.
    pub clear: Signal<In, Bit>,
    /// Word that the scan visits: 2 * counter, plus 1 for the high word.
    pub word: Signal<Out, Bits<4>>,
    /// Value of the word that the scan visits.
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
    // A register of its own drives the memory's read address: block RAM takes it without an adder before it.
    /// Word to read, two ahead of the scan.
    #[reset(2)]
    ahead: Register<Bits<4>>,
    #[reset(start & u64::from(u32::MAX))]
    stored: Register<Bits<32>>,
    carry: Register<Bit>,
    /// Clear in progress: the scan zeroes words until it reaches `last`.
    #[reset(true)]
    zeroing: Register<Bit>,
    last: Register<Bits<4>>,
    /// Zeroing was last started by reset: words get the start value of the configuration.
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
    /// Counters have high words.
    #[number(geometry.counter_bits > 32)]
    high: Constant<Bit>,
    // High words are narrower than 32 bits. Without this case the mask would cost a LUT for each bit.
    #[value(usize::from(!geometry.counter_bits.is_multiple_of(32)))]
    _masked: usize,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        self.next_scan.next = self.scan.q.val() + 1;
        self.scan.d.next = self.next_scan.val();
        self.clear_now.d.next = self.clear.val();

        // The sixteen words from the command on read 0.
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

        // A high word adds the carry of the low word before it, and no events.
        self.addend.next = bit_cast::<33, 5>(self.collected.val());
        if self.carry.q.val() {
            self.addend.next = bit_cast::<33, 5>(self.collected.val() | 1);
        }
        self.sum.next = bit_cast::<33, 32>(self.stored.q.val()) + self.addend.val();
        // A carry into a word that is being cleared belongs to the old count.
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
