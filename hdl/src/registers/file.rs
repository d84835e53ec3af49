//! The register file: the control registers, and every word software reads.
//!
//! ```text
//!   request, address, write, data, lanes --> [ decode ] --> control, PPCR, errors, commands
//!                                                |
//!   counters, readout, status ------------> [ select ] --> [ ] --> | --> read_data, done
//! ```
//!
//! Addresses, fields and their meaning come from [`hpp_golden::registers`]. A byte lane that is not written keeps its
//! bits; in registers that take commands it counts as 0; a write without any lane does nothing.
//!
//! Timing: `done` comes one cycle after `request`; later when a low counter word waits for the scan (at most 16
//! cycles), or the readout for its entry. Control fields have their new value, and commands act, in the cycle of
//! `done`.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::{ResetValues, geometry_words};
use hpp_golden::registers::{self, command, control, errors, ppcr_mode, status};
use rust_hdl::prelude::*;

use super::row::PpcrRow;
use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::{Delay, Register};

// The kernel names fields by their place; the register description is what they must agree with.
const _: () = {
    assert!(
        control::ENABLE.mask() == 1 && control::FREEZE.mask() == 2 && control::LOSSY.mask() == 4
    );
    assert!(
        command::CLEAR.mask() == 1
            && command::PURGE.mask() == 2
            && command::CLEAR_COUNTERS.mask() == 4
    );
    assert!(status::CLEARING.mask() == 1 && status::ENTRY_VALID.mask() == 2);
    assert!(ppcr_mode::METRIC.mask() == 1 && ppcr_mode::BACKWARD_NOT_TAKEN.mask() == 2);
    assert!(ppcr_mode::EXTENSION.mask() == 0xc && ppcr_mode::EVENT_SELECT.mask() == 0xf0);
    assert!(ppcr_mode::MAX_EXTENSION.mask() == 0xff00);
    assert!(errors::ILLEGAL_ROW.mask() == 1 && errors::ACCUMULATOR_SATURATED.mask() == 2);
    assert!(errors::EVENT_COUNTER_SATURATED.mask() == 4 && errors::RECORDS_LOST.mask() == 8);
    assert!(registers::COUNTERS_OFFSET == 0x40 && registers::ADDRESS_SPACE == 0x80);
};

/// The register file.
#[derive(LogicBlock)]
pub struct RegisterFile {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// A register is accessed; stays 1, with all that follows, until `done`, and is 0 in the cycle of `done`.
    pub request: Signal<In, Bit>,
    /// The access is a write.
    pub write: Signal<In, Bit>,
    /// Word address.
    pub address: Signal<In, Bits<5>>,
    /// Word to write.
    pub data: Signal<In, Bits<32>>,
    /// Its byte lanes that count.
    pub lanes: Signal<In, Bits<4>>,
    /// The access is over.
    pub done: Signal<Out, Bit>,
    /// The word read, in the cycle of `done`.
    pub read_data: Signal<Out, Bits<32>>,

    /// Records are profiled.
    pub enable: Signal<Out, Bit>,
    /// The table takes no paths.
    pub freeze: Signal<Out, Bit>,
    /// Lossy mode.
    pub lossy: Signal<Out, Bit>,
    /// Empty the table.
    pub clear: Signal<Out, Bit>,
    /// Empty the stack before the next record that gets in.
    pub purge: Signal<Out, Bit>,
    /// Zero the counters.
    pub clear_counters: Signal<Out, Bit>,
    /// The rows of the PPCR.
    pub rows: Signal<Out, Bits<32>>,
    /// Paths count events.
    pub metric_events: Signal<Out, Bit>,
    /// Backward branches that are not taken use their own row.
    pub not_taken_as_backward: Signal<Out, Bit>,
    /// What paths extend across.
    pub extension: Signal<Out, Bits<2>>,
    /// How often.
    pub max_extension: Signal<Out, Bits<8>>,
    /// The event type to count.
    pub event_select: Signal<Out, Bits<4>>,

    /// The table is being emptied.
    pub clearing: Signal<In, Bit>,
    /// A count did not fit into an accumulator.
    pub accumulator_saturated: Signal<In, Bit>,
    /// Events did not fit into an event counter.
    pub event_counter_saturated: Signal<In, Bit>,
    /// A record was lost.
    pub record_lost: Signal<In, Bit>,

    /// From the counters: word the scan visits.
    pub counter_word: Signal<In, Bits<4>>,
    /// From the counters: its value.
    pub counter_value: Signal<In, Bits<32>>,

    /// To the readout: fetch entry `new_index`.
    pub fetch: Signal<Out, Bit>,
    /// To the readout: number of the entry to fetch.
    pub new_index: Signal<Out, Bits<16>>,
    /// To the readout: the present word has been read.
    pub step: Signal<Out, Bit>,
    /// From the readout: number of the present entry.
    pub index: Signal<In, Bits<16>>,
    /// From the readout: the entry is latched.
    pub entry_valid: Signal<In, Bit>,
    /// To the readout: its next word is addressed.
    pub entry_read: Signal<Out, Bit>,
    /// From the readout: that word a cycle later, else 0.
    pub entry_word: Signal<In, Bits<32>>,

    control: Register<Bits<3>>,
    mode: Register<Bits<8>>,
    longest: Register<Bits<8>>,
    errors: Register<Bits<4>>,
    ppcr: Vec<PpcrRow>,
    done_stage: Register<Bit>,
    counter_stage: Delay<Bits<32>>,
    high_stage: Delay<Bits<32>>,
    rows_stage: Delay<Bits<32>>,
    plain_stage: Delay<Bits<32>>,
    high: Register<Bits<32>>,
    take_high: Register<Bit>,

    act: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    is_counter: Signal<Local, Bit>,
    is_low: Signal<Local, Bit>,
    is_high: Signal<Local, Bit>,
    is_index: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    is_readout: Signal<Local, Bit>,
    commands: Signal<Local, Bit>,
    index_low: Signal<Local, Bits<16>>,
    index_high: Signal<Local, Bits<16>>,
    extension_source: Signal<Local, Bits<32>>,
    plain: Signal<Local, Bits<32>>,
    status_word: Signal<Local, Bits<32>>,
    raised: Signal<Local, Bits<4>>,
    cleared: Signal<Local, Bits<4>>,
    row_words: Vec<Signal<Local, Bits<32>>>,
    refused: Vec<Signal<Local, Bit>>,
    fixed_source: Signal<Local, Bits<32>>,
    control_source: Signal<Local, Bits<32>>,
    status_source: Signal<Local, Bits<32>>,
    mode_source: Signal<Local, Bits<32>>,
    errors_source: Signal<Local, Bits<32>>,
    index_source: Signal<Local, Bits<32>>,

    id_address: Constant<Bits<5>>,
    geometry0_address: Constant<Bits<5>>,
    geometry1_address: Constant<Bits<5>>,
    geometry2_address: Constant<Bits<5>>,
    control_address: Constant<Bits<5>>,
    command_address: Constant<Bits<5>>,
    status_address: Constant<Bits<5>>,
    rows_address: Constant<Bits<5>>,
    mode_address: Constant<Bits<5>>,
    errors_address: Constant<Bits<5>>,
    index_address: Constant<Bits<5>>,
    data_address: Constant<Bits<5>>,
    id_word: Constant<Bits<32>>,
    geometry0_word: Constant<Bits<32>>,
    geometry1_word: Constant<Bits<32>>,
    geometry2_word: Constant<Bits<32>>,
    extension_mask: Constant<Bits<8>>,
    zero: Constant<Bits<32>>,
    zero_errors: Constant<Bits<4>>,
    _rows: usize,
    _end: usize,
}

impl RegisterFile {
    /// The registers of a profiler of this geometry, with these values after reset.
    #[must_use]
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let [geometry0, geometry1, geometry2] = geometry_words(geometry);
        let ppcr = reset.ppcr();
        let control = control::ENABLE.put(reset.enable.into())
            | control::FREEZE.put(reset.freeze.into())
            | control::LOSSY.put(reset.lossy.into());
        let fields = registers::PPCR_ROWS.fields;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            request: Signal::default(),
            write: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            lanes: Signal::default(),
            done: Signal::default(),
            read_data: Signal::default(),
            enable: Signal::default(),
            freeze: Signal::default(),
            lossy: Signal::default(),
            clear: Signal::default(),
            purge: Signal::default(),
            clear_counters: Signal::default(),
            rows: Signal::default(),
            metric_events: Signal::default(),
            not_taken_as_backward: Signal::default(),
            extension: Signal::default(),
            max_extension: sized(geometry.extension_bits),
            event_select: Signal::default(),
            clearing: Signal::default(),
            accumulator_saturated: Signal::default(),
            event_counter_saturated: Signal::default(),
            record_lost: Signal::default(),
            counter_word: Signal::default(),
            counter_value: Signal::default(),
            fetch: Signal::default(),
            new_index: Signal::default(),
            step: Signal::default(),
            index: sized(geometry.entries().next_power_of_two().trailing_zeros()),
            entry_valid: Signal::default(),
            entry_read: Signal::default(),
            entry_word: Signal::default(),
            control: Register::new(3, u64::from(control).into()),
            mode: Register::new(8, u64::from(ppcr.mode_word() & 0xff).into()),
            longest: Register::new(
                geometry.extension_bits,
                u64::from(ppcr.max_extension).into(),
            ),
            errors: Register::zero(4),
            ppcr: fields
                .iter()
                .map(|row| PpcrRow::new(row.lsb, row.get(ppcr.rows.to_word()) as u8))
                .collect(),
            done_stage: Register::flag(false),
            counter_stage: Delay::new(32),
            high_stage: Delay::new(geometry.counter_bits - 32),
            rows_stage: Delay::new(32),
            plain_stage: Delay::new(32),
            high: Register::zero(geometry.counter_bits - 32),
            take_high: Register::flag(false),
            act: Signal::default(),
            writes: Signal::default(),
            ready: Signal::default(),
            is_counter: Signal::default(),
            is_low: Signal::default(),
            is_high: Signal::default(),
            is_index: Signal::default(),
            is_data: Signal::default(),
            is_readout: Signal::default(),
            commands: Signal::default(),
            index_low: sized(8),
            index_high: Signal::default(),
            extension_source: sized(16),
            plain: Signal::default(),
            status_word: sized(2),
            raised: Signal::default(),
            cleared: Signal::default(),
            row_words: (0..=fields.len()).map(|_| Signal::default()).collect(),
            refused: (0..=fields.len()).map(|_| Signal::default()).collect(),
            fixed_source: Signal::default(),
            control_source: Signal::default(),
            status_source: Signal::default(),
            mode_source: Signal::default(),
            errors_source: Signal::default(),
            index_source: Signal::default(),
            id_address: number(registers::ID_REGISTER.word()),
            geometry0_address: number(registers::GEOMETRY0.word()),
            geometry1_address: number(registers::GEOMETRY1.word()),
            geometry2_address: number(registers::GEOMETRY2.word()),
            control_address: number(registers::CONTROL.word()),
            command_address: number(registers::COMMAND.word()),
            status_address: number(registers::STATUS.word()),
            rows_address: number(registers::PPCR_ROWS.word()),
            mode_address: number(registers::PPCR_MODE.word()),
            errors_address: number(registers::ERRORS.word()),
            index_address: number(registers::TABLE_INDEX.word()),
            data_address: number(registers::TABLE_DATA.word()),
            id_word: number(registers::ID),
            geometry0_word: number(geometry0),
            geometry1_word: number(geometry1),
            geometry2_word: number(geometry2),
            extension_mask: mask(geometry.extension_bits),
            zero: number(0),
            zero_errors: number(0),
            _rows: fields.len(),
            _end: fields.len() + 1,
        }
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("register_file: the control registers, and every word software reads.");
        self.control.clk.next = self.clk.val();
        self.control.rst.next = self.rst.val();
        self.mode.clk.next = self.clk.val();
        self.mode.rst.next = self.rst.val();
        self.longest.clk.next = self.clk.val();
        self.longest.rst.next = self.rst.val();
        self.errors.clk.next = self.clk.val();
        self.errors.rst.next = self.rst.val();
        self.done_stage.clk.next = self.clk.val();
        self.done_stage.rst.next = self.rst.val();
        self.counter_stage.clk.next = self.clk.val();
        self.high_stage.clk.next = self.clk.val();
        self.rows_stage.clk.next = self.clk.val();
        self.plain_stage.clk.next = self.clk.val();
        self.high.clk.next = self.clk.val();
        self.high.rst.next = self.rst.val();
        self.take_high.clk.next = self.clk.val();
        self.take_high.rst.next = self.rst.val();

        // When: most registers at once, some wait for what is behind them.
        self.is_counter.next = self.address.val().get_bit(4);
        self.is_low.next =
            self.is_counter.val() & !self.address.val().get_bit(0) & !self.write.val();
        self.is_high.next = self.is_counter.val() & self.address.val().get_bit(0);
        self.is_index.next = self.address.val() == self.index_address.val();
        self.is_data.next = self.address.val() == self.data_address.val();
        self.is_readout.next =
            (self.is_index.val() & self.write.val()) | (self.is_data.val() & !self.write.val());
        self.ready.next = (!self.is_low.val()
            | (self.counter_word.val() == self.address.val().get_bits::<4>(0)))
            & (!self.is_readout.val() | self.entry_valid.val());
        self.act.next = self.request.val() & self.ready.val();
        self.done_stage.d.next = self.act.val();
        // A write does not wait for the scan, nor does an access to the table: neither hangs on that comparison.
        self.writes.next = self.request.val()
            & self.write.val()
            & self.lanes.val().any()
            & (!self.is_index.val() | self.entry_valid.val());
        self.fetch.next = self.request.val()
            & self.write.val()
            & self.lanes.val().any()
            & self.is_index.val()
            & self.entry_valid.val();
        self.step.next =
            self.request.val() & !self.write.val() & self.is_data.val() & self.entry_valid.val();

        // The words whose reading changes nothing.
        self.extension_source.next = bit_cast::<32, 8>(self.longest.q.val()) << 8;
        self.status_word.next = self
            .zero
            .val()
            .replace_bit(0, self.clearing.val())
            .replace_bit(1, self.entry_valid.val());
        self.fixed_source.next = 0.into();
        if self.address.val() == self.id_address.val() {
            self.fixed_source.next = self.id_word.val();
        } else if self.address.val() == self.geometry0_address.val() {
            self.fixed_source.next = self.geometry0_word.val();
        } else if self.address.val() == self.geometry1_address.val() {
            self.fixed_source.next = self.geometry1_word.val();
        } else if self.address.val() == self.geometry2_address.val() {
            self.fixed_source.next = self.geometry2_word.val();
        }
        self.control_source.next = 0.into();
        if self.address.val() == self.control_address.val() {
            self.control_source.next = bit_cast::<32, 3>(self.control.q.val());
        }
        self.status_source.next = 0.into();
        if self.address.val() == self.status_address.val() {
            self.status_source.next = self.status_word.val();
        }
        self.mode_source.next = 0.into();
        if self.address.val() == self.mode_address.val() {
            self.mode_source.next =
                bit_cast::<32, 8>(self.mode.q.val()) | self.extension_source.val();
        }
        self.errors_source.next = 0.into();
        if self.address.val() == self.errors_address.val() {
            self.errors_source.next = bit_cast::<32, 4>(self.errors.q.val());
        }
        self.index_source.next = 0.into();
        if self.is_index.val() {
            self.index_source.next = bit_cast::<32, 16>(self.index.val());
        }
        self.plain.next = self.fixed_source.val()
            | self.control_source.val()
            | self.status_source.val()
            | self.mode_source.val()
            | self.errors_source.val()
            | self.index_source.val();

        // What is read: wide sources each in a register of its own, cleared unless addressed; what remains is an OR.
        self.counter_stage.d.next = 0.into();
        if self.is_low.val() {
            self.counter_stage.d.next = self.counter_value.val();
        }
        self.high_stage.d.next = 0.into();
        if self.is_high.val() {
            self.high_stage.d.next = self.high.q.val();
        }
        self.entry_read.next = self.is_data.val();
        self.rows_stage.d.next = 0.into();
        if self.address.val() == self.rows_address.val() {
            self.rows_stage.d.next = self.row_words[0].val();
        }
        self.plain_stage.d.next = self.plain.val();
        // The scan visits the high word right after the low one.
        self.take_high.d.next = self.act.val() & self.is_low.val();
        self.high.d.next = self.high.q.val();
        if self.take_high.q.val() {
            self.high.d.next = self.counter_value.val();
        }

        // What is written.
        // A lane that is not written keeps its bits.
        self.control.d.next = self.control.q.val();
        if self.writes.val()
            & self.lanes.val().get_bit(0)
            & (self.address.val() == self.control_address.val())
        {
            self.control.d.next = self.data.val().get_bits::<3>(0);
        }
        self.mode.d.next = self.mode.q.val();
        self.longest.d.next = self.longest.q.val();
        if self.writes.val() & (self.address.val() == self.mode_address.val()) {
            if self.lanes.val().get_bit(0) {
                self.mode.d.next = self.data.val().get_bits::<8>(0);
                // The reserved extension mode is stored as none.
                if self.data.val().get_bits::<2>(2) == 3 {
                    self.mode.d.next = self.data.val().get_bits::<8>(0) & 0xf3;
                }
            }
            if self.lanes.val().get_bit(1) {
                self.longest.d.next = self.data.val().get_bits::<8>(8) & self.extension_mask.val();
            }
        }
        self.commands.next = self.writes.val()
            & self.lanes.val().get_bit(0)
            & (self.address.val() == self.command_address.val());
        self.clear.next = self.commands.val() & self.data.val().get_bit(0);
        self.purge.next = self.commands.val() & self.data.val().get_bit(1);
        self.clear_counters.next = self.commands.val() & self.data.val().get_bit(2);
        self.index_low.next = self.index.val() & 0xff;
        if self.lanes.val().get_bit(0) {
            self.index_low.next = self.data.val().get_bits::<16>(0) & 0xff;
        }
        self.index_high.next = self.index.val() & 0xff00;
        if self.lanes.val().get_bit(1) {
            self.index_high.next = self.data.val().get_bits::<16>(0) & 0xff00;
        }
        self.new_index.next = self.index_low.val() | self.index_high.val();

        // The rows, each on its own.
        for i in self._rows..self._end {
            self.row_words[i].next = 0.into();
            self.refused[i].next = false;
        }
        for i in 0..self._rows {
            self.ppcr[i].clk.next = self.clk.val();
            self.ppcr[i].rst.next = self.rst.val();
            self.ppcr[i].write.next =
                self.writes.val() & (self.address.val() == self.rows_address.val());
            self.ppcr[i].lanes.next = self.lanes.val();
            self.ppcr[i].word.next = self.data.val();
            self.row_words[i].next = self.row_words[i + 1].val() | self.ppcr[i].row.val();
            self.refused[i].next = self.refused[i + 1].val() | self.ppcr[i].refused.val();
        }

        // Sticky errors: an error that happens while it is being cleared stays.
        self.cleared.next = 0.into();
        if self.writes.val()
            & self.lanes.val().get_bit(0)
            & (self.address.val() == self.errors_address.val())
        {
            self.cleared.next = self.data.val().get_bits::<4>(0);
        }
        self.raised.next = self
            .zero_errors
            .val()
            .replace_bit(0, self.refused[0].val())
            .replace_bit(1, self.accumulator_saturated.val())
            .replace_bit(2, self.event_counter_saturated.val())
            .replace_bit(3, self.record_lost.val());
        self.errors.d.next = (self.errors.q.val() & !self.cleared.val()) | self.raised.val();

        // What the rest of the profiler sees.
        self.enable.next = self.control.q.val().get_bit(0);
        self.freeze.next = self.control.q.val().get_bit(1);
        self.lossy.next = self.control.q.val().get_bit(2);
        self.rows.next = self.row_words[0].val();
        self.metric_events.next = self.mode.q.val().get_bit(0);
        self.not_taken_as_backward.next = self.mode.q.val().get_bit(1);
        self.extension.next = self.mode.q.val().get_bits::<2>(2);
        self.event_select.next = self.mode.q.val().get_bits::<4>(4);
        self.max_extension.next = self.longest.q.val();
        self.done.next = self.done_stage.q.val();
        self.read_data.next = self.counter_stage.q.val()
            | self.high_stage.q.val()
            | self.entry_word.val()
            | self.rows_stage.q.val()
            | self.plain_stage.q.val();
    }
}
