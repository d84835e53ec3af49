//! The hash of a skewed table: the two parts of a row number, and the fingerprint of a shadow.
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

use crate::circuit::circuit;
use crate::table::layout::ones;

/// Hash of a path for skewed ways, and its fingerprint; combinational.
#[circuit(
    combinational,
    geometry: &Geometry,
    let row_bits = geometry.set_bits(),
    let x_slices = 64_u32.div_ceil(row_bits),
    let y_slices = 64_u32.div_ceil(row_bits + 2),
    let fingerprint_slices = 64_u32.div_ceil(FINGERPRINT_BITS + 3)
)]
pub struct Places {
    /// Start of the path, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes of the path, first branch in bit 0.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length of the path in branches.
    #[bits(geometry.length_bits())]
    pub length: Signal<In, Bits<7>>,
    /// Part of the row number that all ways share.
    #[bits(row_bits)]
    pub x: Signal<Out, Bits<16>>,
    /// Per-way part of the row number: way w multiplies it by the w-th power of the field's generator.
    #[bits(row_bits)]
    pub y: Signal<Out, Bits<16>>,
    /// Fingerprint of the path.
    #[bits(FINGERPRINT_BITS)]
    pub fingerprint: Signal<Out, Bits<16>>,

    #[bits(64)]
    key: Signal<Local, Bits<64>>,
    #[bits(row_bits)]
    folded_x: Signal<Local, Bits<64>>,
    #[bits(row_bits)]
    folded_y: Signal<Local, Bits<64>>,
    #[bits(FINGERPRINT_BITS)]
    folded: Signal<Local, Bits<64>>,
    #[number(TURN)]
    rotation: Constant<Bits<8>>,
    #[number(64 - TURN)]
    rotation_right: Constant<Bits<8>>,
    #[number(LENGTH_AT)]
    length_at: Constant<Bits<8>>,
    #[each(i in x_slices)]
    #[number(i * row_bits)]
    x_shifts: Vec<Constant<Bits<8>>>,
    #[each(i in y_slices)]
    #[number(i * (row_bits + 2))]
    y_shifts: Vec<Constant<Bits<8>>>,
    #[each(i in fingerprint_slices)]
    #[number(i * (FINGERPRINT_BITS + 3))]
    fingerprint_shifts: Vec<Constant<Bits<8>>>,
    #[number(ones(row_bits))]
    row_mask: Constant<Bits<64>>,
    #[number(ones(FINGERPRINT_BITS))]
    fingerprint_mask: Constant<Bits<64>>,
    #[value(x_slices as usize)]
    _x_slices: usize,
    #[value(y_slices as usize)]
    _y_slices: usize,
    #[value(fingerprint_slices as usize)]
    _fingerprint_slices: usize,
}

impl Logic for Places {
    #[hdl_gen]
    fn update(&mut self) {
        self.key.next = self.start.val()
            ^ (self.outcomes.val() << self.rotation.val())
            ^ (self.outcomes.val() >> self.rotation_right.val())
            ^ (bit_cast::<64, 7>(self.length.val()) << self.length_at.val());
        self.folded_x.next = 0.into();
        for i in 0..self._x_slices {
            self.folded_x.next = self.folded_x.val()
                ^ ((self.key.val() >> self.x_shifts[i].val()) & self.row_mask.val());
        }
        self.folded_y.next = 0.into();
        for i in 0..self._y_slices {
            self.folded_y.next = self.folded_y.val()
                ^ ((self.key.val() >> self.y_shifts[i].val()) & self.row_mask.val());
        }
        self.folded.next = 0.into();
        for i in 0..self._fingerprint_slices {
            self.folded.next = self.folded.val()
                ^ ((self.key.val() >> self.fingerprint_shifts[i].val())
                    & self.fingerprint_mask.val());
        }
        self.x.next = bit_cast::<16, 64>(self.folded_x.val());
        self.y.next = bit_cast::<16, 64>(self.folded_y.val());
        self.fingerprint.next = bit_cast::<16, 64>(self.folded.val());
    }
}

/// Row of a path in one way; combinational.
#[circuit(combinational, row_bits: u32)]
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
    #[number(1)]
    one: Constant<Bits<8>>,
    #[number(1_u32 << (row_bits - 1))]
    highest: Constant<Bits<16>>,
    #[number(POLYNOMIALS[row_bits as usize - 1])]
    polynomial: Constant<Bits<16>>,
    #[number(ones(row_bits))]
    row_mask: Constant<Bits<16>>,
}

impl Logic for WayRow {
    #[hdl_gen]
    fn update(&mut self) {
        self.row.next = self.x.val() ^ self.y.val();
        self.next_y.next = (self.y.val() << self.one.val()) & self.row_mask.val();
        if (self.y.val() & self.highest.val()).any() {
            self.next_y.next =
                ((self.y.val() << self.one.val()) & self.row_mask.val()) ^ self.polynomial.val();
        }
    }
}
