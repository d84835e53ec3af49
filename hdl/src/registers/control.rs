//! The writable registers and the sticky errors: `CONTROL`, `COMMAND`, `PPCR_ROWS`, `PPCR_MODE`, `CONTEXT`, `ERRORS`.
//!
//! ```text
//!   write, address, --> [ decode ] --+--> [ control ] [ mode ] [ 8 rows ] [ context ] --+--> settings
//!   data, lanes            ^         +--> command --------------------------------------+
//!                          |
//!                        locked
//!
//!   saturated, lost, refused writes ----> [ errors ]
//! ```
//!
//! A byte lane that is not written keeps its bits; in command registers it counts as 0. A written value is in force
//! from the next cycle on. A command acts in the cycle of its write. While `CONTROL.LOCK` is set, writes of `CONTEXT`
//! and of the PPCR are refused and reported. Reset alone clears it.
//!
//! The words have the fields that `registers!` gives them. Who uses one takes it from the word.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{
    self, ADDRESS_BITS, Field, Register as Description, context, control, errors, ppcr_mode,
};
use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit, kernel};
use crate::register::Register;

/// The writable registers, and the command of this cycle.
#[bundle(geometry: &Geometry)]
pub struct Settings {
    /// CONTROL.
    pub control: Signal<Out, Bits<8, { width(&registers::CONTROL, geometry) }>>,
    /// COMMAND in the cycle of its write, else 0.
    pub command: Signal<Out, Bits<8, { width(&registers::COMMAND, geometry) }>>,
    /// PPCR_ROWS; bits of a row: update, update_count, pop, push from bit 0.
    pub rows: Signal<Out, Bits<32>>,
    /// PPCR_MODE.
    pub mode: Signal<Out, Bits<16, { ppcr_mode::MAX_EXTENSION.lsb + geometry.extension_bits }>>,
    /// CONTEXT.MASK: the context bits that are compared.
    pub context_mask:
        Signal<Out, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// CONTEXT.VALUE: value of the compared bits; other paths are dropped.
    pub context_value:
        Signal<Out, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
}

/// Number of bits up to the highest field of a register that this profiler has.
fn width(register: &Description, geometry: &Geometry) -> u32 {
    let is_there = |field: &&Field| match **field {
        control::LOCK | errors::WRITE_REFUSED => geometry.context_bits > 0,
        errors::DRAIN_LOST => geometry.has_drain(),
        _ => true,
    };
    let there = register.fields.iter().filter(is_there);
    there
        .map(|field| field.lsb + field.width)
        .max()
        .unwrap_or(0)
}

/// The bits of `COMMAND` that have a meaning.
const COMMANDS: u32 = {
    let (mut mask, mut fields) = (0, registers::COMMAND.fields);
    while let Some((field, others)) = fields.split_first() {
        (mask, fields) = (mask | field.mask(), others);
    }
    mask
};

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
    let contexts = geometry.context_bits > 0
)]
pub struct ControlRegisters {
    /// Write of the addressed register in this cycle.
    pub write: Signal<In, Bit>,
    /// Word address of the register.
    pub address: Signal<In, Bits<6, ADDRESS_BITS>>,
    /// Write data.
    pub data: Signal<In, Bits<32>>,
    /// Byte lanes to write.
    pub lanes: Signal<In, Bits<4>>,
    /// Register values and commands.
    pub settings: Settings<geometry>,
    /// ERRORS.
    pub errors: Signal<Out, Bits<8, { width(&registers::ERRORS, geometry) }>>,

    /// Pulse: an accumulator saturated (sets a sticky error).
    pub accumulator_saturated: Signal<In, Bit>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub event_counter_saturated: Signal<In, Bit>,
    /// Pulse: a record was lost (sets a sticky error).
    pub record_lost: Signal<In, Bit>,
    /// Pulse: an evicted path was lost in the drain (sets a sticky error).
    pub drain_lost: Signal<In, Bit, { geometry.has_drain() }>,

    #[connect(q = settings.control)]
    control: Register<Bits<8, { width(&registers::CONTROL, geometry) }>, { control_word(reset) }>,
    mode: Register<Bits<8>, { reset_mode & 0xff }>,
    max_extension: Register<
        Bits<8, { geometry.extension_bits }>,
        { ppcr_mode::MAX_EXTENSION.get(reset_mode) },
    >,
    rows: Vec<Register<Bits<4>, { rows[i].get(reset.rows.to_word()) }>, { rows.len() }>,
    #[connect(q = settings.context_mask)]
    context_mask: Option<Register<Bits<8, { geometry.context_bits }>>, contexts>,
    #[connect(q = settings.context_value)]
    context_value: Option<Register<Bits<8, { geometry.context_bits }>>, contexts>,
    #[connect(q = errors)]
    sticky: Register<Bits<8, { width(&registers::ERRORS, geometry) }>>,

    illegal_row: Signal<Local, Bit>,
}

#[kernel]
impl ControlRegisters {
    /// Writes of `CONTROL`, `PPCR_MODE` and `CONTEXT`, and commands.
    fn writes(&mut self) {
        let byte = self.data.get_bits::<8>(0);
        let locked = self.control.get_bit(control::LOCK);
        let low = self.write & self.lanes.get_bit(0);
        let high = self.write & self.lanes.get_bit(1);
        if low & (self.address == registers::CONTROL) {
            self.control.d.next = byte | (self.control & control::LOCK.mask());
        }
        let is_mode = (self.address == registers::PPCR_MODE) & !locked;
        if low & is_mode {
            // The reserved extension mode is stored as 0 (none).
            let is_reserved = byte.get_bits::<2>(ppcr_mode::EXTENSION).all();
            self.mode.d.next = if is_reserved {
                byte ^ ppcr_mode::EXTENSION.mask()
            } else {
                byte
            };
        }
        if high & is_mode {
            self.max_extension.d.next = self.data.get_bits::<8>(ppcr_mode::MAX_EXTENSION);
        }
        let is_context = (self.address == registers::CONTEXT) & !locked;
        if low & is_context {
            self.context_mask?.d.next = byte;
        }
        if high & is_context {
            self.context_value?.d.next = self.data.get_bits::<8>(context::VALUE);
        }
        self.settings.command.next = if low & (self.address == registers::COMMAND) {
            byte & COMMANDS
        } else {
            0.into()
        };
    }

    /// The rows of the PPCR: a byte lane writes two. A row with both update and update_count is illegal and refused.
    fn rows(&mut self) {
        let locked = self.control.get_bit(control::LOCK);
        let is_rows = (self.address == registers::PPCR_ROWS) & !locked;
        let mut refused: Bit = false;
        let mut rows: Bits<32> = 0.into();
        for i in 0..self.rows.len() / 2 {
            let write = self.write & is_rows & self.lanes.get_bit(i);
            for j in 0..2_usize {
                let row = self.data.get_bits::<4>(8 * i + 4 * j);
                let illegal = row.get_bit(0) & row.get_bit(1);
                refused = refused | (write & illegal);
                if write & !illegal {
                    self.rows[2 * i + j].d.next = row;
                }
                rows = rows
                    | (bit_cast::<32, 4>(self.rows[2 * i + j]) << (8 * i + 4 * j).to_bits::<5>());
            }
        }
        self.illegal_row.next = refused;
        self.settings.rows.next = rows;
    }

    /// The mode as one word.
    fn mode(&mut self) {
        self.settings.mode.next = bit_cast::<16, 8>(self.mode)
            | (bit_cast::<16, 8>(self.max_extension) << ppcr_mode::MAX_EXTENSION);
    }

    /// Sticky errors. An error in the cycle of its clearing stays set.
    fn errors(&mut self) {
        let guarded = (self.address == registers::CONTEXT)
            | (self.address == registers::PPCR_ROWS)
            | (self.address == registers::PPCR_MODE);
        let locked = self.control.get_bit(control::LOCK);
        let raised = bits::<8>(0)
            .replace_bit(errors::ILLEGAL_ROW, self.illegal_row)
            .replace_bit(errors::ACCUMULATOR_SATURATED, self.accumulator_saturated)
            .replace_bit(
                errors::EVENT_COUNTER_SATURATED,
                self.event_counter_saturated,
            )
            .replace_bit(errors::RECORDS_LOST, self.record_lost)
            .replace_bit(
                errors::WRITE_REFUSED,
                self.write & self.lanes.any() & guarded & locked,
            )
            .replace_bit(errors::DRAIN_LOST, self.drain_lost);
        let clear = self.write & self.lanes.get_bit(0) & (self.address == registers::ERRORS);
        let cleared = if clear {
            self.data.get_bits::<8>(0)
        } else {
            0.into()
        };
        self.sticky.d.next = (self.sticky & !cleared) | raised;
    }
}
