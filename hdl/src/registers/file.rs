//! The register file: it decodes every software access and returns every word.
//!
//! ```text
//!   access --> [ decode ] --> control registers, readout
//!                  |
//!   constants, status, control, PPCR, index --> [ plain ] --+
//!   counters ---------------------------------> [ counter ]-+--- | ---> read_data
//!   readout ------------------------------------------------+
//! ```
//!
//! [`hpp_golden::registers`] defines addresses and fields. A write without any byte lane has no effect.
//!
//! Timing: `done` comes one cycle after `request`. Two accesses wait. A read of a counter's low word waits for the
//! scan, up to 15 cycles. A read of `TABLE_DATA` or a write of `TABLE_INDEX` waits for the readout. An access takes
//! effect in the cycle before `done`, and only if `request` is 1 in that cycle.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, ADDRESS_BITS, geometry_words, status};
use rust_hdl::prelude::*;

use super::control::{ControlRegisters, Settings};
use super::port::RegisterSlave;
use super::repairs::RepairCounter;
use crate::circuit::circuit;
use crate::register::{Delay, Register};

/// Register file: decodes accesses and multiplexes read data.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let index_bits = geometry.entries().next_power_of_two().trailing_zeros(),
    let sizes = geometry_words(geometry)
)]
pub struct RegisterFile {
    /// Register accesses from the bus.
    #[bundle(ADDRESS_BITS)]
    pub access: RegisterSlave,
    /// Register values and commands.
    #[bundle(geometry)]
    pub settings: Settings,

    /// The table is being cleared.
    pub clearing: Signal<In, Bit>,
    /// Pulse: an accumulator saturated (sets a sticky error).
    pub accumulator_saturated: Signal<In, Bit>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub event_counter_saturated: Signal<In, Bit>,
    /// Pulse: a record was lost (sets a sticky error).
    pub record_lost: Signal<In, Bit>,
    /// Pulse: an evicted path was lost in the drain (sets a sticky error).
    #[present(geometry.has_drain())]
    pub drain_lost: Signal<In, Bit>,
    /// Pulse: a return did not match the top frame and the stack was repaired (statistics).
    #[present(geometry.stack_check)]
    pub repaired: Signal<In, Bit>,

    /// Counters: word that the scan visits, 2 * counter, plus 1 for the high word.
    pub counter_word: Signal<In, Bits<4>>,
    /// Counters: value of the word that the scan visits.
    pub counter_value: Signal<In, Bits<32>>,

    /// Shadow policy: state of the LFSR and sampling rate.
    #[present(geometry.replacement == Replacement::Shadow)]
    pub shadow: Signal<In, Bits<32>>,
    /// Readout: fetch entry new_index.
    pub fetch: Signal<Out, Bit>,
    /// Readout: number of the entry to fetch.
    pub new_index: Signal<Out, Bits<16>>,
    /// Readout: the current word has been read.
    pub step: Signal<Out, Bit>,
    /// Readout: number of the current entry.
    #[bits(index_bits)]
    pub index: Signal<In, Bits<16>>,
    /// Readout: the current entry is fetched.
    pub entry_valid: Signal<In, Bit>,
    /// Readout: the next word is addressed in this cycle.
    pub entry_read: Signal<Out, Bit>,
    /// Readout: addressed word one cycle later, else 0.
    pub entry_word: Signal<In, Bits<32>>,

    #[new(geometry, reset)]
    #[connect(
        access.{address, data, lanes}, accumulator_saturated, event_counter_saturated, record_lost,
        drain_lost, settings
    )]
    control: ControlRegisters,
    #[each(i in usize::from(geometry.stack_check))]
    #[new()]
    #[connect(repaired, clear = control.settings.clear_counters, address = access.address)]
    repairs: Vec<RepairCounter>,
    #[connect(q = access.done)]
    done: Register<Bit>,
    plain_stage: Delay<Bits<32>>,
    counter: Register<Bits<32>>,
    take_high: Register<Bit>,

    is_counter: Signal<Local, Bit>,
    reads_low: Signal<Local, Bit>,
    writes_index: Signal<Local, Bit>,
    reads_data: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    act: Signal<Local, Bit>,
    take_low: Signal<Local, Bit>,
    index_lanes: Signal<Local, Bits<16>>,
    plain: Signal<Local, Bits<32>>,

    #[number(registers::ID_REGISTER.word())]
    id_address: Constant<Bits<6>>,
    #[number(registers::ID)]
    id: Constant<Bits<32>>,
    #[number(registers::GEOMETRY0.word())]
    geometry0_address: Constant<Bits<6>>,
    #[number(sizes[0])]
    geometry0: Constant<Bits<32>>,
    #[number(registers::GEOMETRY1.word())]
    geometry1_address: Constant<Bits<6>>,
    #[number(sizes[1])]
    geometry1: Constant<Bits<32>>,
    #[number(registers::GEOMETRY2.word())]
    geometry2_address: Constant<Bits<6>>,
    #[number(sizes[2])]
    geometry2: Constant<Bits<32>>,
    #[number(registers::GEOMETRY3.word())]
    geometry3_address: Constant<Bits<6>>,
    #[number(sizes[3])]
    geometry3: Constant<Bits<32>>,
    #[number(registers::STATUS.word())]
    status_address: Constant<Bits<6>>,
    #[number(status::CLEARING.mask())]
    clearing_mask: Constant<Bits<32>>,
    #[number(status::ENTRY_VALID.mask())]
    entry_valid_mask: Constant<Bits<32>>,
    #[number(registers::PPCR_ROWS.word())]
    rows_address: Constant<Bits<6>>,
    #[number(registers::TABLE_INDEX.word())]
    index_address: Constant<Bits<6>>,
    #[number(registers::TABLE_DATA.word())]
    data_address: Constant<Bits<6>>,
    #[number(registers::COUNTERS_OFFSET / 4)]
    counters_address: Constant<Bits<6>>,
    #[value(usize::from(sizes[3] != 0))]
    _geometry3: usize,
    #[number(registers::SHADOW.word())]
    shadow_address: Constant<Bits<6>>,
    #[value(usize::from(geometry.stack_check))]
    _repairs: usize,
    #[value(usize::from(geometry.replacement == Replacement::Shadow))]
    _shadows: usize,
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        // Whether the access can complete in this cycle.
        self.is_counter.next = self.access.address.val() >= self.counters_address.val();
        self.reads_low.next = self.is_counter.val()
            & !self.access.address.val().get_bit(0)
            & !self.access.write.val();
        self.writes_index.next =
            (self.access.address.val() == self.index_address.val()) & self.access.write.val();
        self.reads_data.next =
            (self.access.address.val() == self.data_address.val()) & !self.access.write.val();
        self.waits.next = (self.reads_low.val()
            & (self.counter_word.val() != self.access.address.val().get_bits::<4>(0)))
            | ((self.writes_index.val() | self.reads_data.val()) & !self.entry_valid.val());
        self.act.next = self.access.request.val() & !self.waits.val();
        self.done.d.next = self.act.val();

        // The control registers. Their writes never wait.
        self.control.write.next = self.access.request.val() & self.access.write.val();

        // The readout.
        self.index_lanes.next = 0.into();
        if self.access.lanes.val().get_bit(0) {
            self.index_lanes.next = self.index_lanes.val() | 0x00ff;
        }
        if self.access.lanes.val().get_bit(1) {
            self.index_lanes.next = self.index_lanes.val() | 0xff00;
        }
        self.new_index.next = (self.index.val() & !self.index_lanes.val())
            | (self.access.data.val().get_bits::<16>(0) & self.index_lanes.val());
        self.fetch.next = self.act.val() & self.writes_index.val() & self.access.lanes.val().any();
        self.step.next = self.act.val() & self.reads_data.val();
        self.entry_read.next = self.reads_data.val();

        // The counters. The scan visits the high word one cycle after the low word, and the same register captures it
        // then.
        self.take_low.next = self.act.val() & self.reads_low.val();
        self.take_high.d.next = self.take_low.val();
        if self.take_low.val() | self.take_high.q.val() {
            self.counter.d.next = self.counter_value.val();
        }

        // Read data. Plain registers and words of entries are 0 unless addressed, and an OR joins them.
        self.plain.next = self.control.word.val();
        if self.access.address.val() == self.id_address.val() {
            self.plain.next = self.id.val();
        }
        if self.access.address.val() == self.geometry0_address.val() {
            self.plain.next = self.geometry0.val();
        }
        if self.access.address.val() == self.geometry1_address.val() {
            self.plain.next = self.geometry1.val();
        }
        if self.access.address.val() == self.geometry2_address.val() {
            self.plain.next = self.geometry2.val();
        }
        for _i in 0..self._geometry3 {
            if self.access.address.val() == self.geometry3_address.val() {
                self.plain.next = self.geometry3.val();
            }
        }
        for i in 0..self._repairs {
            self.plain.next = self.plain.val() | self.repairs[i].word.val();
        }
        for _i in 0..self._shadows {
            if self.access.address.val() == self.shadow_address.val() {
                self.plain.next = self.shadow.val();
            }
        }
        if self.access.address.val() == self.status_address.val() {
            if self.clearing.val() {
                self.plain.next = self.plain.val() | self.clearing_mask.val();
            }
            if self.entry_valid.val() {
                self.plain.next = self.plain.val() | self.entry_valid_mask.val();
            }
        }
        if self.access.address.val() == self.index_address.val() {
            self.plain.next = bit_cast::<32, 16>(self.index.val());
        }
        if self.access.address.val() == self.rows_address.val() {
            self.plain.next = self.control.settings.rows.val();
        }
        self.plain_stage.d.next = self.plain.val();
        self.access.read_data.next = self.plain_stage.q.val() | self.entry_word.val();
        if self.is_counter.val() {
            self.access.read_data.next = self.counter.q.val();
        }
    }
}
