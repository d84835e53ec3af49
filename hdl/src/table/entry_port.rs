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
    pub number: Signal<In, Bits<16, { geometry.entries().next_power_of_two().trailing_zeros() }>>,
    /// Entry is valid from this cycle until the next request.
    pub done: Signal<Out, Bit>,
    /// The entry holds a path; valid in the cycle of done.
    pub filled: Signal<Out, Bit>,
    /// Start of the entry's path, without constant low bits.
    pub start: Signal<Out, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Outcomes of the entry's path, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { geometry.max_branches }>>,
    /// Length of the entry's path in branches.
    pub length: Signal<Out, Bits<7, { geometry.length_bits() }>>,
    /// Accumulator of the entry.
    pub count: Signal<Out, Bits<32, { geometry.accumulator_bits }>>,
}
