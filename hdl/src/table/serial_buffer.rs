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

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::ram::{Ram, SameEdge};
use crate::register::Register;

/// The greatest width of a path: tag, set number, count.
pub const PATH_BITS: usize = 192;

/// Paths there is room for, the one being looked up included.
pub const PLACES: u32 = 16;

/// With so many paths in it, the buffer asks that no further record leaves the queue.
pub const HOLD_AT: u32 = 12;

/// A FIFO of paths.
#[derive(LogicBlock)]
pub struct PathBuffer {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Put a path in.
    pub put: Signal<In, Bit>,
    /// The path.
    pub new_path: Signal<In, Bits<PATH_BITS>>,
    /// The oldest path is shown.
    pub valid: Signal<Out, Bit>,
    /// The oldest path.
    pub path: Signal<Out, Bits<PATH_BITS>>,
    /// The oldest path leaves; only while `valid` is 1.
    pub done: Signal<In, Bit>,
    /// There is a path, shown or not.
    pub occupied: Signal<Out, Bit>,
    /// There is little room left.
    pub hold: Signal<Out, Bit>,
    paths: Ram<PATH_BITS>,
    write_pointer: Register<Bits<5>>,
    read_pointer: Register<Bits<5>>,
    shown: Register<Bit>,
    occupancy: Signal<Local, Bits<5>>,
    read_next: Signal<Local, Bits<5>>,
    cell_mask: Constant<Bits<5>>,
    hold_at: Constant<Bits<5>>,
}

impl PathBuffer {
    /// A buffer of paths of `width` bits.
    #[must_use]
    pub fn new(width: u32) -> Self {
        let cell_bits = PLACES.trailing_zeros();
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            put: Signal::default(),
            new_path: sized(width),
            valid: Signal::default(),
            path: sized(width),
            done: Signal::default(),
            occupied: Signal::default(),
            hold: Signal::default(),
            paths: Ram::new(PLACES, width, SameEdge::Any),
            write_pointer: Register::zero(cell_bits + 1),
            read_pointer: Register::zero(cell_bits + 1),
            shown: Register::flag(false),
            occupancy: sized(cell_bits + 1),
            read_next: sized(cell_bits + 1),
            cell_mask: mask(cell_bits),
            hold_at: number(HOLD_AT),
        }
    }
}

impl Logic for PathBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("path_buffer: FIFO of paths before a table that takes several cycles for one.");
        self.paths.clk.next = self.clk.val();
        self.write_pointer.clk.next = self.clk.val();
        self.write_pointer.rst.next = self.rst.val();
        self.read_pointer.clk.next = self.clk.val();
        self.read_pointer.rst.next = self.rst.val();
        self.shown.clk.next = self.clk.val();
        self.shown.rst.next = self.rst.val();

        // The pointers count one bit further than the places, so their difference is the occupancy.
        self.write_pointer.d.next = self.write_pointer.q.val();
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
        self.paths.write_address.next =
            bit_cast::<16, 5>(self.write_pointer.q.val() & self.cell_mask.val());
        self.paths.write_data.next = self.new_path.val();
        self.paths.read_address.next =
            bit_cast::<16, 5>(self.read_next.val() & self.cell_mask.val());
        self.shown.d.next = self.write_pointer.q.val() != self.read_next.val();
        self.valid.next = self.shown.q.val();
        self.path.next = self.paths.read_data.val();
    }
}
