//! The branch queue: a FIFO of records between the core and the path detector.
//!
//! ```text
//!   br_* ---> [ admission ]--->( RAM, depth x record )---> register ---> detector
//!                  |   ^            wr ^      ^ rd
//!   br_ready <-----+   +-- full <-- [ occupancy ] <--- pop <--- hold
//!                  +--> lost, accepted (statistics)
//! ```
//!
//! *Stall* mode: `br_ready` is 0 while the queue is full. *Lossy* mode: `br_ready` stays 1 and a record that finds
//! the queue full is lost. Whether it is full depends on the occupancy alone, also in a cycle in which a record
//! leaves. While disabled, records are accepted and discarded.
//!
//! A record that gets in carries the mark *purge first* when it is the first since reset, since a record was lost,
//! since the profiler was disabled, or since software asked for a purge.
//!
//! Timing: a record accepted in cycle *t* leaves the queue in cycle *t* + 1 at the earliest, for a register that shows it
//! in the next; one record a cycle. So what is shown depends on registers alone, and no cell is read at the edge at
//! which it is written.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// The records of the queue.
#[memory(geometry: &Geometry, depth = geometry.queue_depth, same_edge = SameEdge::Any)]
pub struct QueueMemory {
    /// Outcome.
    taken: Bit,
    /// The stack is emptied before the record.
    purge_first: Bit,
    /// Kind of the record.
    kind: Bits<3>,
    /// Address of the next instruction to retire, without its constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    target: Bits<64>,
    /// Events since the previous record.
    #[bits(geometry.event_bits)]
    events: Bits<32>,
}

/// FIFO of branch records before the path detector.
/// Stall mode: br_ready falls when it is full. Lossy mode: a record that finds it full is dropped.
///
/// Addresses come and go without their constant low bits.
#[circuit(
    geometry: &Geometry,
    let target_bits = geometry.pc_bits - geometry.align,
    let pointer_bits = geometry.queue_depth.trailing_zeros() + 1
)]
pub struct BranchQueue {
    /// 1: records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// The next record that gets in from the next cycle on is to purge the stack.
    pub purge: Signal<In, Bit>,

    /// A record is offered.
    pub br_valid: Signal<In, Bit>,
    /// The record is taken.
    pub br_ready: Signal<Out, Bit>,
    /// Kind of the record.
    pub br_kind: Signal<In, Bits<3>>,
    /// Outcome.
    pub br_taken: Signal<In, Bit>,
    /// Address of the next instruction to retire, without its constant low bits.
    #[bits(target_bits)]
    pub br_target: Signal<In, Bits<64>>,
    /// Events since the previous record.
    #[bits(geometry.event_bits)]
    pub br_events: Signal<In, Bits<32>>,

    /// No record leaves the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// A record left the queue in the last cycle.
    pub valid: Signal<Out, Bit>,
    /// Kind of that record.
    pub kind: Signal<Out, Bits<3>>,
    /// Outcome of that record.
    pub taken: Signal<Out, Bit>,
    /// Target of that record.
    #[bits(target_bits)]
    pub target: Signal<Out, Bits<64>>,
    /// Events of that record.
    #[bits(geometry.event_bits)]
    pub events: Signal<Out, Bits<32>>,
    /// The stack is emptied before that record.
    pub purge_first: Signal<Out, Bit>,

    /// A record got in (statistics).
    pub accepted: Signal<Out, Bit>,
    /// A record found the queue full and was dropped (statistics).
    pub lost: Signal<Out, Bit>,

    #[new(geometry)]
    records: QueueMemory,
    #[bits(pointer_bits)]
    write_pointer: Register<Bits<7>>,
    #[bits(pointer_bits)]
    read_pointer: Register<Bits<7>>,
    shown: Register<Bit>,
    #[reset(true)]
    marked: Register<Bit>,

    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    #[number(geometry.queue_depth)]
    depth: Constant<Bits<7>>,
}

impl Logic for BranchQueue {
    #[hdl_gen]
    fn update(&mut self) {
        // The pointers count one bit further than the cells: they are a whole round apart when the queue is full.
        self.full.next = self.write_pointer.q.val() == self.read_pointer.q.val() ^ self.depth.val();
        self.push.next = self.br_valid.val() & self.enable.val() & !self.full.val();
        self.pop.next =
            (self.write_pointer.q.val() != self.read_pointer.q.val()) & !self.hold.val();

        self.br_ready.next = !self.enable.val() | self.lossy.val() | !self.full.val();
        self.accepted.next = self.push.val();
        self.lost.next =
            self.br_valid.val() & self.enable.val() & self.lossy.val() & self.full.val();
        self.marked.d.next = (self.marked.q.val() & !self.push.val())
            | self.lost.val()
            | self.purge.val()
            | !self.enable.val();

        if self.push.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        self.shown.d.next = self.pop.val();

        self.records.write_enable.next = self.push.val();
        self.records.write_address.next = bit_cast::<16, 7>(self.write_pointer.q.val());
        self.records.write_taken.next = self.br_taken.val();
        self.records.write_purge_first.next = self.marked.q.val();
        self.records.write_kind.next = self.br_kind.val();
        self.records.write_target.next = self.br_target.val();
        self.records.write_events.next = self.br_events.val();

        self.records.read_address.next = bit_cast::<16, 7>(self.read_pointer.q.val());
        self.valid.next = self.shown.q.val();
        self.taken.next = self.records.taken.val();
        self.purge_first.next = self.records.purge_first.val();
        self.kind.next = self.records.kind.val();
        self.target.next = self.records.target.val();
        self.events.next = self.records.events.val();
    }
}
