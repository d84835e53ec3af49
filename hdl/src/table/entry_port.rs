//! The readout port of a table: it returns one whole entry for each request.
//!
//! ```text
//!                 _   _   _   _   _   _
//!   clk         _| |_| |_| |_| |_| |_| |_
//!               _________________________
//!   number      _X_______________________    stays until done
//!                     ___________
//!   request     _____|           |_______    from the cycle after at the earliest, until done
//!                             ___
//!   done        _____________|   |_______    within a bound that the table states
//!                             ___________
//!   filled, ... _____________X___________    until the next request
//! ```

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::bundle;

/// The table's side. The reader's side is `EntryReader`.
#[bundle(geometry: &Geometry, mirror = EntryReader, wires = EntryWires)]
pub struct EntryPort {
    /// An entry is wanted; stays 1 until `done`. If it falls before, the request is forgotten.
    pub request: Signal<In, Bit>,
    /// Its number, set * WAYS + way; since the cycle before.
    #[bits(geometry.entries().next_power_of_two().trailing_zeros())]
    pub number: Signal<In, Bits<16>>,
    /// The entry is there from this cycle on, until the next request.
    pub done: Signal<Out, Bit>,
    /// The way is not empty; in the cycle of `done`.
    pub filled: Signal<Out, Bit>,
    /// Start of the path, without the constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub start: Signal<Out, Bits<64>>,
    /// Its outcomes.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Its length.
    #[bits(geometry.length_bits())]
    pub length: Signal<Out, Bits<7>>,
    /// Its accumulator.
    #[bits(geometry.accumulator_bits)]
    pub count: Signal<Out, Bits<32>>,
}
