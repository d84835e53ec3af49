//! The writable registers and the sticky errors: `CONTROL`, `COMMAND`, `PPCR_ROWS`, `PPCR_MODE`, `ERRORS`.
//!
//! ```text
//!   write, address, --> [ decode ] --+--> [ control ] [ mode, longest ] [ 8 rows ] --+--> settings
//!   data, lanes                      +--> commands ----------------------------------+
//!                                    |
//!   saturated, lost, refused rows ---+--> [ errors ]
//! ```
//!
//! A byte lane that is not written keeps its bits; in command registers it counts as 0. A written value is in force
//! from the next cycle on. A command acts in the cycle of its write.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{
    self, ADDRESS_BITS, Register as Description, command, context, control, errors, ppcr_mode,
};
use rust_hdl::prelude::*;

use super::context::ContextRegisters;
use super::row::PpcrRow;
use crate::circuit::{bundle, circuit, kernel};
use crate::register::Register;

/// Register values and commands.
#[bundle(geometry: &Geometry)]
pub struct Settings {
    /// 1: branch records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<Out, Bit>,
    /// Freeze: the table ignores completed paths.
    pub freeze: Signal<Out, Bit>,
    /// 1: lossy mode, records are lost when the queue is full; 0: stall mode.
    pub lossy: Signal<Out, Bit>,
    /// Clear the table: empty all entries.
    pub clear: Signal<Out, Bit>,
    /// Empty the stack before the next accepted record.
    pub purge: Signal<Out, Bit>,
    /// Clear the statistics counters.
    pub clear_counters: Signal<Out, Bit>,
    /// The eight PPCR rows, row 0 lowest; bits of a row: update, update_count, pop, push from bit 0.
    pub rows: Signal<Out, Bits<32>>,
    /// Metric: 1 a path counts its events, 0 a path counts 1.
    pub metric_events: Signal<Out, Bit>,
    /// Backward branches that are not taken use the row of backward branches.
    pub not_taken_as_backward: Signal<Out, Bit>,
    /// Paths extend across: 0 nothing, 1 loops, 2 procedures.
    pub extension: Signal<Out, Bits<2>>,
    /// Maximum number of extensions of a path.
    #[bits(geometry.extension_bits)]
    pub max_extension: Signal<Out, Bits<8>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<Out, Bits<4>>,
    /// Context filter: mask of the context bits that are compared.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_mask: Signal<Out, Bits<8>>,
    /// Context filter: value of the compared bits; other paths are dropped.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_value: Signal<Out, Bits<8>>,
}

/// Number of bits up to the highest field that is implemented here. `LOCK` is in [`ContextRegisters`], and fields of
/// absent features have no register.
fn width(register: &Description, geometry: &Geometry) -> u32 {
    let own = [control::LOCK, errors::WRITE_REFUSED, errors::DRAIN_LOST];
    let fields = register.fields.iter();
    let held = fields.filter(|field| {
        !own.contains(field)
            || (**field == errors::WRITE_REFUSED && geometry.context_bits > 0)
            || (**field == errors::DRAIN_LOST && geometry.has_drain())
    });
    held.map(|field| field.lsb + field.width).max().unwrap_or(0)
}

/// Number of bits up to the highest field of any readable word.
fn word_bits(geometry: &Geometry) -> u32 {
    let contexts = (geometry.context_bits > 0).then(|| context::VALUE.lsb + geometry.context_bits);
    let mode = ppcr_mode::MAX_EXTENSION.lsb + geometry.extension_bits;
    let words = [&registers::CONTROL, &registers::ERRORS].map(|word| width(word, geometry));
    words.into_iter().chain(contexts).fold(mode, u32::max)
}

/// Reset value of `CONTROL`.
fn control_word(reset: &ResetValues) -> u32 {
    control::ENABLE.put(reset.enable.into())
        | control::FREEZE.put(reset.freeze.into())
        | control::LOSSY.put(reset.lossy.into())
}

/// Control registers and sticky errors.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let rows = registers::PPCR_ROWS.fields,
    let reset_mode = reset.ppcr().mode_word(),
    let contexts = usize::from(geometry.context_bits > 0)
)]
pub struct ControlRegisters {
    /// Write of the addressed register in this cycle.
    pub write: Signal<In, Bit>,
    /// Word address of the register.
    #[bits(ADDRESS_BITS)]
    pub address: Signal<In, Bits<6>>,
    /// Write data.
    pub data: Signal<In, Bits<32>>,
    /// Byte lanes to write.
    pub lanes: Signal<In, Bits<4>>,
    /// Read data: CONTROL, PPCR_MODE or ERRORS; 0 at other addresses.
    #[bits(word_bits(geometry))]
    pub word: Signal<Out, Bits<32>>,
    /// Register values and commands.
    #[bundle(geometry)]
    pub settings: Settings,

    /// Pulse: an accumulator saturated (sets a sticky error).
    pub accumulator_saturated: Signal<In, Bit>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub event_counter_saturated: Signal<In, Bit>,
    /// Pulse: a record was lost (sets a sticky error).
    pub record_lost: Signal<In, Bit>,
    /// Pulse: an evicted path was lost in the drain (sets a sticky error).
    #[present(geometry.has_drain())]
    pub drain_lost: Signal<In, Bit>,

    #[bits(width(&registers::CONTROL, geometry))]
    #[reset(control_word(reset))]
    control: Register<Bits<8>>,
    #[reset(reset_mode & 0xff)]
    mode: Register<Bits<8>>,
    #[bits(geometry.extension_bits)]
    #[reset(ppcr_mode::MAX_EXTENSION.get(reset_mode))]
    #[connect(q = settings.max_extension)]
    longest: Register<Bits<8>>,
    #[each(i in rows.len())]
    #[new(rows[i].get(reset.rows.to_word()))]
    rows: Vec<PpcrRow>,
    #[bits(width(&registers::ERRORS, geometry))]
    errors: Register<Bits<8>>,
    #[each(i in contexts)]
    #[new(geometry)]
    #[connect(write, address, data, lanes)]
    contexts: Vec<ContextRegisters>,

    commands: Signal<Local, Bits<32>>,
    cleared: Signal<Local, Bits<8>>,
    raised: Signal<Local, Bits<8>>,
    new_mode: Signal<Local, Bits<8>>,
    write_rows: Signal<Local, Bit>,
    locked: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    all_rows: Signal<Local, Bits<32>>,

    #[number(registers::CONTROL.word())]
    control_address: Constant<Bits<6>>,
    #[number(registers::COMMAND.word())]
    command_address: Constant<Bits<6>>,
    #[number(registers::PPCR_ROWS.word())]
    rows_address: Constant<Bits<6>>,
    #[number(registers::PPCR_MODE.word())]
    mode_address: Constant<Bits<6>>,
    #[number(registers::ERRORS.word())]
    errors_address: Constant<Bits<6>>,
    #[number(control::ENABLE.mask())]
    enable_mask: Constant<Bits<8>>,
    #[number(control::FREEZE.mask())]
    freeze_mask: Constant<Bits<8>>,
    #[number(control::LOSSY.mask())]
    lossy_mask: Constant<Bits<8>>,
    #[number(command::CLEAR.mask())]
    clear_mask: Constant<Bits<32>>,
    #[number(command::PURGE.mask())]
    purge_mask: Constant<Bits<32>>,
    #[number(command::CLEAR_COUNTERS.mask())]
    clear_counters_mask: Constant<Bits<32>>,
    #[number(ppcr_mode::METRIC.mask())]
    metric_mask: Constant<Bits<8>>,
    #[number(ppcr_mode::BACKWARD_NOT_TAKEN.mask())]
    not_taken_mask: Constant<Bits<8>>,
    #[number(ppcr_mode::EXTENSION.mask())]
    extension_mask: Constant<Bits<8>>,
    #[number(ppcr_mode::EXTENSION.lsb)]
    extension_lsb: Constant<Bits<5>>,
    #[number(ppcr_mode::EVENT_SELECT.lsb)]
    event_select_lsb: Constant<Bits<5>>,
    #[number(ppcr_mode::MAX_EXTENSION.lsb)]
    longest_lsb: Constant<Bits<5>>,
    #[number(errors::ILLEGAL_ROW.mask())]
    illegal_row: Constant<Bits<8>>,
    #[number(errors::ACCUMULATOR_SATURATED.mask())]
    accumulator: Constant<Bits<8>>,
    #[number(errors::EVENT_COUNTER_SATURATED.mask())]
    event_counter: Constant<Bits<8>>,
    #[number(errors::RECORDS_LOST.mask())]
    lost: Constant<Bits<8>>,
    #[number(errors::WRITE_REFUSED.mask())]
    write_refused: Constant<Bits<8>>,
    #[number(errors::DRAIN_LOST.mask())]
    entry_lost: Constant<Bits<8>>,
    #[value(usize::from(geometry.has_drain()))]
    _drains: usize,
    #[value(rows.len())]
    _rows: usize,
    #[value(rows.len() / 2)]
    _bytes: usize,
    #[value(contexts)]
    _contexts: usize,
}

#[kernel]
impl ControlRegisters {
    /// Writes of CONTROL, PPCR_MODE, COMMAND and ERRORS.
    fn writes(&mut self) {
        self.locked.next = false;
        for i in 0..self._contexts {
            self.locked.next = self.contexts[i].locked.val();
        }
        self.commands.next = 0.into();
        self.cleared.next = 0.into();
        self.new_mode.next = self.data.val().get_bits::<8>(0);
        // The reserved extension mode is stored as 0 (none).
        if (self.new_mode.val() & self.extension_mask.val()) == self.extension_mask.val() {
            self.new_mode.next = self.data.val().get_bits::<8>(0) ^ self.extension_mask.val();
        }
        if self.write.val() & self.lanes.val().get_bit(0) {
            if self.address.val() == self.control_address.val() {
                self.control.d.next = self.data.val().get_bits::<8>(0);
            }
            if (self.address.val() == self.mode_address.val()) & !self.locked.val() {
                self.mode.d.next = self.new_mode.val();
            }
            if self.address.val() == self.command_address.val() {
                self.commands.next = self.data.val();
            }
            if self.address.val() == self.errors_address.val() {
                self.cleared.next = self.data.val().get_bits::<8>(0);
            }
        }
        if self.write.val()
            & self.lanes.val().get_bit(1)
            & (self.address.val() == self.mode_address.val())
            & !self.locked.val()
        {
            self.longest.d.next = bit_cast::<8, 32>(self.data.val() >> self.longest_lsb.val());
        }
    }

    /// The rows. A byte lane writes two.
    fn rows(&mut self) {
        self.write_rows.next =
            self.write.val() & (self.address.val() == self.rows_address.val()) & !self.locked.val();
        for i in 0..self._bytes {
            self.rows[2 * i].write.next = self.write_rows.val() & self.lanes.val().get_bit(i);
            self.rows[2 * i + 1].write.next = self.write_rows.val() & self.lanes.val().get_bit(i);
        }
        self.refused.next = false;
        self.all_rows.next = 0.into();
        for i in 0..self._rows {
            self.rows[i].new_row.next = self.data.val().get_bits::<4>(4 * i);
            self.refused.next = self.refused.val() | self.rows[i].refused.val();
            self.all_rows.next =
                self.all_rows.val() | (self.rows[i].row.val() << (4 * i).to_bits::<5>());
        }
    }

    /// Sticky errors. An error in the cycle of its clearing stays set.
    fn errors(&mut self) {
        self.raised.next = 0.into();
        if self.refused.val() {
            self.raised.next = self.raised.val() | self.illegal_row.val();
        }
        if self.accumulator_saturated.val() {
            self.raised.next = self.raised.val() | self.accumulator.val();
        }
        if self.event_counter_saturated.val() {
            self.raised.next = self.raised.val() | self.event_counter.val();
        }
        if self.record_lost.val() {
            self.raised.next = self.raised.val() | self.lost.val();
        }
        for _i in 0..self._drains {
            if self.drain_lost.val() {
                self.raised.next = self.raised.val() | self.entry_lost.val();
            }
        }
        for i in 0..self._contexts {
            if self.contexts[i].refused.val() {
                self.raised.next = self.raised.val() | self.write_refused.val();
            }
        }
        self.errors.d.next = (self.errors.q.val() & !self.cleared.val()) | self.raised.val();
    }

    /// Read data. The rows are read through `settings`.
    fn reads(&mut self) {
        self.word.next = 0.into();
        if self.address.val() == self.control_address.val() {
            self.word.next = bit_cast::<32, 8>(self.control.q.val());
        }
        if self.address.val() == self.mode_address.val() {
            self.word.next = bit_cast::<32, 8>(self.mode.q.val())
                | (bit_cast::<32, 8>(self.longest.q.val()) << self.longest_lsb.val());
        }
        if self.address.val() == self.errors_address.val() {
            self.word.next = bit_cast::<32, 8>(self.errors.q.val());
        }
        for i in 0..self._contexts {
            self.word.next = self.word.val() | self.contexts[i].word.val();
        }
    }

    /// Settings and commands.
    fn settings(&mut self) {
        self.settings.enable.next = (self.control.q.val() & self.enable_mask.val()).any();
        self.settings.freeze.next = (self.control.q.val() & self.freeze_mask.val()).any();
        self.settings.lossy.next = (self.control.q.val() & self.lossy_mask.val()).any();
        self.settings.clear.next = (self.commands.val() & self.clear_mask.val()).any();
        self.settings.purge.next = (self.commands.val() & self.purge_mask.val()).any();
        self.settings.clear_counters.next =
            (self.commands.val() & self.clear_counters_mask.val()).any();
        self.settings.rows.next = self.all_rows.val();
        self.settings.metric_events.next = (self.mode.q.val() & self.metric_mask.val()).any();
        self.settings.not_taken_as_backward.next =
            (self.mode.q.val() & self.not_taken_mask.val()).any();
        self.settings.extension.next =
            bit_cast::<2, 8>(self.mode.q.val() >> self.extension_lsb.val());
        self.settings.event_select.next =
            bit_cast::<4, 8>(self.mode.q.val() >> self.event_select_lsb.val());
        self.settings.context_mask.next = 0.into();
        self.settings.context_value.next = 0.into();
        for i in 0..self._contexts {
            self.settings.context_mask.next = self.contexts[i].mask.val();
            self.settings.context_value.next = self.contexts[i].value.val();
        }
    }
}
