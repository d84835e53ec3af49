//! The statistics counters: wide counts in a small memory, narrow ones where the events happen.
//!
//! ```text
//!   event 0 --> [ narrow 0 ] --+
//!      ...          ...        +--> + <--- word, carry
//!   event 7 --> [ narrow 7 ] --+    |        ^
//!                                   v        |
//!                       value ---> ( RAM: 8 x low, high ) <--- scan: one word a cycle
//! ```
//!
//! A scan visits the sixteen words in turn. At a low word it adds and empties the narrow counter; at the high word
//! that follows, the carry. Software's read waits for the scan to pass, so a low word and the high word after it
//! belong to one moment. A command, like reset, zeroes the narrow counters at once and the words in one round.
//!
//! Timing: an event of cycle *t* is in the memory in cycle *t* + 18 at the latest.

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
    /// Word the scan visits.
    pub word: Signal<In, Bits<4>>,
    /// The scan empties the counters it visits.
    pub collect: Signal<In, Bit>,
    /// Forget everything.
    pub clear: Signal<In, Bit>,
    /// Events since the last visit, in the cycle of the visit; else 0.
    pub collected: Signal<Out, Bits<6>>,
    count: Register<Bits<6>>,
    visited: Signal<Local, Bit>,
    kept: Signal<Local, Bits<6>>,
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
            word: Signal::default(),
            collect: Signal::default(),
            clear: Signal::default(),
            collected: Signal::default(),
            count: Register::zero(NARROW_BITS),
            visited: Signal::default(),
            kept: Signal::default(),
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
        self.visited.next = self.word.val() == self.low_word.val();
        self.collected.next = 0.into();
        if self.visited.val() {
            self.collected.next = self.count.q.val();
        }
        self.kept.next = self.count.q.val();
        if self.visited.val() & self.collect.val() {
            self.kept.next = 0.into();
        }
        self.step.next = 0.into();
        if self.event.val() {
            self.step.next = 1.into();
        }
        self.count.d.next = self.kept.val() + self.step.val();
        if self.clear.val() {
            self.count.d.next = 0.into();
        }
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
    scan: Register<Bits<4>>,
    zeroing: Register<Bits<5>>,
    carry: Register<Bit>,
    next_scan: Signal<Local, Bits<4>>,
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
            scan: Register::zero(4),
            zeroing: Register::new(5, 16.into()),
            carry: Register::flag(false),
            next_scan: Signal::default(),
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
        self.scan.clk.next = self.clk.val();
        self.scan.rst.next = self.rst.val();
        self.zeroing.clk.next = self.clk.val();
        self.zeroing.rst.next = self.rst.val();
        self.carry.clk.next = self.clk.val();
        self.carry.rst.next = self.rst.val();

        self.pending.d.next = self.events.val();
        for i in 0..self._count {
            self.narrow[i].clk.next = self.clk.val();
            self.narrow[i].rst.next = self.rst.val();
            self.narrow[i].event.next = self.pending.q.val().get_bit(i);
            self.narrow[i].word.next = self.scan.q.val();
            self.narrow[i].collect.next = !self.zeroing.q.val().any();
            self.narrow[i].clear.next = self.clear.val();
        }
        for i in self._count..self._end {
            self.collected[i].next = 0.into();
        }
        for i in 0..self._count {
            self.collected[i].next = self.collected[i + 1].val() | self.narrow[i].collected.val();
        }

        self.next_scan.next = self.scan.q.val() + 1;
        self.scan.d.next = self.next_scan.val();
        self.words.read_address.next = bit_cast::<16, 4>(self.next_scan.val());

        // A high word takes the carry of the low word visited just before.
        self.addend.next = bit_cast::<33, 6>(self.collected[0].val());
        if self.scan.q.val().get_bit(0) {
            self.addend.next = 0.into();
            if self.carry.q.val() {
                self.addend.next = 1.into();
            }
        }
        self.sum.next = bit_cast::<33, 32>(self.words.read_data.val()) + self.addend.val();
        self.carry.d.next = self.sum.val().get_bit(32);
        self.new_word.next = bit_cast::<32, 33>(self.sum.val());
        if self.scan.q.val().get_bit(0) {
            self.new_word.next = bit_cast::<32, 33>(self.sum.val()) & self.high_mask.val();
        }
        self.zeroing.d.next = self.zeroing.q.val();
        if self.zeroing.q.val().any() {
            self.zeroing.d.next = self.zeroing.q.val() - 1;
            self.new_word.next = 0.into();
            self.carry.d.next = false;
        }
        if self.clear.val() {
            self.zeroing.d.next = 16.into();
        }
        self.words.write_address.next = bit_cast::<16, 4>(self.scan.q.val());
        self.words.write_data.next = self.new_word.val();
        self.words.write_enable.next = true;

        self.word.next = self.scan.q.val();
        self.value.next = self.new_word.val();
    }
}
