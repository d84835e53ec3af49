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

use crate::circuit::circuit;
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// Which entry of a set makes room.
#[circuit(resetless, layout: &TagLayout)]
pub struct Least {
    /// A way is seen.
    pub sees: Signal<In, Bit>,
    /// It is the last, and none holds the path.
    pub misses: Signal<In, Bit>,
    /// The way that is seen.
    #[bits(layout.way_bits)]
    pub way: Signal<In, Bits<8>>,
    /// It holds a path.
    pub filled: Signal<In, Bit>,
    /// Its accumulator.
    #[bits(layout.count_bits)]
    pub stored: Signal<In, Bits<32>>,
    /// The path's count.
    #[bits(layout.events_bits)]
    pub count: Signal<In, Bits<32>>,

    /// The path takes an entry.
    pub takes: Signal<Out, Bit>,
    /// That was another's.
    pub replaces: Signal<Out, Bit>,
    /// The way of that entry, the one that is seen included.
    #[bits(layout.way_bits)]
    pub least_way: Signal<Out, Bits<8>>,

    #[bits(layout.count_bits)]
    least: Delay<Bits<32>>,
    #[bits(layout.way_bits)]
    #[connect(d = least_way)]
    place: Delay<Bits<8>>,
}

impl Logic for Least {
    #[hdl_gen]
    fn update(&mut self) {
        self.least_way.next = self.place.q.val();
        if self.sees.val() & (!self.way.val().any() | (self.stored.val() < self.least.q.val())) {
            self.least.d.next = self.stored.val();
            self.least_way.next = self.way.val();
        }
        self.takes.next = self.misses.val() & self.count.val().any();
        self.replaces.next = self.takes.val() & self.filled.val();
    }
}
