//! The candidates of a path in a skewed table: one row in each way. Each row is computed from that of the previous way.
//! The hash has the two parts of a row number, and the fingerprint of a shadow.
//!
//! ```text
//!   start -----------------------+
//!   outcomes, turned by 24 ---> XOR ---> key --+--> slices as wide as a row's number, XORed ---------> x
//!   length, from bit 57 on ------+             +--> slices two bits wider, XORed, their low part ----> y
//!                                              +--> slices three bits wider than a fingerprint ------> fingerprint
//! ```
//!
//! The path's row in way *w* is x XOR α^w·y. α generates the field with as many elements as a way has rows
//! ([`WayRow`]). Two paths that differ in y share a row in at most one way, if there are fewer ways than rows.
//!
//! Source: Seznec, *A case for two-way skewed-associative caches*, ISCA 1993 (rows by several hashes).

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::skewed::{FINGERPRINT_BITS, LENGTH_AT, POLYNOMIALS, TURN};
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
    let x_slices = 64_u32.div_ceil(row_bits),
    let y_slices = 64_u32.div_ceil(row_bits + 2),
    let fingerprint_slices = 64_u32.div_ceil(FINGERPRINT_BITS + 3),
    const rotation_right: Bits<8> = 64 - TURN,
    const row_mask: Bits<64> = ones(row_bits),
    const fingerprint_mask: Bits<64> = ones(FINGERPRINT_BITS),
    const _x_slices: usize = x_slices as usize,
    const _y_slices: usize = y_slices as usize,
    const _fingerprint_slices: usize = fingerprint_slices as usize
)]
pub struct Rows {
    /// Pulse: start with way 0 of the path shown, from the next cycle on.
    pub begins: Signal<In, Bit>,
    /// Start of the path, without constant low bits.
    #[bits(layout.address_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes of the path, first branch in bit 0.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length of the path in branches.
    #[bits(layout.length_bits)]
    pub length: Signal<In, Bits<7>>,
    /// Number of the entry that is addressed.
    #[bits(layout.scan_bits())]
    pub cell: Signal<In, Bits<16>>,

    /// Row of the way that is addressed.
    #[bits(layout.set_bits)]
    pub row: Signal<Out, Bits<16>>,
    /// Number of the entry that is compared: cell two cycles later.
    #[bits(layout.number_bits())]
    pub cell_2: Signal<Out, Bits<16>>,
    /// Fingerprint of the path shown.
    #[bits(FINGERPRINT_BITS)]
    pub fingerprint: Signal<Out, Bits<16>>,

    #[new(layout.set_bits)]
    #[connect(x = x.q, y = y.q, row)]
    place: WayRow,
    #[bits(layout.set_bits)]
    x: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    y: Delay<Bits<16>>,
    #[bits(layout.number_bits())]
    cell_1: Delay<Bits<16>>,
    #[bits(layout.number_bits())]
    #[connect(d = cell_1.q, q = cell_2)]
    seen: Delay<Bits<16>>,

    #[each(i in x_slices)]
    #[number(i * row_bits)]
    x_shifts: Vec<Constant<Bits<8>>>,
    #[each(i in y_slices)]
    #[number(i * (row_bits + 2))]
    y_shifts: Vec<Constant<Bits<8>>>,
    #[each(i in fingerprint_slices)]
    #[number(i * (FINGERPRINT_BITS + 3))]
    fingerprint_shifts: Vec<Constant<Bits<8>>>,
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
        for i in 0..self._x_slices {
            folded_x = folded_x ^ ((key >> self.x_shifts[i]) & self.row_mask);
        }
        let mut folded_y: Bits<64> = 0.into();
        for i in 0..self._y_slices {
            folded_y = folded_y ^ ((key >> self.y_shifts[i]) & self.row_mask);
        }
        let mut folded: Bits<64> = 0.into();
        for i in 0..self._fingerprint_slices {
            folded = folded ^ ((key >> self.fingerprint_shifts[i]) & self.fingerprint_mask);
        }
        self.fingerprint.next = bit_cast::<16, 64>(folded);
    }

    /// The multiples of y, one for each way.
    fn rows(&mut self) {
        self.cell_1.d.next = self.cell;
        self.y.d.next = self.place.next_y;
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
    #[bits(row_bits)]
    pub x: Signal<In, Bits<16>>,
    /// Per-way part of the row number, for this way.
    #[bits(row_bits)]
    pub y: Signal<In, Bits<16>>,
    /// Row of the path in this way.
    #[bits(row_bits)]
    pub row: Signal<Out, Bits<16>>,
    /// Per-way part of the row number, for the next way.
    #[bits(row_bits)]
    pub next_y: Signal<Out, Bits<16>>,
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
