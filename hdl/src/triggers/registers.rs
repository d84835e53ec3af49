//! The registers of the triggers.
//!
//! [`hpp_golden::registers`] defines addresses and fields. No access waits: each acts in the cycle of its request, and
//! `done` comes one cycle later.

use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, trigger_control, trigger_status};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};
use crate::registers::RegisterSlave;

/// Registers of the triggers, and the path counter of the interrupt.
///
/// A write takes effect after the events of its cycle, with one exception. A path that sets REACHED in the cycle of its
/// clearing leaves it set.
#[circuit(
    geometry: &Geometry,
    let bits = geometry.pc_bits - geometry.align
)]
pub struct TriggerRegisters {
    /// Register accesses to the triggers.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    /// Run state: records are profiled.
    pub runs: Signal<In, Bit>,
    /// Set the stop address to returns_to.
    pub captures: Signal<In, Bit>,
    /// Return address of the call or trap, without constant low bits.
    #[bits(bits)]
    pub returns_to: Signal<In, Bits<64>>,
    /// Pulse: a record was rejected (statistics).
    pub keeps_out: Signal<In, Bit>,
    /// Completed path is valid; 1 for one cycle per path.
    pub completes: Signal<In, Bit>,
    /// Clear the count of rejected records.
    pub clear_counters: Signal<In, Bit>,

    /// Start address, without constant low bits.
    #[bits(bits)]
    pub start: Signal<Out, Bits<64>>,
    /// Stop address, without constant low bits.
    #[bits(bits)]
    pub stop: Signal<Out, Bits<64>>,
    /// Enable the start at the start address.
    pub start_at_address: Signal<Out, Bit>,
    /// Enable the start by the event input.
    pub start_by_event: Signal<Out, Bit>,
    /// Enable the stop at the stop address.
    pub stop_at_address: Signal<Out, Bit>,
    /// Enable the stop by the event input.
    pub stop_by_event: Signal<Out, Bit>,
    /// Start only at calls and traps, and set the stop address to their return address.
    pub at_return: Signal<Out, Bit>,
    /// Software writes the run state in this cycle.
    pub write: Signal<Out, Bit>,
    /// Run state that software writes.
    pub written: Signal<Out, Bit>,
    /// Interrupt: TRIGGER_PATHS has reached 0; stays 1 until TRIGGER_STATUS.REACHED is cleared.
    pub irq: Signal<Out, Bit>,

    #[bits(6)]
    modes: Register<Bits<32>>,
    #[bits(bits)]
    #[connect(q = start)]
    start_address: Register<Bits<64>>,
    #[bits(bits)]
    #[connect(q = stop)]
    stop_address: Register<Bits<64>>,
    left: Register<Bits<32>>,
    #[connect(q = irq)]
    reached: Register<Bit>,
    kept_out: Register<Bits<32>>,
    #[connect(d = access.request, q = access.done)]
    done: Register<Bit>,
    #[connect(q = access.read_data)]
    word: Delay<Bits<32>>,

    writes: Signal<Local, Bit>,
    at_control: Signal<Local, Bit>,
    at_status: Signal<Local, Bit>,
    at_paths: Signal<Local, Bit>,
    mask: Signal<Local, Bits<32>>,
    /// Address bits that are written, with their new values in written_word.
    written_mask: Signal<Local, Bits<64>>,
    written_word: Signal<Local, Bits<64>>,
    full_start: Signal<Local, Bits<64>>,
    #[bits(bits)]
    next_stop: Signal<Local, Bits<64>>,
    full_stop: Signal<Local, Bits<64>>,
    counted: Signal<Local, Bits<32>>,
    plain: Signal<Local, Bits<32>>,

    #[number(registers::TRIGGER_CONTROL.word())]
    control_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_STATUS.word())]
    status_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_START_LO.word())]
    start_lo_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_START_HI.word())]
    start_hi_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_STOP_LO.word())]
    stop_lo_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_STOP_HI.word())]
    stop_hi_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_PATHS.word())]
    paths_address: Constant<Bits<6>>,
    #[number(registers::TRIGGER_KEPT_OUT.word())]
    kept_out_address: Constant<Bits<6>>,
    #[number(trigger_control::RUN.mask())]
    run_mask: Constant<Bits<32>>,
    #[number(trigger_control::START_ADDRESS.mask())]
    start_address_mask: Constant<Bits<32>>,
    #[number(trigger_control::START_EVENT.mask())]
    start_event_mask: Constant<Bits<32>>,
    #[number(trigger_control::STOP_ADDRESS.mask())]
    stop_address_mask: Constant<Bits<32>>,
    #[number(trigger_control::STOP_EVENT.mask())]
    stop_event_mask: Constant<Bits<32>>,
    #[number(trigger_control::AT_RETURN.mask())]
    at_return_mask: Constant<Bits<32>>,
    #[number(registers::TRIGGER_CONTROL.fields.iter().fold(0, |all, field| all | field.mask()) & !trigger_control::RUN.mask())]
    modes_mask: Constant<Bits<32>>,
    #[number(trigger_status::REACHED.mask())]
    reached_mask: Constant<Bits<32>>,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
    #[number(Geometry::mask(bits))]
    address_mask: Constant<Bits<64>>,
}

#[kernel]
impl TriggerRegisters {
    /// Writes. A byte lane that is not written keeps its bits.
    fn writes(&mut self) {
        self.at_control.next = self.access.address.val() == self.control_address.val();
        self.at_status.next = self.access.address.val() == self.status_address.val();
        self.at_paths.next = self.access.address.val() == self.paths_address.val();

        // Writes. A byte lane that is not written keeps its bits.
        self.writes.next = self.access.request.val() & self.access.write.val();
        self.mask.next = 0.into();
        for i in 0..4 {
            if self.access.lanes.val().get_bit(i) {
                self.mask.next = self.mask.val() | (bits::<32>(0xff) << (8 * i).to_bits::<5>());
            }
        }
        self.write.next =
            self.writes.val() & self.at_control.val() & self.access.lanes.val().get_bit(0);
        self.written.next = (self.access.data.val() & self.run_mask.val()).any();
        if self.write.val() {
            self.modes.d.next = self.access.data.val() & self.modes_mask.val();
        }
    }

    /// The addresses of start and stop.
    fn addresses(&mut self) {
        self.written_mask.next = bit_cast::<64, 32>(self.mask.val());
        self.written_word.next = bit_cast::<64, 32>(self.access.data.val() & self.mask.val());
        if (self.access.address.val() == self.start_hi_address.val())
            | (self.access.address.val() == self.stop_hi_address.val())
        {
            self.written_mask.next = bit_cast::<64, 32>(self.mask.val()) << 32;
            self.written_word.next =
                bit_cast::<64, 32>(self.access.data.val() & self.mask.val()) << 32;
        }
        self.full_start.next = self.start_address.q.val() << self.align.val();
        if self.writes.val()
            & ((self.access.address.val() == self.start_lo_address.val())
                | (self.access.address.val() == self.start_hi_address.val()))
        {
            self.start_address.d.next = (((self.full_start.val() & !self.written_mask.val())
                | self.written_word.val())
                >> self.align.val())
                & self.address_mask.val();
        }
        self.next_stop.next = self.stop_address.q.val();
        if self.captures.val() {
            self.next_stop.next = self.returns_to.val();
        }
        self.full_stop.next = self.next_stop.val() << self.align.val();
        self.stop_address.d.next = self.next_stop.val();
        if self.writes.val()
            & ((self.access.address.val() == self.stop_lo_address.val())
                | (self.access.address.val() == self.stop_hi_address.val()))
        {
            self.stop_address.d.next = (((self.full_stop.val() & !self.written_mask.val())
                | self.written_word.val())
                >> self.align.val())
                & self.address_mask.val();
        }
    }

    /// Paths until the interrupt.
    fn paths(&mut self) {
        self.counted.next = self.left.q.val();
        if self.completes.val() & self.left.q.val().any() {
            self.counted.next = self.left.q.val() - 1;
        }
        self.left.d.next = self.counted.val();
        if self.writes.val() & self.at_paths.val() {
            self.left.d.next = (self.counted.val() & !self.mask.val())
                | (self.access.data.val() & self.mask.val());
        }
        if self.writes.val()
            & self.at_status.val()
            & (self.access.data.val() & self.mask.val() & self.reached_mask.val()).any()
        {
            self.reached.d.next = false;
        }
        if self.completes.val() & (self.left.q.val() == 1) {
            self.reached.d.next = true;
        }
    }

    /// Rejected records.
    fn rejected(&mut self) {
        if self.keeps_out.val() {
            self.kept_out.d.next = self.kept_out.q.val() + 1;
        }
        if self.clear_counters.val() {
            self.kept_out.d.next = 0.into();
        }
    }

    /// Read data.
    fn reads(&mut self) {
        self.plain.next = 0.into();
        if self.at_control.val() {
            self.plain.next = self.modes.q.val();
            if self.runs.val() {
                self.plain.next = self.plain.val() | self.run_mask.val();
            }
        }
        if self.at_status.val() & self.reached.q.val() {
            self.plain.next = self.reached_mask.val();
        }
        if self.access.address.val() == self.start_lo_address.val() {
            self.plain.next = bit_cast::<32, 64>(self.full_start.val());
        }
        if self.access.address.val() == self.start_hi_address.val() {
            self.plain.next = bit_cast::<32, 64>(self.full_start.val() >> 32);
        }
        if self.access.address.val() == self.stop_lo_address.val() {
            self.plain.next = bit_cast::<32, 64>(self.stop_address.q.val() << self.align.val());
        }
        if self.access.address.val() == self.stop_hi_address.val() {
            self.plain.next =
                bit_cast::<32, 64>((self.stop_address.q.val() << self.align.val()) >> 32);
        }
        if self.at_paths.val() {
            self.plain.next = self.left.q.val();
        }
        if self.access.address.val() == self.kept_out_address.val() {
            self.plain.next = self.kept_out.q.val();
        }
        self.word.d.next = self.plain.val();
    }

    /// Trigger conditions for the gate.
    fn conditions(&mut self) {
        self.start_at_address.next = (self.modes.q.val() & self.start_address_mask.val()).any();
        self.start_by_event.next = (self.modes.q.val() & self.start_event_mask.val()).any();
        self.stop_at_address.next = (self.modes.q.val() & self.stop_address_mask.val()).any();
        self.stop_by_event.next = (self.modes.q.val() & self.stop_event_mask.val()).any();
        self.at_return.next = (self.modes.q.val() & self.at_return_mask.val()).any();
    }
}
