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
use hpp_golden::registers::{self, ADDRESS_BITS, command, context, geometry_words, status};
use rust_hdl::prelude::*;

use super::control::{ControlRegisters, Settings};
use super::port::RegisterSlave;
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Word address of the first counter.
const COUNTERS: u32 = registers::COUNTERS_OFFSET / 4;

/// Register file: decodes accesses and multiplexes read data.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let index_bits = geometry.entries().next_power_of_two().trailing_zeros(),
    let sizes = geometry_words(geometry),
    const _sizes0: u32 = sizes[0],
    const _sizes1: u32 = sizes[1],
    const _sizes2: u32 = sizes[2],
    const _sizes3: u32 = sizes[3],
    const _harts: usize = geometry.harts as usize
)]
pub struct RegisterFile {
    /// Register accesses from the bus.
    pub access: RegisterSlave<ADDRESS_BITS>,
    /// Register values and commands.
    pub settings: Settings<geometry>,

    /// The table is being cleared.
    pub clearing: Signal<In, Bit>,
    /// Pulse: an accumulator saturated (sets a sticky error).
    pub accumulator_saturated: Signal<In, Bit>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub event_counter_saturated: Signal<In, Bit>,
    /// Pulse: a record was lost (sets a sticky error).
    pub record_lost: Signal<In, Bit>,
    /// Pulse: an evicted path was lost in the drain (sets a sticky error).
    pub drain_lost: Signal<In, Bit, { geometry.has_drain() }>,
    /// Pulse: a return did not match the top frame and the stack was repaired (statistics).
    pub repaired: Signal<In, Bits<8, { geometry.harts }>, { geometry.stack_check }>,

    /// Counters: the scan visits a word; 0 while it rests.
    pub counter_visits: Signal<In, Bit>,
    /// Counters: word that the scan visits, 2 * counter, plus 1 for the high word.
    pub counter_word: Signal<In, Bits<4>>,
    /// Counters: value of the word that the scan visits.
    pub counter_value: Signal<In, Bits<32>>,

    /// Scale s of the shadow policy: one miss in 2^(s + 1) is sampled.
    pub scale: Signal<In, Bits<5>, { geometry.replacement == Replacement::Shadow }>,
    /// Readout: fetch entry new_index.
    pub fetch: Signal<Out, Bit>,
    /// Readout: number of the entry to fetch.
    pub new_index: Signal<Out, Bits<16>>,
    /// Readout: the current word has been read.
    pub step: Signal<Out, Bit>,
    /// Readout: number of the current entry.
    pub index: Signal<In, Bits<16, index_bits>>,
    /// Readout: the current entry is fetched.
    pub entry_valid: Signal<In, Bit>,
    /// Readout: the next word is addressed in this cycle.
    pub entry_read: Signal<Out, Bit>,
    /// Readout: addressed word one cycle later, else 0.
    pub entry_word: Signal<In, Bits<32>>,

    #[connect(
        access.{address, data, lanes}, accumulator_saturated, event_counter_saturated, record_lost,
        drain_lost, settings
    )]
    control: ControlRegisters<geometry, reset>,
    repairs: Option<Register<Bits<32>>, { geometry.stack_check }>,
    #[connect(q = access.done)]
    done: Register<Bit>,
    plain: Delay<Bits<32>>,
    counter: Register<Bits<32>>,
    take_high: Register<Bit>,
}

#[kernel]
impl RegisterFile {
    /// Accesses. Those of a counter's low word, of the index and of the data may wait.
    fn accesses(&mut self) {
        let (address, write, lanes) = (self.access.address, self.access.write, self.access.lanes);
        let reads_low = (address >= COUNTERS) & !address.get_bit(0) & !write;
        let writes_index = (address == registers::TABLE_INDEX) & write;
        let reads_data = (address == registers::TABLE_DATA) & !write;
        let visited = self.counter_visits & (self.counter_word == address.get_bits::<4>(0));
        let waits = (reads_low & !visited) | ((writes_index | reads_data) & !self.entry_valid);
        let act = self.access.request & !waits;
        self.done.d.next = act;

        // Writes of the control registers never wait.
        self.control.write.next = self.access.request & write;

        // The scan visits the high word of a counter one cycle after the low word, and the same register captures it
        // then.
        let take_low = act & reads_low;
        self.take_high.d.next = take_low;
        if take_low | self.take_high {
            self.counter.d.next = self.counter_value;
        }

        // The readout.
        let (data, index) = (self.access.data, bit_cast::<16, 16>(self.index));
        let low = if lanes.get_bit(0) {
            data.get_bits::<8>(0)
        } else {
            index.get_bits::<8>(0)
        };
        let high = if lanes.get_bit(1) {
            data.get_bits::<8>(8)
        } else {
            index.get_bits::<8>(8)
        };
        self.new_index.next = bit_cast::<16, 8>(low) | (bit_cast::<16, 8>(high) << 8);
        self.fetch.next = act & writes_index & lanes.any();
        self.step.next = act & reads_data;
        self.entry_read.next = reads_data;
    }

    /// Statistics that are no counters of the scan.
    fn statistics(&mut self) {
        let clear = self
            .control
            .settings
            .command
            .get_bit(command::CLEAR_COUNTERS);
        let mut repairs: Bits<32> = self.repairs?;
        for i in 0..self._harts {
            let step: Bits<32> = if self.repaired.get_bit(i) {
                1.into()
            } else {
                0.into()
            };
            repairs = repairs + step;
        }
        self.repairs?.d.next = repairs;
        if clear {
            self.repairs?.d.next = 0.into();
        }
    }

    /// Read data. Words of entries are 0 unless addressed, and an OR joins them.
    fn reads(&mut self) {
        let status = bits::<32>(0)
            .replace_bit(status::CLEARING, self.clearing)
            .replace_bit(status::ENTRY_VALID, self.entry_valid);
        let context = bit_cast::<32, 8>(self.control.settings.context_mask)
            | (bit_cast::<32, 8>(self.control.settings.context_value) << context::VALUE);
        self.plain.d.next = match self.access.address {
            registers::ID_REGISTER => registers::ID.into(),
            registers::GEOMETRY0 => self._sizes0.into(),
            registers::GEOMETRY1 => self._sizes1.into(),
            registers::GEOMETRY2 => self._sizes2.into(),
            registers::GEOMETRY3 => self._sizes3.into(),
            registers::CONTROL => bit_cast::<32, 8>(self.control.settings.control),
            registers::STATUS => status,
            registers::PPCR_MODE => bit_cast::<32, 16>(self.control.settings.mode),
            registers::ERRORS => bit_cast::<32, 8>(self.control.errors),
            registers::TABLE_INDEX => bit_cast::<32, 16>(self.index),
            registers::CONTEXT => context,
            registers::REPAIRS => self.repairs?,
            registers::SHADOW => bit_cast::<32, 5>(self.scale),
            _ => 0.into(),
        };
        // A word without constant bits costs fewer LUTs beside the others.
        if self.access.address == registers::PPCR_ROWS {
            self.plain.d.next = self.control.settings.rows;
        }
        let register = if self.access.address >= COUNTERS {
            self.counter
        } else {
            self.plain
        };
        self.access.read_data.next = register | self.entry_word;
    }
}
