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

/// Which records are profiled, by their targets and by event inputs.
#[circuit(
    geometry: &Geometry,
    let bits = geometry.pc_bits - geometry.align
)]
pub struct TriggerGate {
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

    /// Address of the start, without the constant low bits.
    #[bits(bits)]
    pub start: Signal<In, Bits<64>>,
    /// Address of the stop, without the constant low bits.
    #[bits(bits)]
    pub stop: Signal<In, Bits<64>>,
    /// The address of the start counts.
    pub start_at_address: Signal<In, Bit>,
    /// The event of the start counts.
    pub start_by_event: Signal<In, Bit>,
    /// The address of the stop counts.
    pub stop_at_address: Signal<In, Bit>,
    /// The event of the stop counts.
    pub stop_by_event: Signal<In, Bit>,
    /// Only calls and traps start by address, and say where the stop is.
    pub at_return: Signal<In, Bit>,
    /// Software says whether records are profiled.
    pub write: Signal<In, Bit>,
    /// Whether they are to be.
    pub written: Signal<In, Bit>,

    /// Records are profiled.
    pub runs: Signal<Out, Bit>,
    /// The record gets in.
    pub passes: Signal<Out, Bit>,
    /// It is the first since a stop.
    pub first: Signal<Out, Bit>,
    /// A record is kept out (statistics).
    pub keeps_out: Signal<Out, Bit>,
    /// `returns_to` becomes the address of the stop.
    pub captures: Signal<Out, Bit>,
    /// The address after the record, without the constant low bits.
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
