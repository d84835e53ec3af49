//! The decision: which way a path changes, and its accumulator.
//!
//! ```text
//!   hit bits ---> found? ---------------------------+
//!   least of the set, if the path one ahead changes another set --+--+
//!   that path's way or the least of the rest, if it changes this one +--> way
//!   accumulator of the hit + count, saturated; the count alone if not found ---> accumulator
//! ```
//!
//! Only `lower` comes late: it needs the accumulator of the path one ahead.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::TagLayout;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};

/// Stage 3 of the table, without a register. Vectors over the ways have a bit each.
#[derive(LogicBlock)]
pub struct Decision {
    /// The operation looks a path up.
    pub path: Signal<In, Bit>,
    /// The operation empties the set.
    pub clear: Signal<In, Bit>,
    /// Its count; 0 unless a path is looked up.
    pub count: Signal<In, Bits<32>>,
    /// The count is not 0.
    pub some: Signal<In, Bit>,
    /// The way in which the path is found.
    pub hits: Signal<In, Bits<32>>,
    /// Ways that are empty.
    pub vacant: Signal<In, Bits<32>>,
    /// The least frequently used way, if the operation one ahead does not change the set.
    pub least: Signal<In, Bits<32>>,
    /// The operation one ahead changes the set.
    pub follows: Signal<In, Bit>,
    /// The way it changes.
    pub changed: Signal<In, Bits<32>>,
    /// The least frequently used of the others.
    pub rest: Signal<In, Bits<32>>,
    /// The changed accumulator lies above another, and so above that one's.
    pub lower: Signal<In, Bit>,
    /// The path one ahead is this path.
    pub repeated: Signal<In, Bit>,
    /// That path's accumulator.
    pub repeated_base: Signal<In, Bits<32>>,
    /// The accumulator of this path in memory; 0 if a path not far ahead has changed it.
    pub stored: Signal<In, Bits<32>>,
    /// The accumulator of this path as the path two ahead has left it; 0 if that is another path.
    pub ahead: Signal<In, Bits<32>>,

    /// The path is found.
    pub found: Signal<Out, Bit>,
    /// The operation changes the set.
    pub changes: Signal<Out, Bit>,
    /// The path takes the way of another.
    pub replaces: Signal<Out, Bit>,
    /// The count does not fit into the accumulator.
    pub saturates: Signal<Out, Bit>,
    /// Number of the way, once it is one.
    pub number: Signal<Out, Bits<5>>,
    /// Ways whose accumulators are written.
    pub ways: Signal<Out, Bits<32>>,
    /// Ways whose tags are written.
    pub new_ways: Signal<Out, Bits<32>>,
    /// The accumulator.
    pub new_count: Signal<Out, Bits<32>>,

    is_found: Signal<Local, Bit>,
    inserts: Signal<Local, Bit>,
    forwarded: Signal<Local, Bits<32>>,
    left: Signal<Local, Bits<40>>,
    right: Signal<Local, Bits<40>>,
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,
    hit_ways: Signal<Local, Bits<32>>,
    if_lower: Signal<Local, Bits<32>>,
    if_not: Signal<Local, Bits<32>>,
    insert_if_lower: Signal<Local, Bits<32>>,
    insert_if_not: Signal<Local, Bits<32>>,
    cleared: Signal<Local, Bits<32>>,
    numbers_hit: Vec<Signal<Local, Bits<5>>>,
    numbers_lower: Vec<Signal<Local, Bits<5>>>,
    numbers_not: Vec<Signal<Local, Bits<5>>>,
    all_ways: Constant<Bits<32>>,
    count_bits: Constant<Bits<8>>,
    count_mask: Constant<Bits<32>>,
    low_mask: Constant<Bits<32>>,
    high_mask: Constant<Bits<32>>,
    _ways: usize,
    _end: usize,
}

impl Decision {
    /// The decision of a table of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = TagLayout::new(geometry);
        let (ways, count) = (layout.ways, layout.count_bits);
        Self {
            path: Signal::default(),
            clear: Signal::default(),
            count: sized(geometry.event_counter_bits),
            some: Signal::default(),
            hits: sized(ways),
            vacant: sized(ways),
            least: sized(ways),
            follows: Signal::default(),
            changed: sized(ways),
            rest: sized(ways),
            lower: Signal::default(),
            repeated: Signal::default(),
            repeated_base: sized(count),
            stored: sized(count),
            ahead: sized(count),
            found: Signal::default(),
            changes: Signal::default(),
            replaces: Signal::default(),
            saturates: Signal::default(),
            number: sized(layout.way_bits),
            ways: sized(ways),
            new_ways: sized(ways),
            new_count: sized(count),
            is_found: Signal::default(),
            inserts: Signal::default(),
            forwarded: sized(count),
            left: sized(count + 1),
            right: sized(count + 1),
            sum: sized(count + 1),
            over: Signal::default(),
            hit_ways: sized(ways),
            if_lower: sized(ways),
            if_not: sized(ways),
            insert_if_lower: sized(ways),
            insert_if_not: sized(ways),
            cleared: sized(ways),
            numbers_hit: numbers(&layout),
            numbers_lower: numbers(&layout),
            numbers_not: numbers(&layout),
            all_ways: mask(ways),
            count_bits: number(count),
            count_mask: mask(count),
            low_mask: mask(geometry.event_counter_bits),
            high_mask: number(low_ones(count) & !low_ones(geometry.event_counter_bits)),
            _ways: ways as usize,
            _end: ways as usize + 1,
        }
    }
}

const fn low_ones(width: u32) -> u32 {
    u32::MAX >> (u32::BITS - width)
}

/// Partial results of the number of the way whose bit is set.
fn numbers(layout: &TagLayout) -> Vec<Signal<Local, Bits<5>>> {
    (0..=layout.ways).map(|_| sized(layout.way_bits)).collect()
}

impl Logic for Decision {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("decision: which way a path changes, and its accumulator.");
        self.is_found.next = self.hits.val().any();
        self.inserts.next = self.path.val() & self.some.val() & !self.hits.val().any();
        self.found.next = self.is_found.val();
        self.changes.next =
            self.clear.val() | (self.path.val() & (self.some.val() | self.is_found.val()));
        self.replaces.next = self.inserts.val() & !self.vacant.val().any();

        // The least frequently used way, for either answer of the comparison, which comes last.
        self.if_lower.next = self.least.val();
        self.if_not.next = self.least.val();
        if self.follows.val() {
            self.if_lower.next = self.rest.val();
            self.if_not.next = self.changed.val();
        }
        self.insert_if_lower.next = 0.into();
        self.insert_if_not.next = 0.into();
        if self.inserts.val() {
            self.insert_if_lower.next = self.if_lower.val();
            self.insert_if_not.next = self.if_not.val();
        }
        self.cleared.next = 0.into();
        if self.clear.val() {
            self.cleared.next = self.all_ways.val();
        }
        self.hit_ways.next = self.cleared.val();
        if self.path.val() {
            self.hit_ways.next = self.hits.val();
        }
        self.new_ways.next = self.cleared.val() | self.insert_if_not.val();
        self.ways.next = self.hit_ways.val() | self.insert_if_not.val();
        if self.lower.val() {
            self.new_ways.next = self.cleared.val() | self.insert_if_lower.val();
            self.ways.next = self.hit_ways.val() | self.insert_if_lower.val();
        }

        // Its number.
        for i in self._ways..self._end {
            self.numbers_hit[i].next = 0.into();
            self.numbers_lower[i].next = 0.into();
            self.numbers_not[i].next = 0.into();
        }
        for i in 0..self._ways {
            self.numbers_hit[i].next = self.numbers_hit[i + 1].val();
            if self.hits.val().get_bit(i) {
                self.numbers_hit[i].next = self.numbers_hit[i + 1].val() | i.to_bits::<5>();
            }
            self.numbers_lower[i].next = self.numbers_lower[i + 1].val();
            if self.if_lower.val().get_bit(i) {
                self.numbers_lower[i].next = self.numbers_lower[i + 1].val() | i.to_bits::<5>();
            }
            self.numbers_not[i].next = self.numbers_not[i + 1].val();
            if self.if_not.val().get_bit(i) {
                self.numbers_not[i].next = self.numbers_not[i + 1].val() | i.to_bits::<5>();
            }
        }
        if self.is_found.val() {
            self.number.next = self.numbers_hit[0].val();
        } else if self.lower.val() {
            self.number.next = self.numbers_lower[0].val();
        } else {
            self.number.next = self.numbers_not[0].val();
        }

        // The accumulator to add to is in memory or in the pipeline, and 0 where it is not. Above the bits that a count can
        // have, each of the two is an operand of its own, which saves choosing between them.
        self.forwarded.next = self.ahead.val();
        if self.repeated.val() {
            self.forwarded.next = self.repeated_base.val();
        }
        self.left.next =
            bit_cast::<40, 32>(self.stored.val() | (self.forwarded.val() & self.low_mask.val()));
        self.right.next =
            bit_cast::<40, 32>((self.forwarded.val() & self.high_mask.val()) | self.count.val());
        self.sum.next = self.left.val() + self.right.val();
        self.over.next = (self.sum.val() >> self.count_bits.val()).any();
        self.saturates.next = self.path.val() & self.is_found.val() & self.over.val();
        // What is not found counts from 0.
        self.new_count.next = self.count.val();
        if self.is_found.val() {
            self.new_count.next = bit_cast::<32, 40>(self.sum.val()) & self.count_mask.val();
            if self.over.val() {
                self.new_count.next = self.count_mask.val();
            }
        }
    }
}
