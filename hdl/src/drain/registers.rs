//! The registers of a drain.
//!
//! [`hpp_golden::registers`] defines addresses and fields. No access waits: each acts in the cycle of its request, and
//! `done` comes one cycle later.

use hpp_golden::config::{DRAIN_MARGIN, Geometry};
use hpp_golden::registers::{self, drain_command, drain_control};
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::registers::RegisterSlave;

/// Registers of the drain.
///
/// Timing: `irq` and `hold` lag the level by one cycle.
#[circuit(
    geometry: &Geometry,
    let level_bits = geometry.drain_depth.trailing_zeros() + 1
)]
pub struct DrainRegisters {
    /// Register accesses to the drain.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    /// Fill level: number of paths in the FIFO.
    #[bits(level_bits)]
    pub level: Signal<In, Bits<13>>,
    /// Number of lost paths, modulo 2^32.
    pub lost: Signal<In, Bits<32>>,
    /// Sum of the accumulators of lost paths, modulo 2^64.
    pub lost_count: Signal<In, Bits<64>>,
    /// The head of the FIFO is valid.
    pub shown: Signal<In, Bit>,
    /// Address of the first instruction of the path at the head; context, if any, in the bits above.
    #[bits(geometry.start_bits())]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes of the path at the head, first branch in bit 0.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length of the path at the head in branches.
    #[bits(geometry.length_bits())]
    pub length: Signal<In, Bits<7>>,
    /// Accumulator of the path at the head.
    #[bits(geometry.accumulator_bits)]
    pub count: Signal<In, Bits<32>>,

    /// DRAIN_CONTROL: evicted paths leave through the streaming ports.
    pub streams: Signal<Out, Bit>,
    /// Pop: software removes the path at the head.
    pub take: Signal<Out, Bit>,
    /// Clear: software removes all paths.
    pub clear: Signal<Out, Bit>,
    /// Level-sensitive interrupt: the FIFO level has reached the watermark.
    pub irq: Signal<Out, Bit>,
    /// Back-pressure: no record leaves the queue in this cycle.
    pub hold: Signal<Out, Bit>,

    holds: Register<Bit>,
    #[connect(q = streams)]
    to_ports: Register<Bit>,
    #[bits(level_bits)]
    watermark: Register<Bits<13>>,
    #[connect(q = irq)]
    reached: Register<Bit>,
    #[connect(q = hold)]
    held: Register<Bit>,
    #[connect(d = access.request, q = access.done)]
    done: Register<Bit>,
    #[connect(q = access.read_data)]
    word: Delay<Bits<32>>,
    high: Register<Bits<32>>,

    writes: Signal<Local, Bit>,
    at_control: Signal<Local, Bit>,
    at_command: Signal<Local, Bit>,
    at_low: Signal<Local, Bit>,
    written: Signal<Local, Bits<16>>,
    plain: Signal<Local, Bits<32>>,

    #[number(registers::DRAIN_CONTROL.word())]
    control_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_STATUS.word())]
    status_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_COMMAND.word())]
    command_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_COUNT.word())]
    count_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_LENGTH.word())]
    length_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_OUTCOMES_LO.word())]
    outcomes_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_OUTCOMES_HI.word())]
    outcomes_hi_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_START_LO.word())]
    start_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_START_HI.word())]
    start_hi_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_LOST.word())]
    lost_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_LOST_COUNT_LO.word())]
    lost_count_address: Constant<Bits<6>>,
    #[number(registers::DRAIN_LOST_COUNT_HI.word())]
    lost_count_hi_address: Constant<Bits<6>>,
    #[number(drain_control::WATERMARK.lsb)]
    watermark_lsb: Constant<Bits<5>>,
    #[number(drain_control::HOLD.mask())]
    hold_mask: Constant<Bits<32>>,
    #[number(drain_control::STREAM.mask())]
    stream_mask: Constant<Bits<32>>,
    #[number(drain_command::TAKE.mask())]
    take_mask: Constant<Bits<32>>,
    #[number(drain_command::CLEAR.mask())]
    clear_mask: Constant<Bits<32>>,
    #[number(geometry.drain_depth - DRAIN_MARGIN)]
    limit: Constant<Bits<13>>,
}

impl Logic for DrainRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        self.at_control.next = self.access.address.val() == self.control_address.val();
        self.at_command.next = self.access.address.val() == self.command_address.val();
        self.at_low.next = self.access.address.val() == self.lost_count_address.val();

        // Writes. A byte lane that is not written keeps its bits; in a command it counts as 0.
        self.writes.next = self.access.request.val() & self.access.write.val();
        self.written.next = bit_cast::<16, 13>(self.watermark.q.val());
        if self.access.lanes.val().get_bit(2) {
            self.written.next = (self.written.val() & 0xff00)
                | (bit_cast::<16, 32>(self.access.data.val() >> self.watermark_lsb.val()) & 0x00ff);
        }
        if self.access.lanes.val().get_bit(3) {
            self.written.next = (self.written.val() & 0x00ff)
                | (bit_cast::<16, 32>(self.access.data.val() >> self.watermark_lsb.val()) & 0xff00);
        }
        self.take.next = false;
        self.clear.next = false;
        if self.writes.val() & self.at_control.val() {
            if self.access.lanes.val().get_bit(0) {
                self.holds.d.next = (self.access.data.val() & self.hold_mask.val()).any();
                self.to_ports.d.next = (self.access.data.val() & self.stream_mask.val()).any();
            }
            self.watermark.d.next = bit_cast::<13, 16>(self.written.val());
        }
        if self.writes.val() & self.at_command.val() & self.access.lanes.val().get_bit(0) {
            self.take.next = (self.access.data.val() & self.take_mask.val()).any();
            self.clear.next = (self.access.data.val() & self.clear_mask.val()).any();
        }

        // Interrupt and hold.
        self.reached.d.next =
            self.watermark.q.val().any() & (self.level.val() >= self.watermark.q.val());
        self.held.d.next = self.holds.q.val() & (self.level.val() > self.limit.val());

        // Reads.
        if self.access.request.val() & !self.access.write.val() & self.at_low.val() {
            self.high.d.next = bit_cast::<32, 64>(self.lost_count.val() >> 32);
        }
        self.plain.next = 0.into();
        if self.at_control.val() {
            self.plain.next =
                bit_cast::<32, 13>(self.watermark.q.val()) << self.watermark_lsb.val();
            if self.holds.q.val() {
                self.plain.next = self.plain.val() | self.hold_mask.val();
            }
            if self.to_ports.q.val() {
                self.plain.next = self.plain.val() | self.stream_mask.val();
            }
        }
        if self.access.address.val() == self.status_address.val() {
            self.plain.next = bit_cast::<32, 13>(self.level.val());
        }
        if self.access.address.val() == self.lost_address.val() {
            self.plain.next = self.lost.val();
        }
        if self.at_low.val() {
            self.plain.next = bit_cast::<32, 64>(self.lost_count.val());
        }
        if self.access.address.val() == self.lost_count_hi_address.val() {
            self.plain.next = self.high.q.val();
        }
        if self.shown.val() {
            if self.access.address.val() == self.count_address.val() {
                self.plain.next = self.count.val();
            }
            if self.access.address.val() == self.length_address.val() {
                self.plain.next = bit_cast::<32, 7>(self.length.val());
            }
            if self.access.address.val() == self.outcomes_address.val() {
                self.plain.next = bit_cast::<32, 64>(self.outcomes.val());
            }
            if self.access.address.val() == self.outcomes_hi_address.val() {
                self.plain.next = bit_cast::<32, 64>(self.outcomes.val() >> 32);
            }
            if self.access.address.val() == self.start_address.val() {
                self.plain.next = bit_cast::<32, 64>(self.start.val());
            }
            if self.access.address.val() == self.start_hi_address.val() {
                self.plain.next = bit_cast::<32, 64>(self.start.val() >> 32);
            }
        }
        self.word.d.next = self.plain.val();
    }
}
