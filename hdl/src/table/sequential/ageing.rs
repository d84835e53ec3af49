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

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::rrip::{NEW, USED_AGAIN, VALUE_BITS};
use rust_hdl::prelude::*;

use super::policy::PolicyPorts;
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};
use crate::table::layout::TagLayout;

/// RRIP values of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any, read_enable)]
pub struct ValueMemory {
    /// Predicted re-reference of the entry; the smallest value is evicted.
    value: Bits<2, VALUE_BITS>,
}

/// RRIP policy: selects the victim and ages the other candidates.
#[circuit(geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct Ageing {
    /// Ports of the policy.
    #[flat]
    pub ports: PolicyPorts<geometry>,

    #[connect(ports.{read_enable, read_address})]
    values: ValueMemory<layout>,
    #[connect(d = values.value)]
    value_2: Delay<Bits<2, VALUE_BITS>>,
    /// Smallest value so far plus 1; 0 for an empty entry.
    least: Delay<Bits<3, { VALUE_BITS + 1 }>>,
    #[connect(q = ports.target)]
    least_cell: Delay<Bits<16, { layout.number_bits() }>>,
    ages: Register<Bit>,
}

#[kernel]
impl Ageing {
    /// The victim, and the values that are written.
    fn values(&mut self) {
        let rank: Bits<3> = if self.ports.filled {
            bit_cast::<3, 2>(self.value_2) + 1
        } else {
            0.into()
        };
        if self.ports.searches & self.ports.compared & (!self.ports.way.any() | (rank < self.least))
        {
            self.least.d.next = rank;
            self.least_cell.d.next = self.ports.cell;
        }
        if self.ports.wipes {
            self.least_cell.d.next = self.ports.cell;
        }

        self.ports.takes.next = self.ports.misses & self.ports.count.any();
        self.ports.replaces.next = self.ports.takes & self.least.any();
        self.ports.scans_again.next = self.ports.replaces;
        self.ages.d.next = self.ports.scans_again | (self.ages & !self.ports.ends);
        self.ports.done.next =
            (self.ports.misses & !self.ports.scans_again) | (self.ages & self.ports.ends);

        // The value of an empty entry is a don't-care: the path that fills the entry overwrites it.
        let others = self.ages & self.ports.compared & (self.ports.cell != self.least_cell);
        self.values.write_enable.next = self.ports.found | self.ports.takes | others;
        self.values.write_address.next = self.ports.cell;
        self.values.write_value.next = self.value_2 - self.least.get_bits::<2>(0) + 1;
        if self.ports.found {
            self.values.write_value.next = USED_AGAIN.into();
        }
        if self.ports.takes {
            self.values.write_address.next = self.least_cell;
            self.values.write_value.next = NEW.into();
        }
    }
}
