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

/// Starts and stops profiling by triggers, and raises an interrupt after a number of paths.
#[circuit(geometry: &Geometry)]
pub struct Triggers {
    /// Register accesses to the triggers.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Branch record is accepted in this cycle.
    pub ready: Signal<In, Bit>,
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Target address of the record; context in the bits above.
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// Address after the branch, or of the trapped instruction.
    #[bits(geometry.pc_bits)]
    pub next_address: Signal<In, Bits<64>>,
    /// Event input: starts profiling if TRIGGER_CONTROL.START_EVENT is set.
    pub start_event: Signal<In, Bit>,
    /// Event input: stops profiling if TRIGGER_CONTROL.STOP_EVENT is set.
    pub stop_event: Signal<In, Bit>,
    /// Completed path is valid; 1 for one cycle per path.
    pub completes: Signal<In, Bit>,
    /// Clear the count of rejected records.
    pub clear_counters: Signal<In, Bit>,
    /// The record passes to the queue.
    pub passes: Signal<Out, Bit>,
    /// The record is the first since a stop.
    pub first: Signal<Out, Bit>,
    /// Interrupt: TRIGGER_PATHS has reached 0; stays 1 until TRIGGER_STATUS.REACHED is cleared.
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
