//! The paths that come to a table.

use rust_hdl::prelude::*;

use super::layout::TagLayout;
use crate::circuit::bundle;

/// A completed path, to be looked up: one a cycle, whenever there is one.
#[bundle(layout: &TagLayout)]
pub struct IncomingPath {
    /// A path is complete.
    pub valid: Signal<In, Bit>,
    /// Its start without the constant low bits.
    #[bits(layout.address_bits)]
    pub start: Signal<In, Bits<64>>,
    /// Its length.
    #[bits(layout.length_bits)]
    pub length: Signal<In, Bits<7>>,
    /// Its outcomes.
    #[bits(layout.outcome_bits)]
    pub outcomes: Signal<In, Bits<64>>,
    /// Its count.
    #[bits(layout.events_bits)]
    pub count: Signal<In, Bits<32>>,
}
