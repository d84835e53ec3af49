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

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::policy::PolicyPorts;
use crate::circuit::{circuit, kernel};
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// LFU policy: selects the victim of a set.
#[circuit(resetless, geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct Least {
    /// Ports of the policy.
    #[flat]
    pub ports: PolicyPorts<geometry>,

    /// LFU way so far, including the compared one; the lowest of equals.
    pub least_way: Signal<Out, Bits<8, { layout.way_bits }>>,

    least: Delay<Bits<32, { layout.count_bits }>>,
    #[connect(d = least_way)]
    place: Delay<Bits<8, { layout.way_bits }>>,
}

#[kernel]
impl Least {
    /// The least way so far.
    fn victim(&mut self) {
        self.least_way.next = self.place;
        if self.ports.compared & (!self.ports.way.any() | (self.ports.stored < self.least)) {
            self.least.d.next = self.ports.stored;
            self.least_way.next = self.ports.way;
        }
        self.ports.takes.next = self.ports.misses & self.ports.count.any();
        self.ports.replaces.next = self.ports.takes & self.ports.filled;
        self.ports.done.next = self.ports.misses;
    }
}
