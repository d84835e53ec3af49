//! The branch queue: a FIFO of records between the core and the path detector.
//!
//! ```text
//!   br_* ---> [ admission ]--->( RAM, depth x record )---> register ---> detector
//!                  |   ^            wr ^      ^ rd
//!   br_ready <-----+   +-- full <-- [ occupancy ] <--- pop <--- hold
//!                  +--> lost, accepted (statistics)
//! ```
//!
//! *Stall* mode: `br_ready` is 0 while the queue is full. *Lossy* mode: `br_ready` stays 1, and a record that is
//! offered to a full queue is lost. A record that leaves in a cycle makes room from the next cycle on. While the
//! profiler is disabled, records are accepted and discarded.
//!
//! A record enters with the mark *purge first* in these cases:
//!
//! - It is the first since reset, since a lost record, or since the profiler was disabled.
//! - It is the first since software requested a purge.
//! - It has `br_after_loss`.
//!
//! Timing: a record accepted in cycle *t* leaves the queue in cycle *t* + 1 at the earliest, and is on `record` in the
//! next. The rate is one record a cycle. The output comes from registers alone, and no record is read at the edge that
//! writes it.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{QueuedSource, RecordSink};
use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// The records of the queue.
#[memory(geometry: &Geometry, depth = geometry.queue_depth, same_edge = SameEdge::Any, read_enable)]
pub struct QueueMemory {
    /// Outcome.
    taken: Bit,
    /// The stack is emptied before the record.
    purge_first: Bit,
    /// Kind of the record.
    kind: Bits<3>,
    /// Address of the next instruction to retire with its context, without its constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    target: Bits<64>,
    /// Address after the record, without its constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    #[present(geometry.stack_check)]
    next_address: Bits<64>,
    /// Events since the previous record.
    #[bits(geometry.event_bits)]
    events: Bits<32>,
}

/// FIFO of branch records before the path detector.
/// Stall mode: br_ready falls when it is full. Lossy mode: a record that finds it full is dropped.
///
///
/// The memory holds addresses without their constant low bits.
#[circuit(
    geometry: &Geometry,
    let pointer_bits = geometry.queue_depth.trailing_zeros() + 1
)]
pub struct BranchQueue {
    /// 1: records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// The next record that gets in from the next cycle on is to purge the stack.
    pub purge: Signal<In, Bit>,
    /// No record leaves the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// The record that left the queue stays where it is shown, and no other leaves.
    #[present(geometry.buffers_paths())]
    pub stay: Signal<In, Bit>,
    /// Records that come.
    #[bundle(geometry)]
    pub br: RecordSink,
    /// The record that left the queue in the last cycle.
    #[bundle(geometry)]
    pub record: QueuedSource,
    /// A record got in (statistics).
    pub accepted: Signal<Out, Bit>,
    /// A record found the queue full and was dropped, or was lost before it got here (statistics).
    pub lost: Signal<Out, Bit>,

    #[new(geometry)]
    #[connect(
        write_taken = br.taken, write_kind = br.kind, write_events = br.events,
        record.{taken, purge_first, kind, target, next_address, events}
    )]
    records: QueueMemory,
    #[bits(pointer_bits)]
    write_pointer: Register<Bits<7>>,
    #[bits(pointer_bits)]
    read_pointer: Register<Bits<7>>,
    #[connect(q = record.valid)]
    shown: Register<Bit>,
    #[reset(true)]
    marked: Register<Bit>,

    full: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    #[number(geometry.queue_depth)]
    depth: Constant<Bits<7>>,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
}

impl Logic for BranchQueue {
    #[hdl_gen]
    fn update(&mut self) {
        // The pointers have one bit more than an address. The queue is full when they differ in that bit alone.
        self.full.next = self.write_pointer.q.val() == self.read_pointer.q.val() ^ self.depth.val();
        self.push.next = self.br.valid.val() & self.enable.val() & !self.full.val();
        self.drops.next =
            self.br.valid.val() & self.enable.val() & self.lossy.val() & self.full.val();
        self.pop.next = (self.write_pointer.q.val() != self.read_pointer.q.val())
            & !self.hold.val()
            & !self.stay.val();

        self.br.ready.next = !self.enable.val() | self.lossy.val() | !self.full.val();
        self.accepted.next = self.push.val();
        self.lost.next = self.drops.val() | (self.br.lost.val() & self.enable.val());
        self.marked.d.next = (self.marked.q.val() & !self.push.val())
            | self.drops.val()
            | self.purge.val()
            | !self.enable.val();

        if self.push.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        self.shown.d.next = self.pop.val() | (self.shown.q.val() & self.stay.val());

        self.records.write_enable.next = self.push.val();
        self.records.write_address.next = bit_cast::<16, 7>(self.write_pointer.q.val());
        self.records.write_purge_first.next = self.marked.q.val() | self.br.after_loss.val();
        self.records.write_target.next = self.br.target.val() >> self.align.val();
        self.records.write_next_address.next = self.br.next_address.val() >> self.align.val();

        self.records.read_enable.next = !self.stay.val();
        self.records.read_address.next = bit_cast::<16, 7>(self.read_pointer.q.val());
    }
}
