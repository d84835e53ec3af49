//! The buffer at the end of an ingress: records wait in it for the queue.
//!
//! ```text
//!   slots of a cycle ---> [ SLOTS memories of 4 rows ] ---> the first that is left ---> records
//!                              ^ write pointer  ^ read pointer
//!   stall <--- occupancy ------+----------------+
//! ```
//!
//! What retires in a cycle may make several records. They are a *row*: a slot for each, in order. Four rows wait. A
//! record leaves in every cycle in which the queue is ready (in lossy mode, in every cycle). `stall` rises while a few
//! places are still free, for the retirements in flight. A row that finds no place loses its records, in either mode.
//! The loss is counted, and the next record that gets in says that records are missing before it, so that no path
//! crosses the gap.
//!
//! Timing: a record is offered at the earliest in the cycle after its row came. `stall` depends on registers alone.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{RecordSource, SlotSink};
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Rows that can wait.
const PLACES: u32 = 4;

/// One slot of the rows that wait.
#[memory(geometry: &Geometry, depth = PLACES, same_edge = SameEdge::New)]
pub struct SlotMemory {
    /// There is a record.
    there: Bit,
    /// Something before it is missing.
    after_loss: Bit,
    /// Its kind.
    kind: Bits<3>,
    /// Its outcome.
    taken: Bit,
    /// Its target, the context above the address.
    #[bits(geometry.start_bits())]
    target: Bits<64>,
    /// The address after it.
    #[bits(geometry.pc_bits)]
    #[present(geometry.takes_next())]
    next_address: Bits<64>,
    /// Its events.
    #[bits(geometry.event_bits)]
    events: Bits<32>,
}

/// Four rows of records that wait to be taken, one a cycle.
/// `reserve` of the places are kept for rows that come when the core has been asked to hold.
#[circuit(geometry: &Geometry, slots: u32, reserve: u32)]
pub struct RecordBuffer {
    /// The slots are those of a row; it counts if one of them has a record.
    pub write: Signal<In, Bit>,
    /// The row, its first record first.
    #[each(_i in slots)]
    #[bundle(geometry)]
    pub slot: Vec<SlotSink>,
    /// The core must not retire anything.
    pub stall: Signal<Out, Bit>,
    /// The records.
    #[bundle(geometry)]
    pub records: RecordSource,

    #[each(i in slots)]
    #[new(geometry)]
    #[connect(
        write_there = slot[i].valid, write_kind = slot[i].kind, write_taken = slot[i].taken,
        write_target = slot[i].target, write_next_address = slot[i].next_address,
        write_events = slot[i].events
    )]
    places: Vec<SlotMemory>,
    write_pointer: Register<Bits<3>>,
    read_pointer: Register<Bits<3>>,
    /// Records were lost since a row got in.
    gap: Register<Bit>,
    /// The slots of the row at the head before this one have given their records.
    #[bits(u32::BITS - slots.leading_zeros())]
    given: Register<Bits<4>>,

    any: Signal<Local, Bit>,
    incomplete: Signal<Local, Bit>,
    occupancy: Signal<Local, Bits<3>>,
    full: Signal<Local, Bit>,
    found: Signal<Local, Bit>,
    more: Signal<Local, Bit>,
    #[bits(u32::BITS - slots.leading_zeros())]
    next_given: Signal<Local, Bits<4>>,

    #[number(PLACES - reserve)]
    threshold: Constant<Bits<3>>,
    #[number(slots - 1)]
    last: Constant<Bits<4>>,
    #[value(slots as usize)]
    _slots: usize,
}

impl Logic for RecordBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        // Into the buffer, if there is a place.
        self.any.next = false;
        self.incomplete.next = false;
        for i in 0..self._slots {
            self.places[i].write_after_loss.next =
                self.slot[i].after_loss.val() | (self.gap.q.val() & !self.any.val());
            self.any.next = self.any.val() | self.slot[i].valid.val();
            self.incomplete.next =
                self.incomplete.val() | (self.slot[i].valid.val() & self.slot[i].after_loss.val());
        }
        self.any.next = self.any.val() & self.write.val();
        self.occupancy.next = (self.write_pointer.q.val() - self.read_pointer.q.val()) & 7;
        self.full.next = self.occupancy.val() == 4;
        self.stall.next = self.occupancy.val() >= self.threshold.val();
        self.records.lost.next = self.any.val() & (self.full.val() | self.incomplete.val());
        if self.any.val() {
            self.gap.d.next = self.full.val();
        }
        if self.any.val() & !self.full.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        for i in 0..self._slots {
            // A free place may be written in vain: the pointer makes it a row. So the write does not wait for the records.
            self.places[i].write_enable.next = self.write.val() & !self.full.val();
            self.places[i].write_address.next = bit_cast::<16, 3>(self.write_pointer.q.val());
            self.places[i].read_address.next = bit_cast::<16, 3>(self.read_pointer.d.val());
        }

        // Out of it: the first record of the row that is left. The last slot needs no look.
        self.found.next = false;
        self.more.next = false;
        self.next_given.next = 0.into();
        self.records.kind.next = 0.into();
        self.records.taken.next = false;
        self.records.target.next = 0.into();
        self.records.next_address.next = 0.into();
        self.records.events.next = 0.into();
        self.records.after_loss.next = false;
        for i in 0..self._slots {
            if self.found.val() {
                self.more.next = self.more.val() | self.places[i].there.val();
            } else if (i.to_bits() == self.last.val())
                | (self.places[i].there.val() & (self.given.q.val() <= i.to_bits()))
            {
                self.found.next = true;
                self.next_given.next = i.to_bits::<4>() + 1;
                self.records.kind.next = self.places[i].kind.val();
                self.records.taken.next = self.places[i].taken.val();
                self.records.target.next = self.places[i].target.val();
                self.records.next_address.next = self.places[i].next_address.val();
                self.records.events.next = self.places[i].events.val();
                self.records.after_loss.next = self.places[i].after_loss.val();
            }
        }
        self.records.valid.next = self.occupancy.val().any();
        if self.records.valid.val() & self.records.ready.val() {
            self.given.d.next = self.next_given.val();
            if !self.more.val() {
                self.given.d.next = 0.into();
                self.read_pointer.d.next = self.read_pointer.q.val() + 1;
            }
        }
    }
}
