use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::LeftSink;
use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::Register;

/// Evicted paths that wait in the drain FIFO.
#[memory(geometry: &Geometry, depth = geometry.drain_depth, same_edge = SameEdge::Any)]
pub struct DrainMemory {
    /// Start of the evicted path, without constant low bits.
    start: Bits<64, { geometry.start_bits() - geometry.align }>,
    /// Outcomes of the evicted path, first branch in bit 0.
    outcomes: Bits<64, { geometry.max_branches }>,
    /// Length of the evicted path in branches.
    length: Bits<7, { geometry.length_bits() }>,
    /// Accumulator of the evicted path.
    count: Bits<32, { geometry.accumulator_bits }>,
}

/// FIFO of evicted paths. Full is computed from the level alone, even in a cycle with a pop.
///
/// Timing: an entry that enters in cycle *t* is in `level` from *t* + 1 on. It can be at the output from *t* + 2 on,
/// behind earlier entries.
#[circuit(
    geometry: &Geometry,
    let pointer_bits = geometry.drain_depth.trailing_zeros() + 1,
    const depth: Bits<13> = geometry.drain_depth,
    const pointer_mask: Bits<13> = 2 * geometry.drain_depth - 1,
    const cell_mask: Bits<13> = geometry.drain_depth - 1
)]
pub struct DrainFifo {
    /// Evicted paths to store.
    pub left: LeftSink<geometry>,
    /// Pop: remove the path at the head.
    pub take: Signal<In, Bit>,
    /// Clear: remove all paths stored in earlier cycles.
    pub clear: Signal<In, Bit>,
    /// Pulse: the FIFO is full and the evicted path is lost.
    pub loses: Signal<Out, Bit>,
    /// Fill level: number of paths in the FIFO.
    pub level: Signal<Out, Bits<13, pointer_bits>>,
    /// The head of the FIFO is valid.
    pub shown: Signal<Out, Bit>,
    /// Start of the path at the head, without constant low bits.
    pub start: Signal<Out, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Outcomes of the path at the head, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { geometry.max_branches }>>,
    /// Length of the path at the head in branches.
    pub length: Signal<Out, Bits<7, { geometry.length_bits() }>>,
    /// Accumulator of the path at the head.
    pub count: Signal<Out, Bits<32, { geometry.accumulator_bits }>>,

    #[connect(
        write_start = left.start, write_outcomes = left.outcomes, write_length = left.length,
        write_count = left.count, start, outcomes, length, count
    )]
    entries: DrainMemory<geometry>,
    write_pointer: Register<Bits<13, pointer_bits>>,
    read_pointer: Register<Bits<13, pointer_bits>>,
    #[connect(q = shown)]
    there: Register<Bit>,
}

#[kernel]
impl DrainFifo {
    /// Pushes and pops.
    fn logic(&mut self) {
        // The pointers have one bit more than an address. The FIFO is full when they differ in that bit alone.
        self.level.next = (self.write_pointer - self.read_pointer) & self.pointer_mask;
        let full = self.write_pointer == (self.read_pointer ^ self.depth);
        let push = self.left.valid & !full;
        self.loses.next = self.left.valid & full;
        if push {
            self.write_pointer.d.next = (self.write_pointer + 1) & self.pointer_mask;
        }
        let read_next = if self.clear {
            self.write_pointer
        } else if self.there & self.take {
            (self.read_pointer + 1) & self.pointer_mask
        } else {
            self.read_pointer
        };
        self.read_pointer.d.next = read_next;
        self.there.d.next = self.write_pointer != read_next;

        self.entries.write_enable.next = push;
        self.entries.write_address.next = bit_cast::<16, 13>(self.write_pointer & self.cell_mask);
        self.entries.read_address.next = bit_cast::<16, 13>(read_next & self.cell_mask);
    }
}
