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
//!
//! [`hpp_golden::registers`] defines addresses and fields. No access waits: each acts in the cycle of its request, and
//! `done` comes one cycle later.

mod gate;

pub use gate::TriggerGate;

use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, trigger_control, trigger_status};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};
use crate::registers::RegisterSlave;

/// Starts and stops profiling by triggers, and raises an interrupt after a number of paths.
///
/// A write takes effect after the events of its cycle, with one exception. A path that sets REACHED in the cycle of its
/// clearing leaves it set.
#[circuit(
    geometry: &Geometry, let bits = geometry.pc_bits - geometry.align,
    const modes_mask: Bits<32> = registers::TRIGGER_CONTROL.fields.iter().fold(0, |all, field| all | field.mask()) & !trigger_control::RUN.mask(),
    const align: Bits<8> = geometry.align,
    const address_mask: Bits<64> = Geometry::mask(bits)
)]
pub struct Triggers {
    /// Register accesses to the triggers.
    pub access: RegisterSlave<{ geometry.address_bits() }>,
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

    #[connect(
        valid, ready, enable, kind, target, next_address, start_event, stop_event, passes, first,
        start = start.q, stop = stop.q
    )]
    gate: TriggerGate<geometry>,
    modes: Register<Bits<32, 6>>,
    /// Start address, without constant low bits.
    start: Register<Bits<64, bits>>,
    /// Stop address, without constant low bits.
    stop: Register<Bits<64, bits>>,
    left: Register<Bits<32>>,
    #[connect(q = irq)]
    reached: Register<Bit>,
    kept_out: Register<Bits<32>>,
    #[connect(d = access.request, q = access.done)]
    done: Register<Bit>,
    #[connect(q = access.read_data)]
    word: Delay<Bits<32>>,
}

#[kernel]
impl Triggers {
    /// Writes. A byte lane that is not written keeps its bits.
    fn writes(&mut self) {
        let (address, data, lanes) = (self.access.address, self.access.data, self.access.lanes);
        let write = self.access.request & self.access.write;
        let mut mask: Bits<32> = 0.into();
        for i in 0..4 {
            if lanes.get_bit(i) {
                mask = mask | (bits::<32>(0xff) << (8 * i).to_bits::<5>());
            }
        }

        self.gate.write.next = write & (address == registers::TRIGGER_CONTROL) & lanes.get_bit(0);
        self.gate.written.next = data.get_bit(trigger_control::RUN);
        if self.gate.write {
            self.modes.d.next = data & self.modes_mask;
        }

        // The addresses of start and stop, a word at a time.
        let is_high =
            (address == registers::TRIGGER_START_HI) | (address == registers::TRIGGER_STOP_HI);
        let low_mask = bit_cast::<64, 32>(mask);
        let low_word = bit_cast::<64, 32>(data & mask);
        let kept = if is_high {
            !(low_mask << 32)
        } else {
            !low_mask
        };
        let word = if is_high { low_word << 32 } else { low_word };
        if write
            & ((address == registers::TRIGGER_START_LO) | (address == registers::TRIGGER_START_HI))
        {
            self.start.d.next =
                ((((self.start << self.align) & kept) | word) >> self.align) & self.address_mask;
        }
        let next_stop = if self.gate.captures {
            self.gate.returns_to
        } else {
            self.stop
        };
        self.stop.d.next = next_stop;
        if write
            & ((address == registers::TRIGGER_STOP_LO) | (address == registers::TRIGGER_STOP_HI))
        {
            self.stop.d.next =
                ((((next_stop << self.align) & kept) | word) >> self.align) & self.address_mask;
        }

        // Paths until the interrupt.
        let counted = if self.completes & self.left.any() {
            self.left - 1
        } else {
            self.left
        };
        self.left.d.next = counted;
        if write & (address == registers::TRIGGER_PATHS) {
            self.left.d.next = (counted & !mask) | (data & mask);
        }
        if write
            & (address == registers::TRIGGER_STATUS)
            & (data & mask).get_bit(trigger_status::REACHED)
        {
            self.reached.d.next = false;
        }
        if self.completes & (self.left == 1) {
            self.reached.d.next = true;
        }

        // Rejected records.
        if self.gate.keeps_out {
            self.kept_out.d.next = self.kept_out + 1;
        }
        if self.clear_counters {
            self.kept_out.d.next = 0.into();
        }
    }

    /// Read data.
    fn reads(&mut self) {
        let (start, stop) = (self.start << self.align, self.stop << self.align);
        self.word.d.next = match self.access.address {
            registers::TRIGGER_CONTROL => {
                self.modes.replace_bit(trigger_control::RUN, self.gate.runs)
            }
            registers::TRIGGER_STATUS => {
                bits::<32>(0).replace_bit(trigger_status::REACHED, self.reached)
            }
            registers::TRIGGER_START_LO => bit_cast::<32, 64>(start),
            registers::TRIGGER_START_HI => bit_cast::<32, 64>(start >> 32),
            registers::TRIGGER_STOP_LO => bit_cast::<32, 64>(stop),
            registers::TRIGGER_STOP_HI => bit_cast::<32, 64>(stop >> 32),
            registers::TRIGGER_PATHS => self.left,
            registers::TRIGGER_KEPT_OUT => self.kept_out,
            _ => 0.into(),
        };
    }

    /// Trigger conditions for the gate.
    fn conditions(&mut self) {
        self.gate.start_at_address.next = self.modes.get_bit(trigger_control::START_ADDRESS);
        self.gate.start_by_event.next = self.modes.get_bit(trigger_control::START_EVENT);
        self.gate.stop_at_address.next = self.modes.get_bit(trigger_control::STOP_ADDRESS);
        self.gate.stop_by_event.next = self.modes.get_bit(trigger_control::STOP_EVENT);
        self.gate.at_return.next = self.modes.get_bit(trigger_control::AT_RETURN);
    }
}
