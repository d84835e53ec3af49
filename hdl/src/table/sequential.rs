//! The hot path table that looks the ways of a set up one after another: small, and it asks for back-pressure.
//!
//! ```text
//!   path_* ---> hash ---> set ------+ way
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
//! Programs repeat paths. Between two lookups the memories show the entry with which the last one ended. If the next path is that entry's, it is found in its second
//! cycle, and no way is looked up. The whole path is compared, with the part of its start that the set number stands for.
//!
//! In its first cycle a lookup leaves the memories' read port free, and nothing is written. A readout takes that cycle, or one between lookups behind which no path
//! is `coming`: it reads the whole entry at once and registers it, so an entry that is read out is never torn.
//!
//! Timing, of a path that is shown in cycle *p*: tag and accumulator of way *w* are addressed in *p* + 1 + *w* and
//! compared in *p* + 3 + *w*, which is the last if the path is found there. A path found in way *w* takes *w* + 4 cycles, any other WAYS + 3. A path takes two cycles
//! if it is that of the entry with which the lookup before ended, in *p* - 2 or before. What changes is
//! written in the last; an evicted entry stands on `left` a cycle later. `waits` is 1 from the first cycle to the last, so that the next path can be shown two cycles after it;
//! it is 0 in *p* + WAYS + 2, which is the last in any case. `entry.done` comes at
//! most WAYS + 5 cycles after `entry.request` rises; in cycle *t* it shows the entry as all lookups have left it that ended before *t* - 2.

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
    #[new(layout.width() + layout.set_bits)]
    tag_match: TagMatch,
    #[new(layout)]
    readable: PathOfTag,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    evictions: Vec<Evictions>,

    looking: Register<Bit>,
    /// The last way is compared.
    ends: Register<Bit>,
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
    /// A lookup has ended since reset.
    known: Register<Bit>,
    /// The memories show the entry with which the last one ended.
    reread: Delay<Bit>,
    /// They did so in the path's first cycle.
    again: Register<Bit>,
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
    #[number(geometry.ways)]
    step_before_last: Constant<Bits<6>>,
    #[number(layout.width())]
    tag_bits: Constant<Bits<8>>,
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
        // The path that is shown.
        self.begins.next =
            self.ports.path.valid.val() & !self.ports.freeze.val() & !self.walk.walking.val();
        self.looking.d.next = (self.begins.val() | self.looking.q.val()) & !self.done.val();
        self.ends.d.next =
            self.looking.q.val() & (self.step.q.val() == self.step_before_last.val());
        self.ports.waits.next =
            self.ports.path.valid.val() | (self.looking.q.val() & !self.ends.q.val());
        self.index.start.next = self.ports.path.start.val();
        self.index.outcomes.next = self.ports.path.outcomes.val();
        self.index.length.next = self.ports.path.length.val();
        self.layout.start.next = self.ports.path.start.val();
        self.layout.outcomes.next = self.ports.path.outcomes.val();
        self.layout.length.next = self.ports.path.length.val();

        // In its second cycle the path is compared with the entry of the lookup before. From step 2 on, a way is compared: is it the path's, is it the
        // least so far?
        self.tag_match.a.next = self.tags.tag.val()
            | (bit_cast::<TAG_BITS, 16>(self.tags.start_low.val()) << self.tag_bits.val());
        self.tag_match.b.next = self.layout.tag.val()
            | (bit_cast::<TAG_BITS, 16>(self.layout.start_low.val()) << self.tag_bits.val());
        self.again.d.next = self.begins.val() & self.reread.q.val();
        self.count_stage.d.next = self.counts.read_data.val();
        self.filled_stage.d.next = (self.tags.tag.val() & self.filled.val()).any();
        self.compares.next = self.looking.q.val() & (self.step.q.val() >> 1).any();
        self.found.next = (self.compares.val() | self.again.q.val()) & self.tag_match.same.val();
        self.less.next = self.count_stage.q.val() < self.least.q.val();
        self.vacant.next = self.vacancy.q.val() | !self.filled_stage.q.val();
        self.done.next = self.looking.q.val() & (self.found.val() | self.ends.q.val());
        self.way.d.next = bit_cast::<8, 6>(self.step.q.val());
        if self.looking.q.val() {
            self.way.d.next = bit_cast::<8, 6>(self.step.q.val()) - 1;
            self.step.d.next = self.step.q.val() + 1;
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
        self.changed.set.next = self.index.set.val();
        self.changed.way.next = self.least_way.q.val();
        if self.found.val() | self.less.val() {
            self.changed.way.next = self.way.q.val();
        }
        // Between lookups, the way that the last one ended with.
        if self.done.val() {
            self.step.d.next = bit_cast::<6, 8>(self.changed.way.val());
        }
        if self.begins.val() {
            self.step.d.next = 0.into();
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

        // Evicted: the entry that is replaced, or whose accumulator would overflow.
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

        // Cell to read: those of the path's set in turn, between lookups the last one's; or the wanted entry's.
        self.scanned.set.next = self.index.set.val();
        self.scanned.way.next = bit_cast::<8, 6>(self.step.q.val());
        self.tags.read_address.next = self.scanned.number.val();
        self.counts.read_address.next = self.scanned.number.val();
        if self.reads.val() {
            self.tags.read_address.next = self.ports.entry.number.val();
            self.counts.read_address.next = self.ports.entry.number.val();
        }

        // The readout: both memories show the wanted entry in the next cycle. Only a clear writes in a cycle in which it is read, and then it is empty.
        self.reads.next = self.ports.entry.request.val()
            & !self.looking.q.val()
            & (self.ports.path.valid.val() | !self.ports.coming.val())
            & !self.reading.q.val()
            & !self.answered.q.val();
        self.reading.d.next = self.reads.val();
        self.known.d.next = self.known.q.val() | self.done.val();
        self.reread.d.next = self.known.q.val()
            & !self.looking.q.val()
            & !self.walk.walking.val()
            & !self.reads.val();
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
