//! The candidates of a path in a skewed table: one row in each way. Each row is computed from that of the previous way.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use super::places::{Places, WayRow};
use crate::circuit::{circuit, kernel};
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// Rows of the path shown, one way per cycle.
#[circuit(resetless, geometry: &Geometry, let layout = &TagLayout::new(geometry))]
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

    #[new(geometry)]
    #[connect(start, outcomes, length, fingerprint)]
    places: Places,
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
}

#[kernel]
impl Rows {
    /// The multiples of y, one for each way.
    fn rows(&mut self) {
        self.cell_1.d.next = self.cell;
        self.y.d.next = self.place.next_y;
        if self.begins {
            self.x.d.next = self.places.x;
            self.y.d.next = self.places.y;
        }
    }
}
