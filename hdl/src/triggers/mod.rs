//! Triggers: they start and stop profiling by address or event, and raise an interrupt after a number of paths.
//!
//! ```text
//!   br_* ---------> [ gate ] ---> branch queue
//!   trigger_start,     ^
//!   trigger_stop ------+
//!                      v
//!   access <----> [ registers ] ---> trigger_irq
//!                      ^
//!   path_valid --------+
//! ```
//!
//! No path spans a stop: the next record that is accepted purges the path stack. Rejected records are counted.

mod gate;
mod registers;

pub use gate::TriggerGate;
pub use registers::TriggerRegisters;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::registers::RegisterSlave;

/// Which records are profiled, and when software is told of paths.
#[circuit(geometry: &Geometry)]
pub struct Triggers {
    /// Register accesses to the triggers.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    /// A record is offered.
    pub valid: Signal<In, Bit>,
    /// It need not wait.
    pub ready: Signal<In, Bit>,
    /// Records are taken in.
    pub enable: Signal<In, Bit>,
    /// Its kind.
    pub kind: Signal<In, Bits<3>>,
    /// Its target, the context above the address.
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// The address after it.
    #[bits(geometry.pc_bits)]
    pub next_address: Signal<In, Bits<64>>,
    /// Profiling starts.
    pub start_event: Signal<In, Bit>,
    /// Profiling stops.
    pub stop_event: Signal<In, Bit>,
    /// A path is complete.
    pub completes: Signal<In, Bit>,
    /// Zero the count of what was kept out.
    pub clear_counters: Signal<In, Bit>,
    /// The record gets in.
    pub passes: Signal<Out, Bit>,
    /// It is the first since a stop.
    pub first: Signal<Out, Bit>,
    /// So many paths have completed.
    pub irq: Signal<Out, Bit>,

    #[new(geometry)]
    #[connect(
        valid, ready, enable, kind, target, next_address, start_event, stop_event, passes, first,
        registers.{
            start, stop, start_at_address, start_by_event, stop_at_address, stop_by_event, at_return,
            write, written
        }
    )]
    gate: TriggerGate,
    #[new(geometry)]
    #[connect(access, completes, clear_counters, irq, gate.{runs, captures, returns_to, keeps_out})]
    registers: TriggerRegisters,
}

impl Logic for Triggers {
    #[hdl_gen]
    fn update(&mut self) {}
}
