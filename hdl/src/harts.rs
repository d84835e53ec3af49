//! The path detectors of several harts, in front of one table.
//!
//! ```text
//!   hart 0 ---> detector 0 -----+
//!     ...          ...          +--> | ---> path_*
//!   hart N-1 -> detector N-1 ---+
//!                  ^
//!                  +-- waits, yields -- [ arbiter ] <--- waits of the table
//! ```
//!
//! A path waits in its stack until the arbiter grants it the table. The arbiter goes round: after a grant the hart with
//! the next higher number comes first, and after the last hart the first. A path therefore waits for at most one path
//! of each other hart, and every hart is held by itself. The path stays at its stack's outputs until the next grant, so
//! no copy of it is stored. The outputs of the other stacks are 0, so an OR joins them.
//!
//! The highest bits of a path's context are the hart's number. They are added to the targets of the records, so the
//! context filter and the table see a context like any other.
//!
//! Timing: a path is on `path_*` one cycle after its grant. A grant is given in each cycle in which the table does not
//! wait, and in which a path is about to become valid.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{ControlSink, PathSource, RecordSink};
use crate::circuit::{circuit, kernel};
use crate::detector::Detector;
use crate::register::Register;

/// Grants the table to one of the harts whose path waits, in turn.
#[circuit(geometry: &Geometry, let harts = geometry.harts, const all: Bits<8> = Geometry::mask(harts))]
pub struct HartArbiter {
    /// Bit i: a path of hart i becomes valid in the next cycle unless it is held back.
    pub wanted: Signal<In, Bits<8, harts>>,
    /// Back-pressure of the table: no path may become valid in the next cycle.
    pub waits: Signal<In, Bit>,
    /// Bit i: no path of hart i may become valid in the next cycle.
    pub holds: Signal<Out, Bits<8, harts>>,
    /// Bit i: a path of another hart becomes valid in the next cycle.
    pub yields: Signal<Out, Bits<8, harts>>,

    /// The harts that come before the others: those above the one granted last.
    first: Register<Bits<8, harts>>,
}

#[kernel]
impl HartArbiter {
    /// Which hart's path is next: the first of those above the last, else the first of all.
    fn grant(&mut self) {
        let preferred = self.wanted & self.first;
        let among = if preferred.any() {
            preferred
        } else {
            self.wanted
        };
        let up_to_it = (among ^ (among - 1)) & self.all;
        let granted = among & up_to_it;
        let others = self.all & !granted;
        let grants = among.any() & !self.waits;
        if grants {
            self.first.d.next = self.all & !up_to_it;
        }
        self.holds.next = if self.waits { self.all } else { others };
        self.yields.next = if grants { others } else { 0.into() };
    }
}

/// Path detectors of several harts; one path of one of them at a time is output.
#[circuit(
    geometry: &Geometry,
    let harts = geometry.harts,
    let one = &geometry.of_one(),
    const _numbers: Vec<u64> = (0..harts as usize).map(|hart| geometry.in_hart(0, hart)).collect()
)]
pub struct HartDetectors {
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode, records are lost when a queue is full; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// Empty each stack before the next accepted record.
    pub purge: Signal<In, Bit>,
    /// Back-pressure: no record leaves the queues in this cycle.
    pub hold: Signal<In, Bit>,
    /// Back-pressure: hold the path ports; no path may become valid in the next cycle.
    pub waits: Signal<In, Bit>,
    /// A path becomes valid in the next cycle unless waits holds it back.
    pub next_valid: Signal<Out, Bit>,
    /// PPCR: operations by kind of record, and modes.
    pub ppcr: ControlSink<geometry>,
    /// Records from the ingress of each hart.
    pub br: Vec<RecordSink<{ &geometry.of_hart() }>, harts>,
    /// Completed paths.
    pub path: PathSource<geometry>,
    /// A record waits, or needs further cycles.
    pub busy: Signal<Out, Bit>,
    /// Pulses: a record was accepted (statistics); bit i of hart i.
    pub accepted: Signal<Out, Bits<8, harts>>,
    /// Pulses: a record was lost (statistics).
    pub lost: Signal<Out, Bits<8, harts>>,
    /// Pulses: a path was split at the maximum length (statistics).
    pub split: Signal<Out, Bits<8, harts>>,
    /// Pulses: a pop left the stack empty (statistics).
    pub underflow: Signal<Out, Bits<8, harts>>,
    /// Pulses: a push dropped the oldest stack entry (statistics).
    pub overflow: Signal<Out, Bits<8, harts>>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub saturated: Signal<Out, Bit>,
    /// Pulses: a return did not match the top frame and the stack was repaired (statistics).
    pub repaired: Signal<Out, Bits<8, harts>, { geometry.stack_check }>,

    #[connect(
        enable, lossy, purge, hold, ppcr, br.valid = br[i].valid, br.ready = br[i].ready, br.kind = br[i].kind,
        br.taken = br[i].taken, br.next_address = br[i].next_address, br.events = br[i].events,
        br.after_loss = br[i].after_loss, br.lost = br[i].lost
    )]
    detectors: Vec<Detector<one, true>, harts>,
    #[connect(waits)]
    arbiter: HartArbiter<geometry>,
}

#[kernel]
impl HartDetectors {
    /// The harts' records have their number.
    fn records(&mut self) {
        for i in 0..self.detectors.len() {
            self.detectors[i].br.target.next = self.br[i].target | self._numbers[i];
        }
    }

    /// The harts whose path waits, and the one that is granted the table.
    fn arbiter(&mut self) {
        let mut wanted: Bits<8> = 0.into();
        for i in 0..self.detectors.len() {
            wanted = wanted.replace_bit(i, self.detectors[i].next_valid);
            self.detectors[i].waits.next = self.arbiter.holds.get_bit(i);
            self.detectors[i].yields.next = self.arbiter.yields.get_bit(i);
        }
        self.arbiter.wanted.next = wanted;
        self.next_valid.next = wanted.any();
    }

    /// The path of the hart that was granted the table last.
    fn path(&mut self) {
        let mut valid: Bit = false;
        let mut start: Bits<64> = 0.into();
        let mut outcomes: Bits<64> = 0.into();
        let mut length: Bits<7> = 0.into();
        let mut count: Bits<32> = 0.into();
        for i in 0..self.detectors.len() {
            valid = valid | self.detectors[i].path.valid;
            start = start | self.detectors[i].path.start;
            outcomes = outcomes | self.detectors[i].path.outcomes;
            length = length | self.detectors[i].path.length;
            count = count | self.detectors[i].path.count;
        }
        self.path.valid.next = valid;
        self.path.start.next = start;
        self.path.outcomes.next = outcomes;
        self.path.length.next = length;
        self.path.count.next = count;
    }

    /// What is counted.
    fn statistics(&mut self) {
        let mut accepted: Bits<8> = 0.into();
        let mut lost: Bits<8> = 0.into();
        let mut split: Bits<8> = 0.into();
        let mut underflow: Bits<8> = 0.into();
        let mut overflow: Bits<8> = 0.into();
        let mut repaired: Bits<8> = 0.into();
        let mut saturated: Bit = false;
        let mut busy: Bit = false;
        for i in 0..self.detectors.len() {
            accepted = accepted.replace_bit(i, self.detectors[i].accepted);
            lost = lost.replace_bit(i, self.detectors[i].lost);
            split = split.replace_bit(i, self.detectors[i].events.split);
            underflow = underflow.replace_bit(i, self.detectors[i].events.underflow);
            overflow = overflow.replace_bit(i, self.detectors[i].events.overflow);
            repaired = repaired.replace_bit(i, self.detectors[i].events.repaired);
            saturated = saturated | self.detectors[i].events.saturated;
            busy = busy | self.detectors[i].busy;
        }
        self.accepted.next = accepted;
        self.lost.next = lost;
        self.split.next = split;
        self.underflow.next = underflow;
        self.overflow.next = overflow;
        self.repaired.next = repaired;
        self.saturated.next = saturated;
        self.busy.next = busy;
    }
}
