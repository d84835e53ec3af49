//! The statistics counters: wide counts in a small memory, narrow ones where the events happen.
//!
//! ```text
//!   event 0 --> [ narrow 0 ] --+
//!      ...          ...        +--> + <--- word, carry
//!   event 7 --> [ narrow 7 ] --+    |        ^
//!                                   v        |
//!                       value ---> ( RAM: 8 x low, high ) ---> [ stored ]   scan: one word a cycle
//! ```
//!
//! A scan visits the sixteen words in turn. At a low word it adds and empties the narrow counter; at the high word
//! that follows, the carry. Software's read waits for the scan to pass, so a low word and the high word after it
//! belong to one moment. A command, like reset, zeroes the narrow counters at once and the words in one round.
//!
//! Timing: an event of cycle *t* is in the memory in cycle *t* + 19 at the latest. Events and the command pass the same
//! number of registers first, so that neither the table nor the bus decoder stands in front of the counters.

use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::ram::{Ram, SameEdge};
use crate::register::Register;

/// Width of a narrow counter: two rounds of sixteen cycles may pass before it is emptied.
const NARROW_BITS: u32 = 6;

/// A narrow counter of one event.
#[derive(LogicBlock)]
pub struct EventCounter {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// The event happens.
    pub event: Signal<In, Bit>,
    /// Word the scan visits in the next cycle.
    pub next_word: Signal<In, Bits<4>>,
    /// The scan empties the counter it visits then.
    pub collect: Signal<In, Bit>,
    /// Forget everything.
    pub clear: Signal<In, Bit>,
    /// Events before the visit, in the cycle of the visit; else 0.
    pub collected: Signal<Out, Bits<6>>,
    count: Register<Bits<6>>,
    taken: Register<Bits<6>>,
    take: Signal<Local, Bit>,
    total: Signal<Local, Bits<6>>,
    step: Signal<Local, Bits<6>>,
    low_word: Constant<Bits<4>>,
}

impl EventCounter {
    /// The counter whose low word is `word`.
    #[must_use]
    pub fn new(word: u32) -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            event: Signal::default(),
            next_word: Signal::default(),
            collect: Signal::default(),
            clear: Signal::default(),
            collected: Signal::default(),
            count: Register::zero(NARROW_BITS),
            taken: Register::zero(NARROW_BITS),
            take: Signal::default(),
            total: Signal::default(),
            step: sized(1),
            low_word: number(word),
        }
    }
}

impl Logic for EventCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("event_counter: counts one event between two visits of the scan.");
        self.count.clk.next = self.clk.val();
        self.count.rst.next = self.rst.val();
        self.taken.clk.next = self.clk.val();
        self.taken.rst.next = self.rst.val();
        self.step.next = 0.into();
        if self.event.val() {
            self.step.next = 1.into();
        }
        self.total.next = self.count.q.val() + self.step.val();
        self.take.next = self.collect.val() & (self.next_word.val() == self.low_word.val());
        // One of the two takes the total; clearing the other costs nothing in front of a register.
        self.count.d.next = self.total.val();
        if self.take.val() | self.clear.val() {
            self.count.d.next = 0.into();
        }
        self.taken.d.next = self.total.val();
        if !self.take.val() | self.clear.val() {
            self.taken.d.next = 0.into();
        }
        self.collected.next = self.taken.q.val();
    }
}

/// All statistics counters.
#[derive(LogicBlock)]
pub struct Counters {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// The event of counter *i* happens: bit *i*, in the order of [`Counter`].
    pub events: Signal<In, Bits<8>>,
    /// Zero all counters.
    pub clear: Signal<In, Bit>,
    /// Word the scan visits: twice the counter's number, plus 1 for the high word.
    pub word: Signal<Out, Bits<4>>,
    /// Its value.
    pub value: Signal<Out, Bits<32>>,

    words: Ram<32>,
    narrow: Vec<EventCounter>,
    pending: Register<Bits<8>>,
    counted: Register<Bits<8>>,
    clear_now: Register<Bit>,
    scan: Register<Bits<4>>,
    zeroing: Register<Bits<5>>,
    carry: Register<Bit>,
    stored: Register<Bits<32>>,
    next_scan: Signal<Local, Bits<4>>,
    next_zeroing: Signal<Local, Bits<5>>,
    collected: Vec<Signal<Local, Bits<6>>>,
    addend: Signal<Local, Bits<33>>,
    sum: Signal<Local, Bits<33>>,
    new_word: Signal<Local, Bits<32>>,
    high_mask: Constant<Bits<32>>,
    _count: usize,
    _end: usize,
}

impl Counters {
    /// Counters of `geometry.counter_bits` bits.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let count = Counter::COUNT;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            events: Signal::default(),
            clear: Signal::default(),
            word: Signal::default(),
            value: Signal::default(),
            words: Ram::new(2 * count as u32, 32, SameEdge::New),
            narrow: Counter::ALL
                .iter()
                .map(|&counter| EventCounter::new(2 * counter as u32))
                .collect(),
            pending: Register::zero(count as u32),
            counted: Register::zero(count as u32),
            clear_now: Register::flag(false),
            scan: Register::zero(4),
            zeroing: Register::new(5, 16.into()),
            carry: Register::flag(false),
            stored: Register::zero(32),
            next_scan: Signal::default(),
            next_zeroing: Signal::default(),
            collected: (0..=count).map(|_| sized(NARROW_BITS)).collect(),
            addend: sized(NARROW_BITS),
            sum: Signal::default(),
            new_word: Signal::default(),
            high_mask: mask(geometry.counter_bits - 32),
            _count: count,
            _end: count + 1,
        }
    }
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("counters: statistics, gathered in a memory that is scanned one word a cycle.");
        self.words.clk.next = self.clk.val();
        self.pending.clk.next = self.clk.val();
        self.pending.rst.next = self.rst.val();
        self.counted.clk.next = self.clk.val();
        self.counted.rst.next = self.rst.val();
        self.clear_now.clk.next = self.clk.val();
        self.clear_now.rst.next = self.rst.val();
        self.scan.clk.next = self.clk.val();
        self.scan.rst.next = self.rst.val();
        self.zeroing.clk.next = self.clk.val();
        self.zeroing.rst.next = self.rst.val();
        self.carry.clk.next = self.clk.val();
        self.carry.rst.next = self.rst.val();
        self.stored.clk.next = self.clk.val();
        self.stored.rst.next = self.rst.val();

        self.next_zeroing.next = self.zeroing.q.val();
        if self.zeroing.q.val().any() {
            self.next_zeroing.next = self.zeroing.q.val() - 1;
        }
        self.clear_now.d.next = self.clear.val();
        if self.clear_now.q.val() {
            self.next_zeroing.next = 16.into();
        }
        self.zeroing.d.next = self.next_zeroing.val();
        self.next_scan.next = self.scan.q.val() + 1;
        self.scan.d.next = self.next_scan.val();

        self.pending.d.next = self.events.val();
        self.counted.d.next = self.pending.q.val();
        for i in 0..self._count {
            self.narrow[i].clk.next = self.clk.val();
            self.narrow[i].rst.next = self.rst.val();
            self.narrow[i].event.next = self.counted.q.val().get_bit(i);
            self.narrow[i].next_word.next = self.next_scan.val();
            self.narrow[i].collect.next = !self.next_zeroing.val().any();
            self.narrow[i].clear.next = self.clear_now.q.val();
        }
        for i in self._count..self._end {
            self.collected[i].next = 0.into();
        }
        for i in 0..self._count {
            self.collected[i].next = self.collected[i + 1].val() | self.narrow[i].collected.val();
        }

        // The word of the next cycle; while zeroing, 0, to which nothing is added either.
        self.words.read_address.next = bit_cast::<16, 4>(self.scan.q.val() + 2);
        self.stored.d.next = self.words.read_data.val();
        if self.next_zeroing.val().any() {
            self.stored.d.next = 0.into();
        }

        // A high word takes the carry of the low word visited just before, and no events.
        self.addend.next = bit_cast::<33, 6>(self.collected[0].val());
        if self.carry.q.val() {
            self.addend.next = bit_cast::<33, 6>(self.collected[0].val() | 1);
        }
        self.sum.next = bit_cast::<33, 32>(self.stored.q.val()) + self.addend.val();
        self.carry.d.next = self.sum.val().get_bit(32) & !self.scan.q.val().get_bit(0);
        self.new_word.next = bit_cast::<32, 33>(self.sum.val());
        if self.scan.q.val().get_bit(0) {
            self.new_word.next = bit_cast::<32, 33>(self.sum.val()) & self.high_mask.val();
        }
        self.words.write_address.next = bit_cast::<16, 4>(self.scan.q.val());
        self.words.write_data.next = self.new_word.val();
        self.words.write_enable.next = true;

        self.word.next = self.scan.q.val();
        self.value.next = self.new_word.val();
    }
}
