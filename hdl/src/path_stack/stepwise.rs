//! The path stack for sequential lookup. A record that pops, pushes or completes a path takes two cycles.
//!
//! ```text
//!   record ---> [ update the top ] ---> [ move ] --+--> path_*, which stays until its lookup is over
//!                                         |  ^     |
//!                                   push  v  | pop +--> next top: target | entry below
//!                                   ( RAM: entries below the top )
//! ```
//!
//! In its first cycle a record updates the top, or its extension counter. That is all if it completes no path, its row
//! has neither pop nor push, and the stack is not emptied. In the second cycle the top is output as a path, or pushed
//! into memory. A record that splits a path and pushes takes a third cycle, in which it pushes the new entry.
//!
//! Nothing is stored, output or moved in the cycle that computes it. Each bit of the top therefore needs one register.
//! The memory is a block RAM that is read at the entry below the top in every cycle. A record's first cycle leaves time
//! for that read.
//!
//! A record that completes a path waits in its second cycle while the previous path is looked up. `stall` holds
//! the decoder until the last cycle of a record.
//!
//! Timing: a path that leaves the stack in cycle *t* is on `path_*` in *t* + 1, with the statistics pulses of its
//! record.
//!
//! Source: Vaswani's thesis, section 5.2, for the operations.

mod kernel;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{PathSource, StackEvents, StepSink};
use crate::circuit::circuit;
use crate::register::{Delay, Register};
use crate::stack_check::StackCheck;
use crate::stack_memory::{StepwiseMemory, stored_length_bits};

/// Applies records to the top of the path stack; entries move one cycle later. The top entry is in
/// registers, the entries below it are in a ring in memory.
#[circuit(
    geometry: &Geometry,
    several: bool,
    let place_bits = geometry.stack_depth.trailing_zeros(),
    let groups = geometry.max_branches.div_ceil(8),
    const group: Bits<64> = 0xff,
    const last: Bits<7> = geometry.max_branches - 1,
    const depth: Bits<9> = geometry.stack_depth,
    const place_mask: Bits<8> = geometry.stack_depth - 1,
    const occupancy_mask: Bits<9> = 2 * geometry.stack_depth - 1,
    const length_mask: Bits<7> = Geometry::mask(stored_length_bits(geometry)),
    const counter_mask: Bits<32> = Geometry::mask(geometry.event_counter_bits),
    const counter_bits: Bits<8> = geometry.event_counter_bits,
    const align: Bits<8> = geometry.align,
    const context_lsb: Bits<7> = geometry.pc_bits - geometry.align,
    const _filters: bool = geometry.context_bits > 0,
    const _group_lsb: Vec<u32> = (0..groups).map(|group| 8 * group).collect()
)]
pub struct StepwiseStack {
    /// Operations of the record.
    pub step: StepSink<geometry>,
    /// Completed path.
    pub path: PathSource<geometry>,
    /// What happens to the stack.
    #[flat]
    pub events: StackEvents<geometry>,
    /// Busy: a search for the frame of a return is in progress.
    pub busy: Signal<Out, Bit, { geometry.stack_check }>,
    /// Back-pressure: hold the path ports; no path may become valid in the next cycle.
    pub waits: Signal<In, Bit>,
    /// A path becomes valid in the next cycle unless waits holds it back.
    pub next_valid: Signal<Out, Bit, { geometry.repeats_paths() || several }>,
    /// The path ports become 0: a path of another hart becomes valid in the next cycle.
    pub yields: Signal<In, Bit, several>,
    /// Stall: hold the record; this is not its last cycle.
    pub stall: Signal<Out, Bit>,

    entries: StepwiseMemory<geometry>,
    #[connect(
        step.{is_trap, is_return, is_trap_return, next_address}, leads_to = step.target, below = below.q,
        occupancy = occupancy.q
    )]
    check: Option<StackCheck<geometry>, { geometry.stack_check }>,

    /// Start of the top path.
    start: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Outcomes of the top path, in groups of eight.
    outcomes: Vec<Delay<Bits<64, { (geometry.max_branches - 8 * i).min(8) }>>, groups>,
    /// Number of outcomes of the top path.
    length: Delay<Bits<7, { geometry.length_bits() }>>,
    /// Event count of the top path.
    counter: Register<Bits<32, { geometry.event_counter_bits }>>,
    /// Extension counter of the top path.
    extension: Delay<Bits<8, { geometry.extension_bits }>>,
    /// Limit of the extension counter.
    limit: Delay<Bits<8, { geometry.extension_bits }>>,
    /// Number of entries, including the top.
    occupancy: Delay<Bits<9, { place_bits + 1 }>>,
    /// The stack had a single entry one cycle ago.
    lone: Delay<Bit>,
    /// Address of the entry below the top.
    below: Register<Bits<8, place_bits>>,

    /// The record has updated the top and is in its second or a later cycle.
    moving: Register<Bit>,
    purging: Delay<Bit>,
    popping: Delay<Bit>,
    pushing: Delay<Bit>,
    /// The top path has reached the maximum length.
    filled: Delay<Bit>,
    /// The top path completes: the record pops or splits it. A pop that resumes the stack after a repair completes none.
    leaving: Delay<Bit>,
    /// The record changes the top: purge, split, or a pop or push that no extension cancels.
    pending: Register<Bit>,
    /// The stack restarts at the target of a return that fits no frame.
    strayed: Option<Delay<Bit>, { geometry.stack_check }>,

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
}
