//! The paths that wait for the table or are on their way through it, until the table is done with them.
//!
//! ```text
//!   path ---> ( RAM, 32 places ) ---> the next path ---> lookup
//!                ^ write    ^ read                         |
//!                +-- pointers <--- next, done, back -------+
//!                       |
//!                       +--> occupied, hold
//! ```
//!
//! A path is shown when it is its turn, and stays until it is done with: when one changes the table, those behind it, which are on their way and
//! have looked at what was there before, are shown once more (`back`).
//!
//! Timing: a path put in in cycle *t* is shown in cycle *t* + 2 at the earliest; the next one follows the cycle of `next` at once, and that of
//! `back`.

use rust_hdl::prelude::*;

use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;
use crate::table::layout::{TAG_BITS, TagLayout};

use super::tag::WholeLayout;

/// Paths there is room for, those being looked up included.
pub const PLACES: u32 = 32;

/// With so many paths in it, the ring asks that no further record leaves the queue.
pub const HOLD_AT: u32 = 28;

/// The paths of the ring.
#[memory(whole: &WholeLayout, layout: &TagLayout, depth = PLACES, same_edge = SameEdge::Any)]
pub struct RingMemory {
    /// The path, as a whole tag.
    #[bits(whole.width())]
    tag: Bits<TAG_BITS>,
    /// Count.
    #[bits(layout.events_bits)]
    count: Bits<32>,
}

/// FIFO of paths, of which the oldest can be shown again until the table is done with it.
#[circuit(whole: &WholeLayout, layout: &TagLayout, let pointer_bits = PLACES.trailing_zeros() + 1)]
pub struct PathRing {
    /// Put a path in.
    pub put: Signal<In, Bit>,
    /// The new path, as a whole tag.
    #[bits(whole.width())]
    pub new_tag: Signal<In, Bits<TAG_BITS>>,
    /// Count of the new path.
    #[bits(layout.events_bits)]
    pub new_count: Signal<In, Bits<32>>,

    /// A path is shown.
    pub valid: Signal<Out, Bit>,
    /// The path, as a whole tag.
    #[bits(whole.width())]
    pub tag: Signal<Out, Bits<TAG_BITS>>,
    /// Count of the path.
    #[bits(layout.events_bits)]
    pub count: Signal<Out, Bits<32>>,
    /// Show the next path; only while `valid` is 1.
    pub next_path: Signal<In, Bit>,
    /// The oldest path is done with.
    pub done: Signal<In, Bit>,
    /// Show the oldest path again, or if it is done with, the one behind it.
    pub back: Signal<In, Bit>,
    /// There is a path, shown or not.
    pub occupied: Signal<Out, Bit>,
    /// There is little room left.
    pub hold: Signal<Out, Bit>,

    #[new(whole, layout)]
    paths: RingMemory,
    #[bits(pointer_bits)]
    write_pointer: Register<Bits<6>>,
    #[bits(pointer_bits)]
    read_pointer: Register<Bits<6>>,
    #[bits(pointer_bits)]
    oldest: Register<Bits<6>>,
    shown: Register<Bit>,
    #[bits(pointer_bits)]
    occupancy: Signal<Local, Bits<6>>,
    #[bits(pointer_bits)]
    new_oldest: Signal<Local, Bits<6>>,
    #[bits(pointer_bits)]
    read_next: Signal<Local, Bits<6>>,
    #[number(HOLD_AT)]
    hold_at: Constant<Bits<6>>,
}

impl Logic for PathRing {
    #[hdl_gen]
    fn update(&mut self) {
        // The pointers count one bit further than the places, so their difference is the occupancy.
        if self.put.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        self.new_oldest.next = self.oldest.q.val();
        if self.done.val() {
            self.new_oldest.next = self.oldest.q.val() + 1;
        }
        self.oldest.d.next = self.new_oldest.val();
        self.read_next.next = self.read_pointer.q.val();
        if self.next_path.val() {
            self.read_next.next = self.read_pointer.q.val() + 1;
        }
        if self.back.val() {
            self.read_next.next = self.new_oldest.val();
        }
        self.read_pointer.d.next = self.read_next.val();
        self.occupancy.next = self.write_pointer.q.val() - self.oldest.q.val();
        self.occupied.next = self.occupancy.val().any();
        self.hold.next = self.occupancy.val() >= self.hold_at.val();

        // A path written at this very edge is not read yet.
        self.paths.write_enable.next = self.put.val();
        self.paths.write_address.next = bit_cast::<16, 6>(self.write_pointer.q.val());
        self.paths.write_tag.next = self.new_tag.val();
        self.paths.write_count.next = self.new_count.val();
        self.paths.read_address.next = bit_cast::<16, 6>(self.read_next.val());
        self.shown.d.next = self.write_pointer.q.val() != self.read_next.val();
        self.valid.next = self.shown.q.val();
        self.tag.next = self.paths.tag.val();
        self.count.next = self.paths.count.val();
    }
}
