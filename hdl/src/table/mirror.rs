//! The mirror: a second copy of the table's entries, for software to read one at a time.
//!
//! The table's own memories show a set at a time, and may look up a path in every cycle. Each operation, when it is
//! decided, therefore also writes the entry it changes to this memory. Nothing else uses the memory's read port.
//!
//! ```text
//!   stage   5                     6                              7
//!   set, way ---> number ------> [number] --+----------------> [number] ---> ( RAM, one entry a cell ) ---> entry_*
//!   tag, accumulator ----------> [ ] -------|----------------> [ ]      ---> ( write            read )
//!                                           v                                              ^
//!   entry_number ------------------------- = ? ---> meets ---> [meets] ---> free? ---------+
//! ```
//!
//! A memory read at the edge at which the same cell is written returns anything. An entry may be written in every
//! cycle, so waiting alone might never end. But the next write makes the earlier of two such writes useless: it is left
//! out, and the entry is read as it was before it. An entry is therefore read in the cycle of the request or the next,
//! whatever retires, and is as it was at one moment. The memory's output stays until the next request, and is the
//! latch.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::entry_port::EntryPort;
use super::layout::{PathOfTag, TAG_BITS, TagLayout};
use super::number::EntryNumber;
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};

/// The entries, one a cell.
#[memory(layout: &TagLayout, read_enable, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct MirrorMemory {
    /// Tag.
    #[bits(layout.width())]
    tag: Bits<TAG_BITS>,
    /// The low part of the start address, which the tag lacks.
    #[bits(layout.set_bits)]
    start_low: Bits<16>,
    /// Accumulator.
    #[bits(layout.count_bits)]
    count: Bits<32>,
}

/// The table's entries once more, for software to read one at a time.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
///
/// Timing: `done` comes one or two cycles after `request` rises. In cycle *t* it shows the entry as all operations have left it that were in
/// stage 0 of the table in cycle *t* - 9 or before.
#[circuit(geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct Mirror {
    /// Stage 5: the operation has changed its set.
    pub changed_5: Signal<In, Bit>,
    /// Stage 5: the set was emptied.
    pub cleared_5: Signal<In, Bit>,
    /// Stage 5: set.
    #[bits(layout.set_bits)]
    pub set_5: Signal<In, Bits<16>>,
    /// Stage 5: way that has changed (one-hot).
    #[bits(layout.ways)]
    pub way_5: Signal<In, Bits<32>>,
    /// Stage 5: tag.
    #[bits(layout.width())]
    pub tag_5: Signal<In, Bits<TAG_BITS>>,
    /// Stage 5: what the tag lacks of the start address.
    #[bits(layout.set_bits)]
    pub start_low_5: Signal<In, Bits<16>>,
    /// Stage 7: accumulator.
    #[bits(layout.count_bits)]
    pub count_7: Signal<In, Bits<32>>,
    /// Way to empty, of a set that was emptied.
    #[bits(layout.way_bits)]
    pub cleared_way: Signal<In, Bits<8>>,
    /// Sets are being emptied in stages before the fifth.
    pub emptying: Signal<In, Bit>,

    /// Stage 5: number of the entry that has changed.
    #[bits(layout.number_bits())]
    #[present(geometry.has_drain())]
    pub number_5: Signal<Out, Bits<16>>,

    /// To software.
    #[bundle(geometry)]
    pub entry: EntryPort,

    #[new(layout)]
    #[connect(set = set_5, number = number_5)]
    number: EntryNumber,
    #[new(layout)]
    #[connect(
        write_address = number_stage_7.q, write_tag = tag_stage_7.q,
        write_start_low = start_low_stage_7.q, write_count = count_7, read_address = entry.number,
        count = entry.count
    )]
    entries: MirrorMemory,
    #[new(layout)]
    #[connect(entries.{tag, start_low}, entry.{start, outcomes, length})]
    path: PathOfTag,
    changed_stage_6: Register<Bit>,
    cleared_stage_6: Register<Bit>,
    #[bits(layout.number_bits())]
    number_stage_6: Delay<Bits<16>>,
    #[bits(layout.width())]
    tag_stage_6: Delay<Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    start_low_stage_6: Delay<Bits<16>>,
    changed_stage_7: Register<Bit>,
    cleared_stage_7: Register<Bit>,
    meets_stage_7: Register<Bit>,
    #[bits(layout.number_bits())]
    number_stage_7: Delay<Bits<16>>,
    #[bits(layout.width())]
    tag_stage_7: Delay<Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    start_low_stage_7: Delay<Bits<16>>,
    #[connect(q = entry.done)]
    done: Register<Bit>,
    blank: Delay<Bit>,
    #[bits(layout.way_bits + 2)]
    way: Signal<Local, Bits<8>>,
    meets: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    #[value(layout.ways as usize)]
    _ways: usize,
}

impl Logic for Mirror {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 5: which entry has changed. While a set is emptied, its ways have their turn.
        self.way.next = 0.into();
        for i in 0..self._ways {
            if self.way_5.val().get_bit(i) {
                self.way.next = self.way.val() | i.to_bits::<8>();
            }
        }
        self.number.way.next = self.way.val();
        if self.cleared_5.val() {
            self.number.way.next = self.cleared_way.val();
        }
        self.changed_stage_6.d.next = self.changed_5.val();
        self.cleared_stage_6.d.next = self.cleared_5.val();
        self.number_stage_6.d.next = self.number.number.val();
        self.tag_stage_6.d.next = self.tag_5.val();
        self.start_low_stage_6.d.next = self.start_low_5.val();

        // Stage 6: whether it is the wanted one.
        self.meets.next =
            self.changed_stage_6.q.val() & (self.number_stage_6.q.val() == self.entry.number.val());
        self.changed_stage_7.d.next = self.changed_stage_6.q.val();
        self.cleared_stage_7.d.next = self.cleared_stage_6.q.val();
        self.meets_stage_7.d.next = self.meets.val();
        self.number_stage_7.d.next = self.number_stage_6.q.val();
        self.tag_stage_7.d.next = self.tag_stage_6.q.val();
        self.start_low_stage_7.d.next = self.start_low_stage_6.q.val();

        // Stage 7: a write of the wanted entry yields to the next one.
        self.reads.next = self.entry.request.val()
            & !self.done.q.val()
            & (!self.meets_stage_7.q.val() | self.meets.val());
        self.entries.write_enable.next =
            self.changed_stage_7.q.val() & !(self.reads.val() & self.meets_stage_7.q.val());

        // The wanted entry; none while all are to be empty, and some may not be yet.
        self.entries.read_enable.next = self.reads.val();
        self.done.d.next = self.reads.val();
        if self.reads.val() {
            self.blank.d.next = self.emptying.val()
                | self.cleared_5.val()
                | self.cleared_stage_6.q.val()
                | self.cleared_stage_7.q.val();
        }
        self.entry.filled.next = self.path.filled.val() & !self.blank.q.val();
    }
}
