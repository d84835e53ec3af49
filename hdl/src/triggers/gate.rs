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

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// Selects the records to profile, by target address and event inputs.
#[circuit(
    geometry: &Geometry,
    let bits = geometry.pc_bits - geometry.align
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
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// Address after the branch, or of the trapped instruction.
    #[bits(geometry.pc_bits)]
    pub next_address: Signal<In, Bits<64>>,
    /// Event input: starts profiling if start_by_event is set.
    pub start_event: Signal<In, Bit>,
    /// Event input: stops profiling if stop_by_event is set.
    pub stop_event: Signal<In, Bit>,

    /// Start address, without constant low bits.
    #[bits(bits)]
    pub start: Signal<In, Bits<64>>,
    /// Stop address, without constant low bits.
    #[bits(bits)]
    pub stop: Signal<In, Bits<64>>,
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
    #[bits(bits)]
    pub returns_to: Signal<Out, Bits<64>>,

    #[reset(true)]
    #[connect(q = runs)]
    running: Register<Bit>,
    #[connect(q = first)]
    fresh: Register<Bit>,

    #[bits(bits)]
    address: Signal<Local, Bits<64>>,
    leaves: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    lets_in: Signal<Local, Bit>,
    halts: Signal<Local, Bit>,
    after_record: Signal<Local, Bit>,
    halts_by_event: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
    #[number(Geometry::mask(bits))]
    address_mask: Constant<Bits<64>>,
    #[number(BranchKind::Call.code())]
    call: Constant<Bits<3>>,
    #[number(BranchKind::IndirectCall.code())]
    indirect_call: Constant<Bits<3>>,
    #[number(BranchKind::Trap.code())]
    trap: Constant<Bits<3>>,
}

impl Logic for TriggerGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.address.next = (self.target.val() >> self.align.val()) & self.address_mask.val();
        self.returns_to.next = self.next_address.val() >> self.align.val();
        self.leaves.next = (self.kind.val() == self.call.val())
            | (self.kind.val() == self.indirect_call.val())
            | (self.kind.val() == self.trap.val());

        // The record.
        self.starts.next = self.start_at_address.val()
            & (self.address.val() == self.start.val())
            & (self.leaves.val() | !self.at_return.val());
        self.passes.next = self.valid.val() & (self.running.q.val() | self.starts.val());
        self.lets_in.next = self.passes.val() & self.ready.val();
        self.keeps_out.next =
            self.valid.val() & self.ready.val() & !self.passes.val() & self.enable.val();
        self.captures.next = self.lets_in.val() & !self.running.q.val() & self.at_return.val();
        self.halts.next = self.lets_in.val()
            & self.running.q.val()
            & self.stop_at_address.val()
            & (self.address.val() == self.stop.val());

        // The event inputs, then the write by software.
        self.after_record.next = (self.running.q.val() | self.lets_in.val()) & !self.halts.val();
        self.halts_by_event.next =
            self.after_record.val() & self.stop_event.val() & self.stop_by_event.val();
        self.goes_on.next = (self.after_record.val() & !self.halts_by_event.val())
            | (!self.after_record.val() & self.start_event.val() & self.start_by_event.val());
        if self.write.val() {
            self.goes_on.next = self.written.val();
        }
        self.running.d.next = self.goes_on.val();
        self.fresh.d.next = (self.fresh.q.val() & !self.lets_in.val())
            | self.halts.val()
            | self.halts_by_event.val()
            | !self.goes_on.val();
    }
}
