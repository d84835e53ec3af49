//! Evicted entries: a second copy of the entries, in which each entry is read before it is overwritten.
//!
//! ```text
//!   stage   0                       1
//!   number -+------------------->[number] --+
//!           v                               v
//!         ( RAM, one entry a cell, read )  ( write ) <--- [tag, accumulator]
//!                   |                                        |
//!                   +---> the entry as it was ----+--> left  v
//!                         the change one ahead ---+ <------ [ ]      if it was of this entry
//! ```
//!
//! Nothing else uses the memory's read port, so an entry can change in every cycle. A read at the edge of a write of
//! the same cell is undefined. The written value is then taken from a register.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::{PathOfTag, TAG_BITS, TagLayout};
use crate::bundles::LeftSource;
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};

/// Copy of the table's entries, for evictions.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any, read_enable)]
pub struct EvictionMemory {
    /// Tag of the entry.
    tag: Bits<TAG_BITS, { layout.width() }>,
    /// Low part of the start address, which the tag omits.
    start_low: Bits<16, { layout.set_bits }>,
    /// Accumulator of the entry.
    count: Bits<32, { layout.count_bits }>,
}

/// Outputs evicted entries as they were before the change.
/// Name suffixes are stages of the change.
///
/// Timing: an entry evicted by a change in cycle *t* is on `left` in *t* + 1.
#[circuit(geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct Evictions {
    /// An entry is written in this cycle.
    pub changed: Signal<In, Bit>,
    /// The previous content of the entry is evicted.
    pub leaves: Signal<In, Bit>,
    /// Number of the entry: set * WAYS + way.
    pub number: Signal<In, Bits<16, { layout.number_bits() }>>,
    /// New tag of the entry.
    pub tag: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// New low part of the start address, which the tag omits.
    pub start_low: Signal<In, Bits<16, { layout.set_bits }>>,
    /// New accumulator of the entry.
    pub count: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Evicted path.
    pub left: LeftSource<geometry>,

    #[connect(
        read_enable = changed, read_address = number, write_enable = changed_1.q, write_address = number_1.q,
        write_tag = tag_1.q, write_start_low = start_low_1.q, write_count = count_1.q
    )]
    entries: EvictionMemory<layout>,
    #[connect(left.{start, outcomes, length})]
    path: PathOfTag<layout>,
    changed_1: Register<Bit>,
    #[connect(q = left.valid)]
    leaves_1: Register<Bit>,
    repeats_1: Delay<Bit>,
    number_1: Delay<Bits<16, { layout.number_bits() }>>,
    tag_1: Delay<Bits<TAG_BITS, { layout.width() }>>,
    start_low_1: Delay<Bits<16, { layout.set_bits }>>,
    count_1: Delay<Bits<32, { layout.count_bits }>>,
    tag_2: Delay<Bits<TAG_BITS, { layout.width() }>>,
    start_low_2: Delay<Bits<16, { layout.set_bits }>>,
    count_2: Delay<Bits<32, { layout.count_bits }>>,
}

#[kernel]
impl Evictions {
    /// The entry as it was before the change.
    fn entries(&mut self) {
        self.changed_1.d.next = self.changed;
        self.leaves_1.d.next = self.leaves;
        self.repeats_1.d.next = self.changed_1 & (self.number_1 == self.number);
        self.number_1.d.next = self.number;
        self.tag_1.d.next = self.tag;
        self.start_low_1.d.next = self.start_low;
        self.count_1.d.next = self.count;

        self.tag_2.d.next = self.tag_1;
        self.start_low_2.d.next = self.start_low_1;
        self.count_2.d.next = self.count_1;

        self.path.tag.next = self.entries.tag;
        self.path.start_low.next = self.entries.start_low;
        self.left.count.next = self.entries.count;
        if self.repeats_1 {
            self.path.tag.next = self.tag_2;
            self.path.start_low.next = self.start_low_2;
            self.left.count.next = self.count_2;
        }
    }
}
