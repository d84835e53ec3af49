//! The path stack: one record a cycle in, at most one completed path a cycle out.
//!
//! ```text
//!   record ---> [ update the top ] --+--> path_* (registered)
//!                  ^                 |
//!                  |                 +--> push ---> ( RAM: entries below the top )
//!               [ top ] <--- next top: target | updated top | entry below <--- pop
//! ```
//!
//! The top's start and outcomes are the OR of two registers each, of which one is popped into: clearing the other costs
//! nothing. A new entry that a split pushes at once is marked, and cleared when it is popped, whatever was stored.
//!
//! The top entry lives in registers; the entries below it lie in a ring in memory. The memory is read at the place
//! the next cycle's below entry will have, and shows a word written at the same edge, so a call, return, call,
//! return ... stream runs at one record a cycle. A push onto a full stack overwrites the oldest entry: the ring wraps
//! and the occupancy stays.
//!
//! Whether a record changes the extension counter, and so neither pops nor pushes, is known last, behind a comparison. So
//! every decision is one between two that are made without it, or waits for it alone.
//!
//! Timing: a path that a record completes in cycle *t* stands on `path_*` in cycle *t* + 1, together with the
//! statistics pulses.
//!
//! The operations are those of Vaswani's thesis, section 5.3.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::entry_layout::{ENTRY_BITS, EntryLayout};
use crate::ram::{Ram, SameEdge};
use crate::register::{Delay, Register};

/// The path stack.
#[derive(LogicBlock)]
pub struct PathStack {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// What the record does: update, (update_count), pop, push from bit 0. Without a record it is 0.
    pub row: Signal<In, Bits<4>>,
    /// The path extends if its counter is below `limit`.
    pub extends: Signal<In, Bit>,
    /// The path takes an extension back if its counter is above 0.
    pub retracts: Signal<In, Bit>,
    /// A pop together with a push keeps the extension counter.
    pub keeps: Signal<In, Bit>,
    /// A path counts its events rather than 1.
    pub counts_events: Signal<In, Bit>,
    /// The greatest extension counter.
    pub limit: Signal<In, Bits<8>>,
    /// The outcome to append is taken; 0 if none is appended.
    pub taken: Signal<In, Bit>,
    /// Start of a new entry, without its constant low bits.
    pub target: Signal<In, Bits<64>>,
    /// Events to add; 0 if none are counted.
    pub events: Signal<In, Bits<32>>,
    /// Empty the stack: its only entry is a path that begins at the target. The row is 0, and the path neither extends
    /// nor takes an extension back. The first record after reset must say so.
    pub purge: Signal<In, Bit>,

    /// A path is complete.
    pub path_valid: Signal<Out, Bit>,
    /// Address of its first instruction, without its constant low bits.
    pub path_start: Signal<Out, Bits<64>>,
    /// Branches recorded along it.
    pub path_length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    pub path_outcomes: Signal<Out, Bits<64>>,
    /// What it adds to its accumulator.
    pub path_count: Signal<Out, Bits<32>>,

    /// A path was split at the maximum length (statistics).
    pub split: Signal<Out, Bit>,
    /// A pop left the stack empty (statistics).
    pub underflow: Signal<Out, Bit>,
    /// A push dropped the oldest entry (statistics).
    pub overflow: Signal<Out, Bit>,
    /// Events did not fit into an event counter (sticky error).
    pub saturated: Signal<Out, Bit>,

    entries: Ram<ENTRY_BITS>,
    pushed_target: Delay<Bits<64>>,
    popped_start: Delay<Bits<64>>,
    appended: Delay<Bits<64>>,
    popped: Delay<Bits<64>>,
    length: Delay<Bits<7>>,
    place_low: Delay<Bits<8>>,
    place_high: Delay<Bits<8>>,
    counter: Register<Bits<32>>,
    extension: Delay<Bits<8>>,
    occupancy: Delay<Bits<9>>,
    below: Register<Bits<8>>,

    out_valid: Register<Bit>,
    out_start: Delay<Bits<64>>,
    out_outcomes: Delay<Bits<64>>,
    out_length: Delay<Bits<7>>,
    out_count: Delay<Bits<32>>,
    out_split: Register<Bit>,
    out_underflow: Register<Bit>,
    out_overflow: Register<Bit>,
    out_saturated: Register<Bit>,

    stays: Signal<Local, Bit>,
    appends: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
    pushes: Signal<Local, Bit>,
    fills: Signal<Local, Bit>,
    lone: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    deeper: Signal<Local, Bit>,
    shallower: Signal<Local, Bit>,
    splits: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    grows: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    fresh: Signal<Local, Bit>,
    blank: Signal<Local, Bit>,
    forgets: Signal<Local, Bit>,
    mark: Signal<Local, Bits<8>>,
    place: Signal<Local, Bits<64>>,
    next_length: Signal<Local, Bits<7>>,
    move_below: Signal<Local, Bits<8>>,
    change: Signal<Local, Bits<9>>,
    outcome: Vec<Signal<Local, Bits<64>>>,
    start: Signal<Local, Bits<64>>,
    new_outcomes: Signal<Local, Bits<64>>,
    new_length: Signal<Local, Bits<7>>,
    sum: Signal<Local, Bits<40>>,
    over: Signal<Local, Bit>,
    new_counter: Signal<Local, Bits<32>>,
    stepped_extension: Signal<Local, Bits<8>>,
    pushed_start: Signal<Local, Bits<64>>,
    pushed_extension: Signal<Local, Bits<8>>,
    next_below: Signal<Local, Bits<8>>,
    above: Signal<Local, Bits<8>>,
    entry: Signal<Local, Bits<ENTRY_BITS>>,

    one: Constant<Bits<8>>,
    last_low: Constant<Bits<8>>,
    last_high: Constant<Bits<8>>,
    depth: Constant<Bits<9>>,
    place_mask: Constant<Bits<8>>,
    occupancy_mask: Constant<Bits<9>>,
    start_mask: Constant<Bits<64>>,
    outcomes_mask: Constant<Bits<64>>,
    length_mask: Constant<Bits<7>>,
    counter_mask: Constant<Bits<32>>,
    extension_mask: Constant<Bits<8>>,
    counter_bits: Constant<Bits<8>>,
    outcomes_lsb: Constant<Bits<8>>,
    length_lsb: Constant<Bits<8>>,
    events_lsb: Constant<Bits<8>>,
    extension_lsb: Constant<Bits<8>>,
    blank_lsb: Constant<Bits<8>>,
}

impl PathStack {
    /// A stack of `geometry.stack_depth` entries.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = EntryLayout::new(geometry);
        let place_bits = geometry.stack_depth.trailing_zeros();
        let EntryLayout {
            start_bits,
            outcome_bits,
            events_bits,
            extension_bits,
            ..
        } = layout;
        let length_bits = geometry.length_bits();
        let sum_bits = events_bits.max(geometry.event_bits) + 1;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            row: Signal::default(),
            extends: Signal::default(),
            retracts: Signal::default(),
            keeps: Signal::default(),
            counts_events: Signal::default(),
            limit: sized(extension_bits),
            taken: Signal::default(),
            target: sized(start_bits),
            events: sized(geometry.event_bits),
            purge: Signal::default(),
            path_valid: Signal::default(),
            path_start: sized(start_bits),
            path_length: sized(length_bits),
            path_outcomes: sized(outcome_bits),
            path_count: sized(events_bits),
            split: Signal::default(),
            underflow: Signal::default(),
            overflow: Signal::default(),
            saturated: Signal::default(),
            entries: Ram::new(geometry.stack_depth, layout.width(), SameEdge::New),
            pushed_target: Delay::new(start_bits),
            popped_start: Delay::new(start_bits),
            appended: Delay::new(outcome_bits),
            popped: Delay::new(outcome_bits),
            length: Delay::new(layout.length_bits),
            place_low: Delay::new(8),
            place_high: Delay::new(outcome_bits.div_ceil(8)),
            counter: Register::zero(events_bits),
            extension: Delay::new(extension_bits),
            occupancy: Delay::new(place_bits + 1),
            below: Register::zero(place_bits),
            out_valid: Register::flag(false),
            out_start: Delay::new(start_bits),
            out_outcomes: Delay::new(outcome_bits),
            out_length: Delay::new(length_bits),
            out_count: Delay::new(events_bits),
            out_split: Register::flag(false),
            out_underflow: Register::flag(false),
            out_overflow: Register::flag(false),
            out_saturated: Register::flag(false),
            stays: Signal::default(),
            appends: Signal::default(),
            pops: Signal::default(),
            pushes: Signal::default(),
            fills: Signal::default(),
            lone: Signal::default(),
            full: Signal::default(),
            deeper: Signal::default(),
            shallower: Signal::default(),
            splits: Signal::default(),
            drops: Signal::default(),
            grows: Signal::default(),
            loads: Signal::default(),
            fresh: Signal::default(),
            blank: Signal::default(),
            forgets: Signal::default(),
            mark: sized(outcome_bits.div_ceil(8)),
            place: sized(8),
            next_length: sized(layout.length_bits),
            move_below: sized(place_bits),
            change: sized(place_bits + 1),
            outcome: (0..9).map(|_| sized(outcome_bits)).collect(),
            start: sized(start_bits),
            new_outcomes: sized(outcome_bits),
            new_length: sized(length_bits),
            sum: sized(sum_bits),
            over: Signal::default(),
            new_counter: sized(events_bits),
            stepped_extension: sized(extension_bits),
            pushed_start: sized(start_bits),
            pushed_extension: sized(extension_bits),
            next_below: sized(place_bits),
            above: sized(place_bits),
            entry: sized(layout.width()),
            one: number(1),
            last_low: number(1 << ((geometry.max_branches - 1) % 8)),
            last_high: number(1 << ((geometry.max_branches - 1) / 8)),
            depth: number(geometry.stack_depth),
            place_mask: number(geometry.stack_depth - 1),
            occupancy_mask: mask(place_bits + 1),
            start_mask: mask(start_bits),
            outcomes_mask: mask(outcome_bits),
            length_mask: mask(layout.length_bits),
            counter_mask: mask(events_bits),
            extension_mask: mask(extension_bits),
            counter_bits: number(events_bits),
            outcomes_lsb: number(layout.outcomes_lsb()),
            length_lsb: number(layout.length_lsb()),
            events_lsb: number(layout.events_lsb()),
            extension_lsb: number(layout.extension_lsb()),
            blank_lsb: number(layout.blank_lsb()),
        }
    }
}

impl Logic for PathStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("path_stack: applies one record a cycle to the top of the path stack.");
        comment!("The top entry is in registers, the entries below it in a ring in memory.");
        self.entries.clk.next = self.clk.val();
        self.pushed_target.clk.next = self.clk.val();
        self.popped_start.clk.next = self.clk.val();
        self.appended.clk.next = self.clk.val();
        self.popped.clk.next = self.clk.val();
        self.place_low.clk.next = self.clk.val();
        self.place_high.clk.next = self.clk.val();
        self.length.clk.next = self.clk.val();
        self.counter.clk.next = self.clk.val();
        self.counter.rst.next = self.rst.val();
        self.extension.clk.next = self.clk.val();
        self.occupancy.clk.next = self.clk.val();
        self.below.clk.next = self.clk.val();
        self.below.rst.next = self.rst.val();
        self.out_valid.clk.next = self.clk.val();
        self.out_valid.rst.next = self.rst.val();
        self.out_start.clk.next = self.clk.val();
        self.out_outcomes.clk.next = self.clk.val();
        self.out_length.clk.next = self.clk.val();
        self.out_count.clk.next = self.clk.val();
        self.out_split.clk.next = self.clk.val();
        self.out_split.rst.next = self.rst.val();
        self.out_underflow.clk.next = self.clk.val();
        self.out_underflow.rst.next = self.rst.val();
        self.out_overflow.clk.next = self.clk.val();
        self.out_overflow.rst.next = self.rst.val();
        self.out_saturated.clk.next = self.clk.val();
        self.out_saturated.rst.next = self.rst.val();

        // A record that changes the extension counter does its row without pop and push.
        self.stays.next = (self.extends.val() & (self.extension.q.val() < self.limit.val()))
            | (self.retracts.val() & self.extension.q.val().any());
        self.appends.next = self.row.val().get_bit(0);
        self.pops.next = self.row.val().get_bit(2);
        self.pushes.next = self.row.val().get_bit(3);

        self.start.next = self.pushed_target.q.val() | self.popped_start.q.val();
        // Update: append the outcome, add the events.
        self.place.next = bit_cast::<64, 8>(self.place_low.q.val());
        self.mark.next = 0.into();
        if self.taken.val() {
            self.mark.next = self.place_high.q.val();
        }
        self.outcome[8].next = 0.into();
        for i in 0..8 {
            self.outcome[i].next = self.outcome[i + 1].val();
            if self.mark.val().get_bit(i) {
                self.outcome[i].next =
                    self.outcome[i + 1].val() | (self.place.val() << (i.to_bits::<8>() << 3));
            }
        }
        self.new_outcomes.next = self.appended.q.val()
            | self.popped.q.val()
            | (self.outcome[0].val() & self.outcomes_mask.val());
        self.new_length.next = self.length.q.val();
        if self.appends.val() {
            self.new_length.next = self.length.q.val() + 1;
        }
        self.sum.next =
            bit_cast::<40, 32>(self.counter.q.val()) + bit_cast::<40, 32>(self.events.val());
        self.over.next = (self.sum.val() >> self.counter_bits.val()).any();
        self.new_counter.next = bit_cast::<32, 40>(self.sum.val()) & self.counter_mask.val();
        if self.over.val() {
            self.new_counter.next = self.counter_mask.val();
        }

        // What becomes of the stack.
        self.lone.next = self.occupancy.q.val() == 1;
        self.full.next = self.occupancy.q.val() == self.depth.val();
        self.fills.next = self.appends.val()
            & (self.place_low.q.val() & self.last_low.val()).any()
            & (self.place_high.q.val() & self.last_high.val()).any();
        self.deeper.next = self.pushes.val() & !self.pops.val();
        self.shallower.next = self.pops.val() & !self.pushes.val() & !self.lone.val();
        self.splits.next = self.fills.val() & (self.stays.val() | !self.pops.val());
        self.drops.next = self.pops.val() & !self.pushes.val() & !self.stays.val();
        self.grows.next = self.deeper.val() & !self.stays.val();
        self.loads.next = self.purge.val()
            | self.fills.val()
            | ((self.pops.val() | self.pushes.val()) & !self.stays.val());
        self.fresh.next = self.purge.val()
            | self.pushes.val()
            | (self.pops.val() & self.lone.val())
            | (self.fills.val() & !self.pops.val());
        self.blank.next = self.purge.val()
            | self.pushes.val()
            | (self.pops.val()
                & (self.lone.val() | (self.entry.val() >> self.blank_lsb.val()).any()))
            | (self.fills.val() & !self.pops.val());
        self.forgets.next = self.purge.val()
            | self.deeper.val()
            | (self.pops.val() & !self.pushes.val() & self.lone.val())
            | ((self.pushes.val() | (self.fills.val() & !self.pops.val())) & !self.keeps.val());
        if self.stays.val() {
            self.fresh.next = self.fills.val();
            self.blank.next = self.fills.val();
            self.forgets.next = self.fills.val() & !self.keeps.val();
        }

        // The entry a push leaves behind: the updated top, or the new entry of a split, marked.
        self.pushed_start.next = self.start.val();
        self.pushed_extension.next = self.extension.q.val();
        if self.fills.val() {
            self.pushed_start.next = self.target.val();
            if !self.keeps.val() {
                self.pushed_extension.next = 0.into();
            }
        }

        // The entry below the top, and the ring.
        self.above.next = (self.below.q.val() + 1) & self.place_mask.val();
        self.move_below.next = 0.into();
        if self.deeper.val() {
            self.move_below.next = 1.into();
        } else if self.shallower.val() {
            self.move_below.next = self.place_mask.val();
        }
        self.next_below.next = self.below.q.val();
        if !self.stays.val() {
            self.next_below.next =
                (self.below.q.val() + self.move_below.val()) & self.place_mask.val();
        }
        self.below.d.next = self.next_below.val();
        self.entries.read_address.next = bit_cast::<16, 8>(self.next_below.val());
        self.entries.write_address.next = bit_cast::<16, 8>(self.above.val());
        self.entries.write_enable.next = self.grows.val();
        self.entries.write_data.next = bit_cast::<ENTRY_BITS, 64>(self.pushed_start.val())
            | (bit_cast::<ENTRY_BITS, 64>(self.new_outcomes.val()) << self.outcomes_lsb.val())
            | (bit_cast::<ENTRY_BITS, 7>(self.new_length.val() & self.length_mask.val())
                << self.length_lsb.val())
            | (bit_cast::<ENTRY_BITS, 32>(self.new_counter.val()) << self.events_lsb.val())
            | (bit_cast::<ENTRY_BITS, 8>(self.pushed_extension.val()) << self.extension_lsb.val())
            | (bit_cast::<ENTRY_BITS, 1>(self.fills.val().into()) << self.blank_lsb.val());
        self.entry.next = self.entries.read_data.val();

        // The next top.
        self.next_length.next = self.new_length.val() & self.length_mask.val();
        if self.drops.val() {
            self.next_length.next =
                bit_cast::<7, ENTRY_BITS>(self.entry.val() >> self.length_lsb.val())
                    & self.length_mask.val();
        }
        // Of the two parts of the start, and of the outcomes, one is 0.
        self.pushed_target.d.next = self.pushed_target.q.val();
        self.popped_start.d.next = self.popped_start.q.val();
        if self.loads.val() {
            self.pushed_target.d.next = self.target.val();
            if self.shallower.val() & !self.stays.val() {
                self.pushed_target.d.next = 0.into();
            }
            self.popped_start.d.next =
                bit_cast::<64, ENTRY_BITS>(self.entry.val()) & self.start_mask.val();
            if self.fresh.val() {
                self.popped_start.d.next = 0.into();
            }
        }
        self.appended.d.next = self.new_outcomes.val();
        if self.loads.val() {
            self.appended.d.next = 0.into();
        }
        self.popped.d.next =
            bit_cast::<64, ENTRY_BITS>(self.entry.val() >> self.outcomes_lsb.val())
                & self.outcomes_mask.val();
        if self.blank.val() | !self.drops.val() {
            self.popped.d.next = 0.into();
        }
        self.length.d.next = self.next_length.val();
        self.place_low.d.next = self.one.val() << self.next_length.val().get_bits::<3>(0);
        self.place_high.d.next = self.one.val() << self.next_length.val().get_bits::<3>(3);
        self.counter.d.next = self.new_counter.val();
        if self.drops.val() {
            self.counter.d.next =
                bit_cast::<32, ENTRY_BITS>(self.entry.val() >> self.events_lsb.val())
                    & self.counter_mask.val();
        }
        if self.blank.val() {
            self.length.d.next = 0.into();
            self.place_low.d.next = 1.into();
            self.place_high.d.next = 1.into();
            self.counter.d.next = 0.into();
        }
        self.stepped_extension.next = self.extension.q.val() + 1;
        if self.retracts.val() {
            self.stepped_extension.next = self.extension.q.val() - 1;
        }
        self.extension.d.next = self.extension.q.val();
        if self.drops.val() {
            self.extension.d.next =
                bit_cast::<8, ENTRY_BITS>(self.entry.val() >> self.extension_lsb.val())
                    & self.extension_mask.val();
        }
        if self.stays.val() {
            self.extension.d.next = self.stepped_extension.val() & self.extension_mask.val();
        }
        if self.forgets.val() {
            self.extension.d.next = 0.into();
        }
        self.change.next = 0.into();
        if self.deeper.val() & !self.full.val() {
            self.change.next = 1.into();
        } else if self.shallower.val() {
            self.change.next = self.occupancy_mask.val();
        }
        self.occupancy.d.next = self.occupancy.q.val();
        if !self.stays.val() {
            self.occupancy.d.next =
                (self.occupancy.q.val() + self.change.val()) & self.occupancy_mask.val();
        }
        if self.purge.val() {
            self.occupancy.d.next = 1.into();
        }

        // What leaves.
        self.out_valid.d.next = self.fills.val() | (self.pops.val() & !self.stays.val());
        self.out_start.d.next = self.start.val();
        self.out_outcomes.d.next = self.new_outcomes.val();
        self.out_length.d.next = self.new_length.val();
        self.out_count.d.next = 1.into();
        if self.counts_events.val() {
            self.out_count.d.next = self.new_counter.val();
        }
        self.out_split.d.next = self.splits.val();
        self.out_underflow.d.next = self.drops.val() & self.lone.val();
        self.out_overflow.d.next = self.grows.val() & self.full.val();
        self.out_saturated.d.next = self.over.val();

        self.path_valid.next = self.out_valid.q.val();
        self.path_start.next = self.out_start.q.val();
        self.path_outcomes.next = self.out_outcomes.q.val();
        self.path_length.next = self.out_length.q.val();
        self.path_count.next = self.out_count.q.val();
        self.split.next = self.out_split.q.val();
        self.underflow.next = self.out_underflow.q.val();
        self.overflow.next = self.out_overflow.q.val();
        self.saturated.next = self.out_saturated.q.val();
    }
}
