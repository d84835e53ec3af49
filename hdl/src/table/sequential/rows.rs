//! The candidates of a path in a skewed table: one row in each way. Each row is computed from that of the previous way.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use super::places::{Places, WayRow};
use crate::circuit::circuit;
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// The rows of the path shown, a way a cycle.
#[circuit(resetless, geometry: &Geometry, let layout = &TagLayout::new(geometry))]
pub struct Rows {
    /// From the next cycle on those of the path shown now, from the first way on.
    pub begins: Signal<In, Bit>,
    /// Start address without its constant low bits.
    #[bits(layout.address_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Outcomes.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Length.
    #[bits(layout.length_bits)]
    pub length: Signal<In, Bits<7>>,
    /// The number of the entry in the row.
    #[bits(layout.scan_bits())]
    pub cell: Signal<In, Bits<16>>,

    /// The row in the way that is addressed.
    #[bits(layout.set_bits)]
    pub row: Signal<Out, Bits<16>>,
    /// The number two cycles later, when the entry is seen.
    #[bits(layout.number_bits())]
    pub cell_2: Signal<Out, Bits<16>>,
    /// What a shadow knows the path shown by.
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

impl Logic for Rows {
    #[hdl_gen]
    fn update(&mut self) {
        self.cell_1.d.next = self.cell.val();
        self.y.d.next = self.place.next_y.val();
        if self.begins.val() {
            self.x.d.next = self.places.x.val();
            self.y.d.next = self.places.y.val();
        }
    }
}
