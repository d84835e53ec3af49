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

/// Entry port, table side: reads one entry at a time.
#[bundle(geometry: &Geometry, mirror = EntryReader, wires = EntryWires)]
pub struct EntryPort {
    /// Entry request, held until done; a request withdrawn earlier is cancelled.
    pub request: Signal<In, Bit>,
    /// Number of the entry, set * WAYS + way; stable from one cycle before request.
    #[bits(geometry.entries().next_power_of_two().trailing_zeros())]
    pub number: Signal<In, Bits<16>>,
    /// Entry is valid from this cycle until the next request.
    pub done: Signal<Out, Bit>,
    /// The entry holds a path; valid in the cycle of done.
    pub filled: Signal<Out, Bit>,
    /// Start of the entry's path, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub start: Signal<Out, Bits<64>>,
    /// Outcomes of the entry's path, first branch in bit 0.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Length of the entry's path in branches.
    #[bits(geometry.length_bits())]
    pub length: Signal<Out, Bits<7>>,
    /// Accumulator of the entry.
    #[bits(geometry.accumulator_bits)]
    pub count: Signal<Out, Bits<32>>,
}
