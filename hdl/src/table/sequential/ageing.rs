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

use crate::circuit::{circuit, kernel, memory};
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
}

#[kernel]
impl Ageing {
    /// The victim, and the values that are written.
    fn values(&mut self) {
        let rank: Bits<3> = if self.filled {
            bit_cast::<3, 2>(self.value_2) + 1
        } else {
            0.into()
        };
        if self.searches & self.sees & (!self.way.any() | (rank < self.least)) {
            self.least.d.next = rank;
            self.least_cell.d.next = self.cell;
        }

        self.takes.next = self.misses & self.count.any();
        self.replaces.next = self.takes & self.least.any();
        self.scans_again.next = self.replaces;
        self.ages.d.next = self.scans_again | (self.ages & !self.ends);
        self.done.next = (self.misses & !self.scans_again) | (self.ages & self.ends);

        // The value of an empty entry is a don't-care: the path that fills the entry overwrites it.
        let others = self.ages & self.sees & (self.cell != self.least_cell);
        self.values.write_enable.next = self.found | self.takes | others;
        self.values.write_address.next = self.cell;
        self.values.write_value.next = self.value_2 - self.least.get_bits::<2>(0) + 1;
        if self.found {
            self.values.write_value.next = USED_AGAIN.into();
        }
        if self.takes {
            self.values.write_address.next = self.least_cell;
            self.values.write_value.next = NEW.into();
        }
    }
}
