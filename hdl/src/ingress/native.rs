//! The native ingress: the core makes the records itself.
//!
//! ```text
//!   br_* ----+------------------------------> records_*
//!            |                                    |
//!            +--> [ watch ] --> lost, after_loss -+     only if br_ready can fall in stall mode
//! ```
//!
//! A stalled core must hold its record until it is taken; only the events may change. If the core withdraws the record
//! or offers another, the record is lost. The watch compares kind, outcome and target, and detects this in the same
//! cycle. The loss is counted, and the next record that is accepted carries `after_loss`.
//!
//! The watch is left out with parallel lookup, an unchecked stack and no drain. In stall mode `br_ready` is then always
//! 1.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{RecordPort, RecordSource};
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Detects branch records that the core withdraws or changes before they are accepted.
///
/// Timing: combinational, in the cycle in which the record is missing.
#[circuit(geometry: &Geometry)]
pub struct HoldWatch {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Branch record is accepted in this cycle.
    pub ready: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of the record: 1 taken.
    pub taken: Signal<In, Bit>,
    /// Target address and context of the record, without constant low bits.
    pub target: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Pulse: a stalled record was withdrawn or changed, and is lost.
    pub lost: Signal<Out, Bit>,
    /// A record before this one was lost.
    pub after_loss: Signal<Out, Bit>,

    /// The record of the previous cycle was stalled.
    waits: Register<Bit>,
    last_kind: Delay<Bits<3>>,
    last_taken: Delay<Bit>,
    last_target: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// A record was lost, and none has been accepted since.
    gap: Register<Bit>,
}

#[kernel]
impl HoldWatch {
    /// Whether the record of the previous cycle is still there.
    fn watch(&mut self) {
        let stalls = self.valid & !self.ready;
        self.waits.d.next = stalls;
        if stalls {
            self.last_kind.d.next = self.kind;
            self.last_taken.d.next = self.taken;
            self.last_target.d.next = self.target;
        }

        self.lost.next = self.waits
            & (!self.valid
                | (self.kind != self.last_kind)
                | (self.taken ^ self.last_taken)
                | (self.target != self.last_target));
        self.after_loss.next = self.lost | self.gap;
        self.gap.d.next = self.after_loss & !(self.valid & self.ready);
    }
}

/// Native ingress: the core makes the branch records.
#[circuit(
    geometry: &Geometry,
    const align: Bits<8> = geometry.align,
    const context_lsb: Bits<7> = if geometry.context_bits > 0 { geometry.pc_bits } else { 0 }
)]
pub struct NativeIngress {
    /// Records from the core.
    pub br: RecordPort<geometry>,
    /// Records to the profiler.
    pub records: RecordSource<geometry>,

    #[connect(br.{valid, kind, taken}, ready = records.ready)]
    watch: Option<HoldWatch<geometry>, { geometry.may_hold() }>,
}

#[kernel]
impl NativeIngress {
    /// The record, and whether one was lost.
    fn record(&mut self) {
        self.br.ready.next = self.records.ready;
        self.records.valid.next = self.br.valid;
        self.records.kind.next = self.br.kind;
        self.records.taken.next = self.br.taken;
        let target = self.br.target | (bit_cast::<64, 8>(self.br.context) << self.context_lsb);
        self.records.target.next = target;
        // rust-hdl mistakes a field named `next` for an assignment, so the kernel reads it by its raw name.
        self.records.next_address.next = self.br.r#next;
        self.records.events.next = self.br.events;
        self.watch?.target.next = target >> self.align;
        self.records.after_loss.next = self.watch?.after_loss;
        self.records.lost.next = self.watch?.lost;
    }
}
