//! The paths that wait for a table that looks its ways up one after another.
//!
//! ```text
//!   path ---> ( RAM, 16 places ) ---> the oldest path ---> scan
//!                ^ write    ^ read                          |
//!                +-- pointers <------------ done -----------+
//!                       |
//!                       +--> occupied, hold
//! ```
//!
//! The places are a memory, because a block RAM or the RAM in logic cells costs less than registers, and is there as a
//! whole. `hold` leaves four of them free: for the paths of the records that are already on their way from the queue, and
//! that of the one that leaves it in this cycle.
//!
//! Timing: a path put in in cycle *t* is the oldest in cycle *t* + 2 at the earliest; the next one follows the cycle of
//! `done` at once.

use rust_hdl::prelude::*;

use super::layout::TagLayout;
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Paths there is room for, the one being looked up included.
pub const PLACES: u32 = 16;

/// With so many paths in it, the buffer asks that no further record leaves the queue.
pub const HOLD_AT: u32 = 12;

/// The paths of the buffer.
#[memory(layout: &TagLayout, depth = PLACES, same_edge = SameEdge::Any)]
pub struct PathMemory {
    /// Start without the constant low bits.
    #[bits(layout.address_bits)]
    start: Bits<64>,
    /// Outcomes.
    #[bits(layout.outcome_bits)]
    outcomes: Bits<64>,
    /// Length.
    #[bits(layout.length_bits)]
    length: Bits<7>,
    /// Count.
    #[bits(layout.events_bits)]
    count: Bits<32>,
}

/// FIFO of paths before a table that takes several cycles for one.
#[circuit(layout: &TagLayout, let pointer_bits = PLACES.trailing_zeros() + 1)]
pub struct PathBuffer {
    /// Put a path in.
    pub put: Signal<In, Bit>,
    /// Start of the new path without the constant low bits.
    #[bits(layout.address_bits)]
    pub new_start: Signal<In, Bits<64>>,
    /// Outcomes of the new path.
    #[bits(layout.outcome_bits)]
    pub new_outcomes: Signal<In, Bits<64>>,
    /// Length of the new path.
    #[bits(layout.length_bits)]
    pub new_length: Signal<In, Bits<7>>,
    /// Count of the new path.
    #[bits(layout.events_bits)]
    pub new_count: Signal<In, Bits<32>>,

    /// The oldest path is shown.
    pub valid: Signal<Out, Bit>,
    /// Start of the oldest path without the constant low bits.
    #[bits(layout.address_bits)]
    pub start: Signal<Out, Bits<64>>,
    /// Outcomes of the oldest path.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Length of the oldest path.
    #[bits(layout.length_bits)]
    pub length: Signal<Out, Bits<7>>,
    /// Count of the oldest path.
    #[bits(layout.events_bits)]
    pub count: Signal<Out, Bits<32>>,
    /// The oldest path leaves; only while `valid` is 1.
    pub done: Signal<In, Bit>,
    /// There is a path, shown or not.
    pub occupied: Signal<Out, Bit>,
    /// There is little room left.
    pub hold: Signal<Out, Bit>,

    #[new(layout)]
    paths: PathMemory,
    #[bits(pointer_bits)]
    write_pointer: Register<Bits<5>>,
    #[bits(pointer_bits)]
    read_pointer: Register<Bits<5>>,
    shown: Register<Bit>,
    #[bits(pointer_bits)]
    occupancy: Signal<Local, Bits<5>>,
    #[bits(pointer_bits)]
    read_next: Signal<Local, Bits<5>>,
    #[number(HOLD_AT)]
    hold_at: Constant<Bits<5>>,
}

impl Logic for PathBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        // The pointers count one bit further than the places, so their difference is the occupancy.
        if self.put.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        self.read_next.next = self.read_pointer.q.val();
        if self.done.val() {
            self.read_next.next = self.read_pointer.q.val() + 1;
        }
        self.read_pointer.d.next = self.read_next.val();
        self.occupancy.next = self.write_pointer.q.val() - self.read_pointer.q.val();
        self.occupied.next = self.occupancy.val().any();
        self.hold.next = self.occupancy.val() >= self.hold_at.val();

        // A path written at this very edge is not read yet.
        self.paths.write_enable.next = self.put.val();
        self.paths.write_address.next = bit_cast::<16, 5>(self.write_pointer.q.val());
        self.paths.write_start.next = self.new_start.val();
        self.paths.write_outcomes.next = self.new_outcomes.val();
        self.paths.write_length.next = self.new_length.val();
        self.paths.write_count.next = self.new_count.val();
        self.paths.read_address.next = bit_cast::<16, 5>(self.read_next.val());
        self.shown.d.next = self.write_pointer.q.val() != self.read_next.val();
        self.valid.next = self.shown.q.val();
        self.start.next = self.paths.start.val();
        self.outcomes.next = self.paths.outcomes.val();
        self.length.next = self.paths.length.val();
        self.count.next = self.paths.count.val();
    }
}
