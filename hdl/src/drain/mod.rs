//! The drain: a FIFO of evicted entries, read by software or through ports.
//!
//! ```text
//!   left ---> [ full? ] ---> ( RAM, depth x entry ) ---> head ---+---> drain_*
//!                 |                    ^                         +---> DRAIN_COUNT, ...
//!                 +---> [ lost ]       |
//!                                [ pointers ] <--- drain_ready, TAKE
//!                                      +---> level ---> drain_irq, hold
//! ```
//!
//! An entry that is evicted while the FIFO is full is lost, and counted. Software can select *hold* instead. The drain
//! then stalls the records early enough for all paths in flight.

mod fifo;
mod lost;
mod registers;
mod writer;

pub use fifo::{DrainFifo, DrainMemory};
pub use lost::LostEntries;
pub use registers::DrainRegisters;
pub use writer::{DrainWriter, WishboneWriterPort};

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, LeftSink};
use crate::circuit::circuit;
use crate::registers::RegisterSlave;

/// FIFO of evicted paths for software or a streaming port, with its registers.
///
/// Timing: an entry on `left` in cycle *t* is in `level` in *t* + 1 and can be taken from *t* + 2 on. A lost entry is
/// counted in *t* + 2.
#[circuit(geometry: &Geometry, start: u64)]
pub struct Drain {
    /// Evicted paths from the table.
    #[bundle(geometry)]
    pub left: LeftSink,
    /// Streaming ports.
    #[bundle(geometry)]
    pub port: DrainPort,
    /// Level-sensitive interrupt: the FIFO level has reached the watermark.
    pub irq: Signal<Out, Bit>,
    /// Register accesses to the drain.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    /// Clear count and sum of lost paths.
    pub clear_counters: Signal<In, Bit>,
    /// Pulse: an evicted path was lost (sets a sticky error).
    pub lost: Signal<Out, Bit>,
    /// Back-pressure: no record leaves the queue in this cycle.
    pub hold: Signal<Out, Bit>,

    #[new(geometry)]
    #[connect(left, clear = registers.clear, port.{outcomes, length, count})]
    fifo: DrainFifo,
    #[new(geometry, start)]
    #[connect(loses = fifo.loses, count = left.count, clear = clear_counters, losing = lost)]
    losses: LostEntries,
    #[new(geometry)]
    #[connect(
        access, fifo.{level, outcomes, length, count, shown}, lost = losses.entries,
        lost_count = losses.total, hold, irq
    )]
    registers: DrainRegisters,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
}

impl Logic for Drain {
    #[hdl_gen]
    fn update(&mut self) {
        self.fifo.take.next = self.registers.take.val();
        if self.registers.streams.val() {
            self.fifo.take.next = self.port.ready.val();
        }

        self.registers.start.next = self.fifo.start.val() << self.align.val();

        self.port.valid.next = self.fifo.shown.val() & self.registers.streams.val();
        self.port.start.next = self.fifo.start.val() << self.align.val();
    }
}
