//! The mirror: a second copy of the table's entries, from which software reads.
//!
//! The table's own memories are addressed by set, and may serve a path in every cycle. Each operation therefore also
//! writes the entry that it changes to this memory. Nothing else uses the mirror's read port.
//!
//! ```text
//!   stage   5                     6                              7
//!   set, way ---> number ------> [number] --+----------------> [number] ---> ( RAM, one entry a cell ) ---> entry_*
//!   tag, accumulator ----------> [ ] -------|----------------> [ ]      ---> ( write            read )
//!                                           v                                              ^
//!   entry_number ------------------------- = ? ---> meets ---> [meets] ---> free? ---------+
//! ```
//!
//! A read at the edge of a write of the same cell is undefined. The entry may be written in every cycle, so waiting for
//! a cycle without a write might never end. Of two writes in consecutive cycles, however, the second makes the first
//! useless. The first is then suppressed, and the read returns the entry as it was before both. An entry is therefore
//! read in the cycle of the request or the next, and is a consistent snapshot. The memory's output register holds it
//! until the next request.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::entry_port::EntryPort;
use super::layout::{PathOfTag, TAG_BITS, TagLayout};
use super::number::EntryNumber;
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};

/// Copy of the table's entries, for software.
#[memory(layout: &TagLayout, read_enable, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct MirrorMemory {
    /// Tag of the entry.
    tag: Bits<TAG_BITS, { layout.width() }>,
    /// Low part of the start address, which the tag omits.
    start_low: Bits<16, { layout.set_bits }>,
    /// Accumulator of the entry.
    count: Bits<32, { layout.count_bits }>,
}

/// Copy of the table that software reads one entry at a time.
/// Name suffixes are pipeline stages.
///
/// Timing: `done` comes one or two cycles after `request` rises. An entry that is output in cycle *t* contains the
/// results of all operations that entered the table in *t* - 9 or earlier.
#[circuit(
    geometry: &Geometry, let layout = &TagLayout::new(geometry),
    const _ways: usize = layout.ways as usize
)]
pub struct Mirror {
    /// Stage 5: the operation changed its set.
    pub changed_5: Signal<In, Bit>,
    /// Stage 5: the operation cleared its set.
    pub cleared_5: Signal<In, Bit>,
    /// Stage 5: set of the operation.
    pub set_5: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 5: way that changed (one-hot).
    pub way_5: Signal<In, Bits<32, { layout.ways }>>,
    /// Stage 5: tag of the operation.
    pub tag_5: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 5: low part of the start address, which the tag omits.
    pub start_low_5: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 7: accumulator.
    pub count_7: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Way to clear in a cleared set.
    pub cleared_way: Signal<In, Bits<8, { layout.way_bits }>>,
    /// Operations in earlier stages clear their sets.
    pub emptying: Signal<In, Bit>,

    /// Stage 5: number of the changed entry, set * WAYS + way.
    pub number_5: Signal<Out, Bits<16, { layout.number_bits() }>, { geometry.has_drain() }>,

    /// Entry port for software.
    pub entry: EntryPort<geometry>,

    #[connect(set = set_5, number = number_5)]
    number: EntryNumber<layout>,
    #[connect(
        write_address = number_stage_7.q, write_tag = tag_stage_7.q,
        write_start_low = start_low_stage_7.q, write_count = count_7, read_address = entry.number,
        count = entry.count
    )]
    entries: MirrorMemory<layout>,
    #[connect(entries.{tag, start_low}, entry.{start, outcomes, length})]
    path: PathOfTag<layout>,
    changed_stage_6: Register<Bit>,
    cleared_stage_6: Register<Bit>,
    number_stage_6: Delay<Bits<16, { layout.number_bits() }>>,
    tag_stage_6: Delay<Bits<TAG_BITS, { layout.width() }>>,
    start_low_stage_6: Delay<Bits<16, { layout.set_bits }>>,
    changed_stage_7: Register<Bit>,
    cleared_stage_7: Register<Bit>,
    meets_stage_7: Register<Bit>,
    number_stage_7: Delay<Bits<16, { layout.number_bits() }>>,
    tag_stage_7: Delay<Bits<TAG_BITS, { layout.width() }>>,
    start_low_stage_7: Delay<Bits<16, { layout.set_bits }>>,
    #[connect(q = entry.done)]
    done: Register<Bit>,
    blank: Delay<Bit>,
    way: Signal<Local, Bits<8, { layout.way_bits + 2 }>>,
}

#[kernel]
impl Mirror {
    /// Each change is written, unless it meets a read.
    fn entries(&mut self) {
        // Stage 5: the number of the changed entry. While a set is emptied, the walk counts through its ways.
        self.way.next = 0.into();
        for i in 0..self._ways {
            if self.way_5.get_bit(i) {
                self.way.next = self.way | i.to_bits::<8>();
            }
        }
        self.number.way.next = self.way;
        if self.cleared_5 {
            self.number.way.next = self.cleared_way;
        }
        self.changed_stage_6.d.next = self.changed_5;
        self.cleared_stage_6.d.next = self.cleared_5;
        self.number_stage_6.d.next = self.number.number;
        self.tag_stage_6.d.next = self.tag_5;
        self.start_low_stage_6.d.next = self.start_low_5;

        // Stage 6: whether it is the requested entry.
        let meets = self.changed_stage_6 & (self.number_stage_6 == self.entry.number);
        self.changed_stage_7.d.next = self.changed_stage_6;
        self.cleared_stage_7.d.next = self.cleared_stage_6;
        self.meets_stage_7.d.next = meets;
        self.number_stage_7.d.next = self.number_stage_6;
        self.tag_stage_7.d.next = self.tag_stage_6;
        self.start_low_stage_7.d.next = self.start_low_stage_6;

        // Stage 7: a write of the requested entry is suppressed if the next cycle writes it again.
        let reads = self.entry.request & !self.done & (!self.meets_stage_7 | meets);
        self.entries.write_enable.next = self.changed_stage_7 & !(reads & self.meets_stage_7);

        // The entry reads as empty while a clear is in progress.
        self.entries.read_enable.next = reads;
        self.done.d.next = reads;
        if reads {
            self.blank.d.next =
                self.emptying | self.cleared_5 | self.cleared_stage_6 | self.cleared_stage_7;
        }
        self.entry.filled.next = self.path.filled & !self.blank;
    }
}
