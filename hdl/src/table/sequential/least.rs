//! The LFU policy: a miss replaces the entry of the set with the smallest accumulator. Of equals, the lowest way is
//! replaced.
//!
//! ```text
//!   stored --+---> < least so far ? ---> [ least, its way ]
//!   filled --+---------------------------------------------> full
//! ```
//!
//! An empty entry has an accumulator of 0, and a filled one has more. A set therefore fills from way 0 upwards, and is
//! full if its last way is filled.

use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// LFU policy: selects the victim of a set.
#[circuit(resetless, layout: &TagLayout)]
pub struct Least {
    /// A way is compared in this cycle.
    pub sees: Signal<In, Bit>,
    /// The lookup misses; valid while the last way is compared.
    pub misses: Signal<In, Bit>,
    /// Way of the compared entry.
    #[bits(layout.way_bits)]
    pub way: Signal<In, Bits<8>>,
    /// The compared entry holds a path.
    pub filled: Signal<In, Bit>,
    /// Accumulator of the compared entry.
    #[bits(layout.count_bits)]
    pub stored: Signal<In, Bits<32>>,
    /// Count of the path, added to its accumulator: 1 or its events.
    #[bits(layout.events_bits)]
    pub count: Signal<In, Bits<32>>,

    /// Write the path to the LFU way.
    pub takes: Signal<Out, Bit>,
    /// The path evicts an entry.
    pub replaces: Signal<Out, Bit>,
    /// LFU way so far, including the compared one; the lowest of equals.
    #[bits(layout.way_bits)]
    pub least_way: Signal<Out, Bits<8>>,

    #[bits(layout.count_bits)]
    least: Delay<Bits<32>>,
    #[bits(layout.way_bits)]
    #[connect(d = least_way)]
    place: Delay<Bits<8>>,
}

#[kernel]
impl Least {
    /// The least way so far.
    fn victim(&mut self) {
        self.least_way.next = self.place;
        if self.sees & (!self.way.any() | (self.stored < self.least)) {
            self.least.d.next = self.stored;
            self.least_way.next = self.way;
        }
        self.takes.next = self.misses & self.count.any();
        self.replaces.next = self.takes & self.filled;
    }
}
