//! The record buffer of an ingress, in front of the branch queue.
//!
//! ```text
//!   slots of a cycle ---> [ SLOTS memories of 4 rows ] ---> the first that is left ---> records
//!                              ^ write pointer  ^ read pointer
//!   stall <--- occupancy ------+----------------+
//! ```
//!
//! The retirements of one cycle can make several records. They form a *row* with a slot for each record, in program
//! order. The buffer holds four rows. It outputs a record in every cycle in which the queue is ready; in lossy mode the
//! queue always is.
//!
//! `stall` rises when only `reserve` rows are free, which the retirements in flight may need. A row that finds the
//! buffer full loses its records, in either mode. The loss is counted. The next record that is accepted carries
//! `after_loss`, so no path crosses the gap.
//!
//! Timing: a record is offered one cycle after its row was written, at the earliest. `stall` depends on registers
//! alone.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{RecordSource, SlotSink};
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Rows of the buffer.
const PLACES: u32 = 4;

/// One slot of the buffered rows.
#[memory(geometry: &Geometry, depth = PLACES, same_edge = SameEdge::New)]
pub struct SlotMemory {
    /// Slot holds a branch record.
    there: Bit,
    /// A record before this one was lost.
    after_loss: Bit,
    /// Branch kind of the record (0 forward to 7 trap return).
    kind: Bits<3>,
    /// Outcome of the record: 1 taken.
    taken: Bit,
    /// Target address of the record; context in the bits above.
    target: Bits<64, { geometry.start_bits() }>,
    /// Address after the branch, or of the trapped instruction.
    next_address: Option<Bits<64, { geometry.pc_bits }>, { geometry.takes_next() }>,
    /// Events of the record: those of the selected type since the previous record.
    events: Bits<32, { geometry.event_bits }>,
}

/// Buffer of four rows, each with the records of one cycle; outputs one record per cycle.
/// The core is stalled early enough that `reserve` rows stay free for retirements in flight.
#[circuit(
    geometry: &Geometry, slots: u32, reserve: u32,
    const threshold: Bits<3> = PLACES - reserve,
    const last: Bits<4> = slots - 1
)]
pub struct RecordBuffer {
    /// 0: nothing is written, and what was written is gone.
    pub enable: Signal<In, Bit>,
    /// Slots are valid; a row without a record is discarded.
    pub write: Signal<In, Bit>,
    /// The slots of a row, oldest record first.
    pub slot: Vec<SlotSink<geometry>, slots>,
    /// Stall: the core must not retire.
    pub stall: Signal<Out, Bit>,
    /// Records to the queue.
    pub records: RecordSource<geometry>,

    #[connect(
        write_there = slot[i].valid, write_kind = slot[i].kind, write_taken = slot[i].taken,
        write_target = slot[i].target, write_next_address = slot[i].next_address,
        write_events = slot[i].events
    )]
    places: Vec<SlotMemory<geometry>, slots>,
    write_pointer: Register<Bits<3>>,
    read_pointer: Register<Bits<3>>,
    /// Records were lost since the last stored row.
    gap: Register<Bit>,
    /// First slot of the head row that is still to be output.
    given: Register<Bits<4, { u32::BITS - slots.leading_zeros() }>>,
}

#[kernel]
impl RecordBuffer {
    /// A row is written, and the first record of the oldest row is read.
    fn rows(&mut self) {
        let mut some: Bit = false;
        let mut incomplete: Bit = false;
        for i in 0..self.slot.len() {
            self.places[i].write_after_loss.next = self.slot[i].after_loss | (self.gap & !some);
            some = some | self.slot[i].valid;
            incomplete = incomplete | (self.slot[i].valid & self.slot[i].after_loss);
        }
        let write = self.write & self.enable;
        let any = some & write;
        let occupancy = (self.write_pointer - self.read_pointer) & 7;
        let full = occupancy == 4;
        self.stall.next = occupancy >= self.threshold;
        self.records.lost.next = any & (full | incomplete);
        if any {
            self.gap.d.next = full;
        }
        if any & !full {
            self.write_pointer.d.next = self.write_pointer + 1;
        }
        if !self.enable {
            self.gap.d.next = false;
            self.write_pointer.d.next = 0.into();
        }
        for i in 0..self.slot.len() {
            // An unused row may be written, because only the pointer makes it valid. The write enable therefore does
            // not wait for the record decode.
            self.places[i].write_enable.next = write & !full;
            self.places[i].write_address.next = bit_cast::<16, 3>(self.write_pointer);
            self.places[i].read_address.next = bit_cast::<16, 3>(self.read_pointer.d);
        }

        // Read: the first record of the row that was not output yet. If no earlier slot has one, the last slot does.
        let mut found: Bit = false;
        let mut more: Bit = false;
        let mut next_given: Bits<4> = 0.into();
        self.records.kind.next = 0.into();
        self.records.taken.next = false;
        self.records.target.next = 0.into();
        self.records.next_address.next = 0.into();
        self.records.events.next = 0.into();
        self.records.after_loss.next = false;
        for i in 0..self.slot.len() {
            if found {
                more = more | self.places[i].there;
            } else if (i.to_bits() == self.last)
                | (self.places[i].there & (self.given <= i.to_bits()))
            {
                found = true;
                next_given = i.to_bits::<4>() + 1;
                self.records.kind.next = self.places[i].kind;
                self.records.taken.next = self.places[i].taken;
                self.records.target.next = self.places[i].target;
                self.records.next_address.next = self.places[i].next_address;
                self.records.events.next = self.places[i].events;
                self.records.after_loss.next = self.places[i].after_loss;
            }
        }
        self.records.valid.next = occupancy.any();
        if self.records.valid & self.records.ready {
            self.given.d.next = next_given;
            if !more {
                self.given.d.next = 0.into();
                self.read_pointer.d.next = self.read_pointer + 1;
            }
        }
        if !self.enable {
            self.given.d.next = 0.into();
            self.read_pointer.d.next = 0.into();
        }
    }
}
