//! The path stack: it accepts a record in every cycle, and outputs at most one completed path in each.
//!
//! ```text
//!   record ---> [ update the top ] --+--> path_* (registered)
//!                  ^                 |
//!                  |                 +--> push ---> ( RAM: entries below the top )
//!               [ top ] <--- next top: target | updated top | entry below <--- pop
//! ```
//!
//! The top entry is in registers. Its start and its outcomes are the OR of two registers each. One of the two takes a
//! popped entry, and the other is cleared, which needs no multiplexer. An entry that is pushed in the cycle of a split
//! is marked blank in memory. A pop of a blank entry clears the top, whatever is stored.
//!
//! The entries below the top are a ring in memory. The memory is addressed with the next value of `below`, and returns
//! a word that is written at the same edge. Alternating calls and returns therefore run at one record a cycle. A push
//! onto a full stack overwrites the oldest entry: the ring wraps, and the occupancy stays.
//!
//! The critical decision is whether a record changes the extension counter, because it then neither pops nor pushes.
//! The next value of the counter is therefore compared with the limit, and the result is registered.
//!
//! A checked stack compares returns with the return addresses of its frames ([`StackCheck`]). A path of a context that
//! the filter excludes changes the stack as usual, but is not output.
//!
//! Timing: a path that a record completes in cycle *t* is on `path_*` in cycle *t* + 1, together with the statistics
//! pulses.
//!
//! Source: Vaswani's thesis, section 5.2, for the operations.

mod kernel;
mod stepwise;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{PathSource, StackEvents, StepSink};
use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::stack_check::StackCheck;
use crate::stack_memory::{StackMemory, stored_length_bits};

pub use stepwise::StepwiseStack;

/// Applies one record per cycle to the top of the path stack. The top entry is in registers, the entries
/// below it are in a ring in memory.
#[circuit(
    geometry: &Geometry,
    let place_bits = geometry.stack_depth.trailing_zeros(),
    const last_low: Bits<8> = 1 << ((geometry.max_branches - 1) % 8),
    const last_high: Bits<8> = 1 << ((geometry.max_branches - 1) / 8),
    const depth: Bits<9> = geometry.stack_depth,
    const place_mask: Bits<8> = geometry.stack_depth - 1,
    const occupancy_mask: Bits<9> = 2 * geometry.stack_depth - 1,
    const length_mask: Bits<7> = Geometry::mask(stored_length_bits(geometry)),
    const counter_mask: Bits<32> = Geometry::mask(geometry.event_counter_bits),
    const counter_bits: Bits<8> = geometry.event_counter_bits,
    const align: Bits<8> = geometry.align,
    const context_lsb: Bits<7> = geometry.pc_bits - geometry.align,
    const _filters: bool = geometry.context_bits > 0
)]
pub struct PathStack {
    /// Operations of the record.
    pub step: StepSink<geometry>,
    /// Completed path.
    pub path: PathSource<geometry>,
    /// What happens to the stack.
    #[flat]
    pub events: StackEvents<geometry>,
    /// Busy: a search for the frame of a return is in progress.
    pub busy: Signal<Out, Bit, { geometry.stack_check }>,

    entries: StackMemory<geometry>,
    #[connect(
        step.{is_trap, is_return, is_trap_return, next_address}, leads_to = step.target, below = below.q,
        occupancy = occupancy.q
    )]
    check: Option<StackCheck<geometry>, { geometry.stack_check }>,

    /// Start of the top path if it was pushed, else 0.
    pushed_target: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Start of the top path if it was popped into, else 0.
    popped_start: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Outcomes appended since the top was pushed or popped into.
    appended: Delay<Bits<64, { geometry.max_branches }>>,
    /// Outcomes that were popped with the top path, else 0.
    popped: Delay<Bits<64, { geometry.max_branches }>>,
    /// Number of outcomes of the top path.
    length: Delay<Bits<7, { stored_length_bits(geometry) }>>,
    /// Position of the next outcome in its group of eight (one-hot).
    place_low: Delay<Bits<8>>,
    /// Group of eight of the next outcome (one-hot).
    place_high: Delay<Bits<8, { geometry.max_branches.div_ceil(8) }>>,
    /// Event count of the top path.
    counter: Register<Bits<32, { geometry.event_counter_bits }>>,
    /// Extension counter of the top path.
    extension: Delay<Bits<8, { geometry.extension_bits }>>,
    /// The extension counter is below the limit.
    can_extend: Delay<Bit>,
    /// The extension counter is above 0.
    can_retract: Delay<Bit>,
    /// Number of entries, including the top.
    occupancy: Delay<Bits<9, { place_bits + 1 }>>,
    /// Address of the entry below the top.
    below: Register<Bits<8, place_bits>>,

    #[connect(q = path.valid)]
    out_valid: Register<Bit>,
    out_start: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    #[connect(q = path.outcomes)]
    out_outcomes: Delay<Bits<64, { geometry.max_branches }>>,
    #[connect(q = path.length)]
    out_length: Delay<Bits<7, { geometry.length_bits() }>>,
    #[connect(q = path.count)]
    out_count: Delay<Bits<32, { geometry.event_counter_bits }>>,
    #[connect(q = events.split)]
    out_split: Register<Bit>,
    #[connect(q = events.underflow)]
    out_underflow: Register<Bit>,
    #[connect(q = events.overflow)]
    out_overflow: Register<Bit>,
    #[connect(q = events.saturated)]
    out_saturated: Register<Bit>,
    #[connect(q = events.repaired)]
    out_repaired: Option<Register<Bit>, { geometry.stack_check }>,

    new_outcomes: Signal<Local, Bits<64, { geometry.max_branches }>>,
}
