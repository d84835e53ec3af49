//! The gate in front of the branch queue: it rejects the records that are not profiled.
//!
//! ```text
//!   target --> [ = START? ] --+
//!      +-----> [ = STOP? ] ---+--> [ runs ] --> passes, keeps_out
//!   trigger_start, _stop -----+        +-----> [ fresh ] --> first
//! ```
//!
//! A record acts in the cycle in which it is accepted. In a cycle, the record acts first, then the event inputs, then a
//! write by software.
//!
//! Timing: `passes` and `first` are combinational, and `runs` follows one cycle later.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::kinds;
use crate::register::Register;

/// Selects the records to profile, by target address and event inputs.
#[circuit(
    geometry: &Geometry,
    let bits = geometry.pc_bits - geometry.align,
    const align: Bits<8> = geometry.align,
    const address_mask: Bits<64> = Geometry::mask(bits)
)]
pub struct TriggerGate {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Branch record is accepted in this cycle.
    pub ready: Signal<In, Bit>,
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Target address of the record; context in the bits above.
    pub target: Signal<In, Bits<64, { geometry.start_bits() }>>,
    /// Address after the branch, or of the trapped instruction.
    pub next_address: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Event input: starts profiling if start_by_event is set.
    pub start_event: Signal<In, Bit>,
    /// Event input: stops profiling if stop_by_event is set.
    pub stop_event: Signal<In, Bit>,

    /// Start address, without constant low bits.
    pub start: Signal<In, Bits<64, bits>>,
    /// Stop address, without constant low bits.
    pub stop: Signal<In, Bits<64, bits>>,
    /// Enable the start at the start address.
    pub start_at_address: Signal<In, Bit>,
    /// Enable the start by the event input.
    pub start_by_event: Signal<In, Bit>,
    /// Enable the stop at the stop address.
    pub stop_at_address: Signal<In, Bit>,
    /// Enable the stop by the event input.
    pub stop_by_event: Signal<In, Bit>,
    /// Start only at calls and traps, and set the stop address to their return address.
    pub at_return: Signal<In, Bit>,
    /// Software writes the run state in this cycle.
    pub write: Signal<In, Bit>,
    /// Run state that software writes.
    pub written: Signal<In, Bit>,

    /// Run state: records are profiled.
    pub runs: Signal<Out, Bit>,
    /// The record passes to the queue.
    pub passes: Signal<Out, Bit>,
    /// The record is the first since a stop.
    pub first: Signal<Out, Bit>,
    /// Pulse: a record was rejected (statistics).
    pub keeps_out: Signal<Out, Bit>,
    /// Set the stop address to returns_to.
    pub captures: Signal<Out, Bit>,
    /// Address after the record, without constant low bits.
    pub returns_to: Signal<Out, Bits<64, bits>>,

    #[connect(q = runs)]
    running: Register<Bit, true>,
    #[connect(q = first)]
    fresh: Register<Bit>,
}

#[kernel]
impl TriggerGate {
    /// What a record, the event inputs and software do, in this order.
    fn logic(&mut self) {
        let address = (self.target >> self.align) & self.address_mask;
        self.returns_to.next = self.next_address >> self.align;
        let leaves = (self.kind == kinds::CALL)
            | (self.kind == kinds::INDIRECT_CALL)
            | (self.kind == kinds::TRAP);

        // The record.
        let starts = self.start_at_address & (address == self.start) & (leaves | !self.at_return);
        self.passes.next = self.valid & (self.running | starts);
        let lets_in = self.passes & self.ready;
        self.keeps_out.next = self.valid & self.ready & !self.passes & self.enable;
        self.captures.next = lets_in & !self.running & self.at_return;
        let halts = lets_in & self.running & self.stop_at_address & (address == self.stop);

        // The event inputs, then the write by software.
        let after_record = (self.running | lets_in) & !halts;
        let halts_by_event = after_record & self.stop_event & self.stop_by_event;
        let goes_on = if self.write {
            self.written
        } else {
            (after_record & !halts_by_event)
                | (!after_record & self.start_event & self.start_by_event)
        };
        self.running.d.next = goes_on;
        self.fresh.d.next = (self.fresh & !lets_in) | halts | halts_by_event | !goes_on;
    }
}
