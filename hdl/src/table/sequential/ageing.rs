//! The `rrip` policy: a miss replaces the candidate with the smallest value.
//!
//! ```text
//!   read_address ---> ( values ) ---> [ ] --+--> < least so far ? ---> [ least, its cell ]
//!                         ^                 +--> minus the least ---+
//!                         +------------ used again, new ------------+
//! ```
//!
//! Timing: a path takes its row in the cycle of `misses`. If that evicts an entry, the other candidates are scanned
//! again. The evicted entry's value is subtracted from each of theirs in the cycle in which it is seen. That takes WAYS
//! + 2 more cycles.

use hpp_golden::profiler::table::rrip::{NEW, USED_AGAIN, VALUE_BITS};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};
use crate::table::layout::TagLayout;

/// RRIP values of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct ValueMemory {
    /// Predicted re-reference of the entry; the smallest value is evicted.
    #[bits(VALUE_BITS)]
    value: Bits<2>,
}

/// RRIP policy: selects the victim and ages the other candidates.
#[circuit(layout: &TagLayout)]
pub struct Ageing {
    /// A row is compared in this cycle.
    pub sees: Signal<In, Bit>,
    /// The row is compared for a lookup, not for a second scan.
    pub searches: Signal<In, Bit>,
    /// The row is the last one of the scan.
    pub ends: Signal<In, Bit>,
    /// The row holds the path: hit.
    pub found: Signal<In, Bit>,
    /// The lookup misses: no row holds the path.
    pub misses: Signal<In, Bit>,
    /// Number of the compared entry.
    #[bits(layout.number_bits())]
    pub cell: Signal<In, Bits<16>>,
    /// Way of the compared entry.
    #[bits(layout.way_bits)]
    pub way: Signal<In, Bits<8>>,
    /// The compared entry holds a path.
    pub filled: Signal<In, Bit>,
    /// Count of the path, added to its accumulator: 1 or its events.
    #[bits(layout.events_bits)]
    pub count: Signal<In, Bits<32>>,
    /// Number of the entry to read.
    #[bits(layout.scan_bits())]
    pub read_address: Signal<In, Bits<16>>,

    /// Pulse: scan the rows of the path again.
    pub scans_again: Signal<Out, Bit>,
    /// Write the path to entry target.
    pub takes: Signal<Out, Bit>,
    /// The path evicts an entry.
    pub replaces: Signal<Out, Bit>,
    /// Number of the entry to write.
    #[bits(layout.number_bits())]
    pub target: Signal<Out, Bits<16>>,
    /// Last cycle of a lookup that misses.
    pub done: Signal<Out, Bit>,

    #[new(layout)]
    #[connect(read_address)]
    values: ValueMemory,
    #[bits(VALUE_BITS)]
    #[connect(d = values.value)]
    value_2: Delay<Bits<2>>,
    /// Smallest value so far plus 1; 0 for an empty entry.
    #[bits(VALUE_BITS + 1)]
    least: Delay<Bits<3>>,
    #[bits(layout.number_bits())]
    #[connect(q = target)]
    least_cell: Delay<Bits<16>>,
    ages: Register<Bit>,

    #[bits(VALUE_BITS + 1)]
    rank: Signal<Local, Bits<3>>,
    others: Signal<Local, Bit>,
    #[number(NEW)]
    new_value: Constant<Bits<2>>,
    #[number(USED_AGAIN)]
    used_again: Constant<Bits<2>>,
}

impl Logic for Ageing {
    #[hdl_gen]
    fn update(&mut self) {
        self.rank.next = 0.into();
        if self.filled.val() {
            self.rank.next = bit_cast::<3, 2>(self.value_2.q.val()) + 1;
        }
        if self.searches.val()
            & self.sees.val()
            & (!self.way.val().any() | (self.rank.val() < self.least.q.val()))
        {
            self.least.d.next = self.rank.val();
            self.least_cell.d.next = self.cell.val();
        }

        self.takes.next = self.misses.val() & self.count.val().any();
        self.replaces.next = self.takes.val() & self.least.q.val().any();
        self.scans_again.next = self.replaces.val();
        self.ages.d.next = self.scans_again.val() | (self.ages.q.val() & !self.ends.val());
        self.done.next =
            (self.misses.val() & !self.scans_again.val()) | (self.ages.q.val() & self.ends.val());

        // The value of an empty entry is a don't-care: the path that fills the entry overwrites it.
        self.others.next =
            self.ages.q.val() & self.sees.val() & (self.cell.val() != self.least_cell.q.val());
        self.values.write_enable.next = self.found.val() | self.takes.val() | self.others.val();
        self.values.write_address.next = self.cell.val();
        self.values.write_value.next =
            self.value_2.q.val() - self.least.q.val().get_bits::<2>(0) + 1;
        if self.found.val() {
            self.values.write_value.next = self.used_again.val();
        }
        if self.takes.val() {
            self.values.write_address.next = self.least_cell.q.val();
            self.values.write_value.next = self.new_value.val();
        }
    }
}
