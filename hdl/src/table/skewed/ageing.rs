//! Which entry makes room for a path that is not in the table, and when: the one with the least value.
//!
//! ```text
//!   values of all ways, stage 3 ---> the least, and its first way ---> [ ] ---> who makes room
//!   judge ---> [ five cycles until the path is in all stages again ] ---> done
//! ```
//!
//! Values change with every path that is found. So a path that is not is looked up once more, when those ahead of it have left the pipeline, and then all
//! of its rows' values are right.
//!
//! Timing: a path that is judged in stage 4 in cycle *t* takes its row in *t* + 6.

use hpp_golden::profiler::table::rrip::VALUE_BITS;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::table::layout::{TagLayout, ones};

/// Cycles until the path that the ring shows in the next cycle is in all stages.
const STAGES: u32 = 5;

/// Which entry makes room.
#[circuit(layout: &TagLayout)]
pub struct Ageing {
    /// The path in stage 4 is to take the place of another.
    pub judge: Signal<In, Bit>,
    /// Ways whose value in stage 3 has its high bit.
    #[bits(layout.ways)]
    pub high_3: Signal<In, Bits<32>>,
    /// Ways whose value in stage 3 has its low bit.
    #[bits(layout.ways)]
    pub low_3: Signal<In, Bits<32>>,

    /// A path is judged.
    pub busy: Signal<Out, Bit>,
    /// The last cycle: the path takes its row.
    pub done: Signal<Out, Bit>,
    /// Way to write tag and accumulator to; in the last cycle.
    #[bits(layout.ways)]
    pub write: Signal<Out, Bits<32>>,
    /// The least value.
    #[bits(VALUE_BITS)]
    pub least: Signal<Out, Bits<2>>,

    judging: Register<Bit>,
    /// A 1 for each cycle until the path is in all stages.
    #[bits(STAGES)]
    settling: Delay<Bits<5>>,
    #[bits(VALUE_BITS)]
    least_4: Delay<Bits<2>>,
    /// The first way with the least value.
    #[bits(layout.ways)]
    way_4: Delay<Bits<32>>,
    #[bits(layout.ways)]
    none: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    low: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    high: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    least_ways: Signal<Local, Bits<32>>,
    #[number(ones(layout.ways))]
    all_ways: Constant<Bits<32>>,
    #[number(ones(STAGES))]
    stages: Constant<Bits<5>>,
    #[number(1)]
    one: Constant<Bits<8>>,
}

impl Logic for Ageing {
    #[hdl_gen]
    fn update(&mut self) {
        self.none.next = (self.high_3.val() | self.low_3.val()) ^ self.all_ways.val();
        self.low.next = self.low_3.val() & (self.high_3.val() ^ self.all_ways.val());
        self.high.next = self.high_3.val() & (self.low_3.val() ^ self.all_ways.val());
        self.least_ways.next = self.high_3.val();
        self.least_4.d.next = 3.into();
        if self.high.val().any() {
            self.least_ways.next = self.high.val();
            self.least_4.d.next = 2.into();
        }
        if self.low.val().any() {
            self.least_ways.next = self.low.val();
            self.least_4.d.next = 1.into();
        }
        if self.none.val().any() {
            self.least_ways.next = self.none.val();
            self.least_4.d.next = 0.into();
        }
        self.way_4.d.next =
            self.least_ways.val() & ((self.least_ways.val() ^ self.all_ways.val()) + 1);

        self.settling.d.next = self.settling.q.val() >> self.one.val();
        self.busy.next = self.judging.q.val();
        self.done.next = self.judging.q.val() & !self.settling.q.val().get_bit(0);
        self.write.next = 0.into();
        if self.done.val() {
            self.judging.d.next = false;
            self.write.next = self.way_4.q.val();
        }
        if self.judge.val() {
            self.judging.d.next = true;
            self.settling.d.next = self.stages.val();
        }
        self.least.next = self.least_4.q.val();
    }
}
