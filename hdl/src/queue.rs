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
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Memory of the branch queue.
#[memory(geometry: &Geometry, depth = geometry.queue_depth, same_edge = SameEdge::Any, read_enable)]
pub struct QueueMemory {
    /// Outcome of the record: 1 taken.
    taken: Bit,
    /// Empty the stack before this record.
    purge_first: Bit,
    /// Branch kind of the record (0 forward to 7 trap return).
    kind: Bits<3>,
    /// Target address and context of the record, without constant low bits.
    target: Bits<64, { geometry.start_bits() - geometry.align }>,
    /// Address after the record, without constant low bits.
    next_address: Option<Bits<64, { geometry.pc_bits - geometry.align }>, { geometry.stack_check }>,
    /// Events of the record: those of the selected type since the previous record.
    events: Bits<32, { geometry.event_bits }>,
}

/// FIFO of branch records in front of the path detector. In stall mode a full queue deasserts br_ready. In
/// lossy mode it drops the record.
///
///
/// The memory holds addresses without their constant low bits.
#[circuit(
    geometry: &Geometry,
    let pointer_bits = geometry.queue_depth.trailing_zeros() + 1,
    const depth: Bits<7> = geometry.queue_depth,
    const align: Bits<8> = geometry.align
)]
pub struct BranchQueue {
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode, records are lost when the queue is full; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// Empty the stack before the next accepted record.
    pub purge: Signal<In, Bit>,
    /// Back-pressure: no record leaves the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// Back-pressure: hold the output record; no record leaves the queue.
    pub stall: Signal<In, Bit, { geometry.buffers_paths() }>,
    /// Records from the ingress.
    pub br: RecordSink<geometry>,
    /// Record at the output of the queue, registered.
    pub record: QueuedSource<geometry>,
    /// Records wait in the queue.
    pub waiting: Signal<Out, Bit>,
    /// Pulse: a record was accepted (statistics).
    pub accepted: Signal<Out, Bit>,
    /// Pulse: a record was lost, in the queue or before it (statistics).
    pub lost: Signal<Out, Bit>,

    #[connect(
        write_taken = br.taken, write_kind = br.kind, write_events = br.events,
        record.{taken, purge_first, kind, target, next_address, events}
    )]
    records: QueueMemory<geometry>,
    write_pointer: Register<Bits<7, pointer_bits>>,
    read_pointer: Register<Bits<7, pointer_bits>>,
    #[connect(q = record.valid)]
    shown: Register<Bit>,
    marked: Register<Bit, true>,
}

#[kernel]
impl BranchQueue {
    /// The records that enter, that are lost, and that leave.
    fn records(&mut self) {
        // The pointers have one bit more than an address. The queue is full when they differ in that bit alone.
        let full = self.write_pointer == self.read_pointer ^ self.depth;
        let push = self.br.valid & self.enable & !full;
        let drops = self.br.valid & self.enable & self.lossy & full;
        self.waiting.next = self.write_pointer != self.read_pointer;
        let pop = self.waiting & !self.hold & !self.stall;

        self.br.ready.next = !self.enable | self.lossy | !full;
        self.accepted.next = push;
        self.lost.next = drops | (self.br.lost & self.enable);
        self.marked.d.next = (self.marked & !push) | drops | self.purge | !self.enable;

        if push {
            self.write_pointer.d.next = self.write_pointer + 1;
        }
        if pop {
            self.read_pointer.d.next = self.read_pointer + 1;
        }
        self.shown.d.next = pop | (self.shown & self.stall);

        self.records.write_enable.next = push;
        self.records.write_address.next = bit_cast::<16, 7>(self.write_pointer);
        self.records.write_purge_first.next = self.marked | self.br.after_loss;
        self.records.write_target.next = self.br.target >> self.align;
        self.records.write_next_address.next = self.br.next_address >> self.align;

        self.records.read_enable.next = pop;
        self.records.read_address.next = bit_cast::<16, 7>(self.read_pointer);
    }
}
