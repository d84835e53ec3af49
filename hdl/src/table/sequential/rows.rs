//! The candidates of a path in a skewed table: one row in each way. Each row is computed from that of the previous way.
//! The hash has the two parts of a row number. A shadow's fingerprint is one of them, and low bits of the length.
//!
//! ```text
//!   start -----------------------+
//!   outcomes, turned by 24 ---> XOR ---> key --+--> slices as wide as a row's number, XORed ---------> x
//!   length, from bit 57 on ------+             +--> slices two bits wider, XORed, their low part ----> y
//! ```
//!
//! The path's row in way *w* is x XOR α^w·y. α generates the field with as many elements as a way has rows
//! ([`WayRow`]). Two paths that differ in y share a row in at most one way, if there are fewer ways than rows.
//!
//! Source: Seznec, *A case for two-way skewed-associative caches*, ISCA 1993 (rows by several hashes).

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::skewed::{FINGERPRINT_LENGTH_BITS, LENGTH_AT, POLYNOMIALS, TURN};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::Delay;
use crate::table::layout::{TagLayout, ones};

/// Rows of the path shown, one way per cycle.
#[circuit(
    resetless,
    geometry: &Geometry,
    let layout = &TagLayout::new(geometry),
    let row_bits = layout.set_bits,
    const rotation_right: Bits<8> = 64 - TURN,
    const row_mask: Bits<64> = ones(row_bits),
    const row_bits: Bits<8> = row_bits,
    const fingerprint_length_mask: Bits<16> = ones(FINGERPRINT_LENGTH_BITS),
    const _x_shifts: Vec<u32> = (0..64).step_by(row_bits as usize).collect(),
    const _y_shifts: Vec<u32> = (0..64).step_by(row_bits as usize + 2).collect()
)]
pub struct Rows {
    /// Pulse: start with way 0 of the path shown, from the next cycle on.
    pub begins: Signal<In, Bit>,
    /// Go on to the next way.
    pub advances: Signal<In, Bit>,
    /// Start of the path, without constant low bits.
    pub start: Signal<In, Bits<64, { layout.address_bits }>>,
    /// Outcomes of the path, first branch in bit 0.
    pub outcomes: Signal<In, Bits<64, { layout.outcome_bits }>>,
    /// Length of the path in branches.
    pub length: Signal<In, Bits<7, { layout.length_bits }>>,
    /// Number of the entry that is addressed, or is to be cleared.
    pub cell: Signal<In, Bits<16, { layout.scan_bits() }>>,

    /// Row of the way that is addressed.
    pub row: Signal<Out, Bits<16, { layout.set_bits }>>,
    /// Number of the entry that is compared: cell two cycles later.
    pub cell_2: Signal<Out, Bits<16, { layout.number_bits() }>>,
    /// Fingerprint of the path shown.
    pub fingerprint: Signal<Out, Bits<16, { row_bits + FINGERPRINT_LENGTH_BITS }>>,

    #[connect(x = x.q, y = y.q, row)]
    place: WayRow<{ layout.set_bits }>,
    x: Delay<Bits<16, { layout.set_bits }>>,
    y: Delay<Bits<16, { layout.set_bits }>>,
    cell_1: Delay<Bits<16, { layout.number_bits() }>>,
    #[connect(d = cell_1.q, q = cell_2)]
    seen: Delay<Bits<16, { layout.number_bits() }>>,
}

#[kernel]
impl Rows {
    /// Slices of the key.
    fn hash(&mut self) {
        let key = self.start
            ^ (self.outcomes << TURN)
            ^ (self.outcomes >> self.rotation_right)
            ^ (bit_cast::<64, 7>(self.length) << LENGTH_AT);
        let mut folded_x: Bits<64> = 0.into();
        for i in 0..self._x_shifts.len() {
            folded_x = folded_x ^ ((key >> self._x_shifts[i]) & self.row_mask);
        }
        let mut folded_y: Bits<64> = 0.into();
        for i in 0..self._y_shifts.len() {
            folded_y = folded_y ^ ((key >> self._y_shifts[i]) & self.row_mask);
        }
        let low_length = bit_cast::<16, 7>(self.length) & self.fingerprint_length_mask;
        self.fingerprint.next = self.x | (low_length << self.row_bits);
    }

    /// The multiples of y, one for each way.
    fn rows(&mut self) {
        self.cell_1.d.next = self.cell;
        if self.advances {
            self.y.d.next = self.place.next_y;
        }
        if self.begins {
            self.x.d.next = bit_cast::<16, 64>(folded_x);
            self.y.d.next = bit_cast::<16, 64>(folded_y);
        }
    }
}

/// Row of a path in one way; combinational.
#[circuit(
    combinational, row_bits: u32,
    const highest: Bits<16> = 1_u32 << (row_bits - 1),
    const polynomial: Bits<16> = POLYNOMIALS[row_bits as usize - 1],
    const row_mask: Bits<16> = ones(row_bits)
)]
pub struct WayRow {
    /// Part of the row number that all ways share.
    pub x: Signal<In, Bits<16, row_bits>>,
    /// Per-way part of the row number, for this way.
    pub y: Signal<In, Bits<16, row_bits>>,
    /// Row of the path in this way.
    pub row: Signal<Out, Bits<16, row_bits>>,
    /// Per-way part of the row number, for the next way.
    pub next_y: Signal<Out, Bits<16, row_bits>>,
}

#[kernel]
impl WayRow {
    /// The row, and the next multiple.
    fn row(&mut self) {
        self.row.next = self.x ^ self.y;
        self.next_y.next = (self.y << 1) & self.row_mask;
        if (self.y & self.highest).any() {
            self.next_y.next = ((self.y << 1) & self.row_mask) ^ self.polynomial;
        }
    }
}
