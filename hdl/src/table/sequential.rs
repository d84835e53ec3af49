//! The hot path table that looks the ways of a set up one after another: small, and it asks for back-pressure.
//!
//! ```text
//!   path_* ---> hash ---> [ set ] --+ way
//!     |  ^                          v
//!     |  +-- waits         ( tags of all ways )---> pairs ---> [ ] ---> = ? -- found --> + --> new count
//!     +-------------------------------------------------^                               ^        |
//!                          ( counts of all ways )---> [ count ] --+---------------------+        |
//!                                   ^                             |                              |
//!                                   |                   < ? ---> [ least, its way ]              |
//!                                   +------------------------------------------------------------+
//! ```
//!
//! One memory holds the tags of all ways and one the accumulators; a way's cell has the number of its entry. So there is one
//! comparison of tags, one of magnitude and one adder, whatever the number of ways. Contents are those of one path after
//! another, exactly as in [`ParallelTable`](super::ParallelTable), because that is what happens here.
//!
//! The path stays on `path_*` while `waits` is 1, so the table keeps no copy of it. Whether it is looked up is decided in the cycle in which it is
//! shown first: `freeze` and `clearing` are looked at then. A clear waits for the lookup under way, then empties a way a cycle.
//!
//! In its first cycle a lookup leaves the memories' read port free, and nothing is written. A readout takes that cycle: it reads the whole entry at once and
//! registers it, so an entry that is read out is never torn.
//!
//! Timing, of a path that is shown in cycle *p*: its set is registered at the end of *p*; tag and accumulator of way *w* are addressed in *p* + 1 + *w* and
//! compared in *p* + 3 + *w*, which is the last if the path is found there. A path found in way *w* takes *w* + 4 cycles, any other WAYS + 3. What changes is
//! written in the last; what leaves the table stands on `left` a cycle later. `waits` is 1 from the first cycle to the last, so the next path can be shown two cycles after it. `entry.done` comes at
//! most WAYS + 4 cycles after `entry.request` rises; in cycle *t* it shows the entry as all lookups have left it that ended before *t* - 2.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::evictions::Evictions;
use super::index::SetIndex;
use super::layout::{PathOfTag, TAG_BITS, TagLayout, TagOfPath, ones};
use super::number::EntryNumber;
use super::ports::TablePorts;
use super::tag_match::TagMatch;
use super::walk::ClearWalk;
use crate::bundles::LeftSource;
use crate::circuit::{circuit, memory};
use crate::ram::{Ram, SameEdge};
use crate::register::{Delay, Register};

/// The tags of all entries.
#[memory(layout: &TagLayout, depth = 1 << layout.number_bits(), same_edge = SameEdge::Any)]
pub struct TagMemory {
    /// Tag; its highest bit is 0 if the entry is empty.
    #[bits(layout.width())]
    tag: Bits<TAG_BITS>,
    /// The low part of the start address, which the tag lacks.
    #[bits(layout.set_bits)]
    start_low: Bits<16>,
}

/// Set-associative table of paths and their counts, one way after another.
#[circuit(
    geometry: &Geometry,
    let layout = &TagLayout::new(geometry),
    let step_bits = u32::BITS - (geometry.ways + 1).leading_zeros()
)]
pub struct SequentialTable {
    /// To the profiler. `path` has `valid` in its first cycle, the rest until `waits` is 0.
    #[flat]
    #[bundle(geometry)]
    pub ports: TablePorts,

    #[new(geometry)]
    index: SetIndex,
    #[new(layout)]
    layout: TagOfPath,
    #[new(layout)]
    walk: ClearWalk,
    #[new(layout)]
    scanned: EntryNumber,
    #[new(layout)]
    changed: EntryNumber,
    #[new(layout)]
    tags: TagMemory,
    #[new(1 << layout.number_bits(), layout.count_bits, SameEdge::Any)]
    counts: Ram<32>,
    #[new(layout.width())]
    tag_match: TagMatch,
    #[new(layout)]
    readable: PathOfTag,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    evictions: Vec<Evictions>,

    looking: Register<Bit>,
    #[bits(layout.set_bits)]
    set_stage: Delay<Bits<16>>,
    filled_stage: Delay<Bit>,
    #[bits(layout.count_bits)]
    count_stage: Delay<Bits<32>>,
    #[bits(step_bits)]
    step: Register<Bits<6>>,
    #[bits(layout.way_bits)]
    way: Delay<Bits<8>>,
    #[bits(layout.count_bits)]
    least: Delay<Bits<32>>,
    #[bits(layout.way_bits)]
    least_way: Delay<Bits<8>>,
    vacancy: Delay<Bit>,
    reading: Register<Bit>,
    answered: Register<Bit>,
    blank: Delay<Bit>,
    #[bits(layout.width())]
    wanted_tag: Delay<Bits<TAG_BITS>>,
    #[bits(layout.set_bits)]
    wanted_start_low: Delay<Bits<16>>,
    #[bits(layout.count_bits)]
    wanted_count: Delay<Bits<32>>,

    begins: Signal<Local, Bit>,
    compares: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    vacant: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    inserts: Signal<Local, Bit>,
    clears: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    #[bits(layout.scan_bits())]
    changed_cell: Signal<Local, Bits<16>>,
    #[bits(layout.events_bits)]
    addend: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits)]
    new_count: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits + 1)]
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,

    #[value(usize::from(layout.drains))]
    _drains: usize,
    #[number(geometry.ways + 1)]
    last_step: Constant<Bits<6>>,
    #[number(layout.filled_bit())]
    filled: Constant<Bits<TAG_BITS>>,
    #[number(!layout.filled_bit())]
    path_part: Constant<Bits<TAG_BITS>>,
    #[number(layout.count_bits)]
    count_bits: Constant<Bits<8>>,
    #[number(ones(layout.count_bits))]
    greatest: Constant<Bits<32>>,
    #[number(ones(layout.count_bits))]
    count_part: Constant<Bits<40>>,
}

impl Logic for SequentialTable {
    #[hdl_gen]
    fn update(&mut self) {
        // The path that is shown: in its first cycle its set goes into a register.
        self.begins.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.looking.d.next = (self.begins.val() | self.looking.q.val()) & !self.done.val();
        self.ports.waits.next = self.ports.path.valid.val() | self.looking.q.val();
        self.index.start.next = self.ports.path.start.val();
        self.index.outcomes.next = self.ports.path.outcomes.val();
        self.index.length.next = self.ports.path.length.val();
        self.set_stage.d.next = self.index.set.val();
        self.layout.start.next = self.ports.path.start.val();
        self.layout.outcomes.next = self.ports.path.outcomes.val();
        self.layout.length.next = self.ports.path.length.val();

        // From step 2 on, a way is compared: is it the path's, is it the least so far?
        self.tag_match.a.next = self.tags.tag.val();
        self.tag_match.b.next = self.layout.tag.val();
        self.count_stage.d.next = self.counts.read_data.val();
        self.filled_stage.d.next = (self.tags.tag.val() & self.filled.val()).any();
        self.compares.next = self.looking.q.val() & (self.step.q.val() >> 1).any();
        self.way.d.next = bit_cast::<8, 6>(self.step.q.val()) - 1;
        self.found.next = self.compares.val() & self.tag_match.same.val();
        self.less.next = self.count_stage.q.val() < self.least.q.val();
        self.vacant.next = self.vacancy.q.val() | !self.filled_stage.q.val();
        self.done.next =
            self.looking.q.val() & (self.found.val() | (self.step.q.val() == self.last_step.val()));
        self.step.d.next = self.step.q.val() + 1;
        if !self.looking.q.val() | self.done.val() {
            self.step.d.next = 0.into();
        }

        // The least accumulator so far. The first way begins with the greatest there is, in way 0.
        if !self.compares.val() {
            self.least.d.next = self.greatest.val();
            self.least_way.d.next = 0.into();
        } else if self.less.val() {
            self.least.d.next = self.count_stage.q.val();
            self.least_way.d.next = self.way.q.val();
        }
        self.vacancy.d.next = self.compares.val() & self.vacant.val();

        // The clear walk, once the path from before is looked up.
        self.walk.clear.next = self.ports.clear.val();
        self.walk.ready.next = !self.looking.q.val();
        self.clears.next = self.walk.walking.val() & !self.looking.q.val();
        self.ports.clearing.next = self.walk.walking.val();

        // What changes: the way where the path was found, else the least.
        self.inserts.next = self.done.val() & !self.found.val() & self.ports.path.count.val().any();
        self.changed.set.next = self.set_stage.q.val();
        self.changed.way.next = self.least_way.q.val();
        if self.found.val() | self.less.val() {
            self.changed.way.next = self.way.q.val();
        }
        self.changed_cell.next = self.walk.entry.val();
        self.tags.write_tag.next = self.layout.tag.val() & self.path_part.val();
        self.addend.next = 0.into();
        if self.looking.q.val() {
            self.changed_cell.next = self.changed.number.val();
            self.tags.write_tag.next = self.layout.tag.val();
            self.addend.next = self.ports.path.count.val();
        }
        self.tags.write_start_low.next = self.layout.start_low.val();
        self.tags.write_address.next = self.changed_cell.val();
        self.tags.write_enable.next = self.clears.val() | self.inserts.val();
        self.sum.next = bit_cast::<40, 32>(self.count_stage.q.val())
            + bit_cast::<40, 32>(self.ports.path.count.val());
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.new_count.next = self.addend.val();
        if self.found.val() {
            self.new_count.next = bit_cast::<32, 40>(self.sum.val() & self.count_part.val());
            if self.over.val() {
                self.new_count.next = self.greatest.val();
                for _i in 0..self._drains {
                    self.new_count.next = self.ports.path.count.val();
                }
            }
        }
        self.counts.write_address.next = self.changed_cell.val();
        self.counts.write_data.next = self.new_count.val();
        self.counts.write_enable.next = self.clears.val() | self.inserts.val() | self.found.val();
        self.ports.hit.next = self.found.val();
        self.ports.replacement.next = self.inserts.val() & !self.vacant.val();
        self.ports.saturated.next = self.found.val() & self.over.val();

        // What leaves: the entry that is replaced, or whose accumulator would not hold the count.
        for i in 0..self._drains {
            self.ports.saturated.next = false;
            self.evictions[i].changed.next = self.counts.write_enable.val();
            self.evictions[i].leaves.next =
                self.ports.replacement.val() | (self.found.val() & self.over.val());
            self.evictions[i].number.next = self.changed_cell.val();
            self.evictions[i].tag.next = self.tags.write_tag.val();
            self.evictions[i].start_low.next = self.layout.start_low.val();
            self.evictions[i].count.next = self.new_count.val();
            LeftSource::link(&mut self.ports.left, &mut self.evictions[i].left);
        }

        // Cell to read: those of the path's set in turn, else the wanted entry's.
        self.scanned.set.next = self.set_stage.q.val();
        self.scanned.way.next = bit_cast::<8, 6>(self.step.q.val());
        self.tags.read_address.next = self.ports.entry.number.val();
        self.counts.read_address.next = self.ports.entry.number.val();
        if self.looking.q.val() {
            self.tags.read_address.next = self.scanned.number.val();
            self.counts.read_address.next = self.scanned.number.val();
        }

        // The readout: both memories show the wanted entry in the next cycle. Only a clear writes in a cycle in which it is read, and then it is empty.
        self.reads.next = self.ports.entry.request.val()
            & !self.looking.q.val()
            & !self.reading.q.val()
            & !self.answered.q.val();
        self.reading.d.next = self.reads.val();
        if self.reads.val() {
            self.blank.d.next = self.walk.walking.val();
        }
        if self.reading.q.val() {
            self.wanted_tag.d.next = self.tags.tag.val();
            self.wanted_start_low.d.next = self.tags.start_low.val();
            self.wanted_count.d.next = self.counts.read_data.val();
        }
        self.answered.d.next = self.reading.q.val() & self.ports.entry.request.val();
        self.readable.tag.next = self.wanted_tag.q.val();
        self.readable.start_low.next = self.wanted_start_low.q.val();
        self.ports.entry.done.next = self.answered.q.val();
        self.ports.entry.filled.next = self.readable.filled.val() & !self.blank.q.val();
        self.ports.entry.start.next = self.readable.start.val();
        self.ports.entry.outcomes.next = self.readable.outcomes.val();
        self.ports.entry.length.next = self.readable.length.val();
        self.ports.entry.count.next = self.wanted_count.q.val();
    }
}
