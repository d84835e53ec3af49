use rust_hdl::prelude::*;

use super::text::way_verilog;
use crate::annotate::sized;
use crate::circuit::memory_part;
use crate::value::Value;

/// A memory with `ways` words in each cell and a write enable for each word. One memory for all ways uses block RAMs
/// better than one for each way, because they are wide and shallow.
///
/// A read at the edge of a write of the same cell is undefined (see [`SameEdge::Any`](super::SameEdge::Any)). The
/// simulation inverts each word that is written.
#[derive(Clone, Debug, LogicBlock)]
pub struct WayRam<const N: usize> {
    /// Clock of both ports.
    pub clk: Signal<In, Clock>,
    /// Cell to read at the next edge.
    pub read_address: Signal<In, Bits<16>>,
    /// Words of the cell read at the last edge, one of each way.
    pub read_data: Vec<Signal<Out, Bits<N>>>,
    /// Cell to write at the next edge.
    pub write_address: Signal<In, Bits<16>>,
    /// Word to write.
    pub write_data: Signal<In, Bits<N>>,
    /// Ways to write it to.
    pub write_ways: Signal<In, Bits<32>>,
    _depth: u32,
    _width: u32,
    _cells: Vec<Vec<Bits<N>>>,
}

impl<const N: usize> WayRam<N> {
    /// A memory of `depth` cells (a power of two) with `ways` words of `width` bits.
    #[must_use]
    pub fn new(depth: u32, ways: u32, width: u32) -> Self {
        let address_bits = depth.trailing_zeros();
        Self {
            clk: Signal::default(),
            read_address: sized(address_bits),
            read_data: (0..ways).map(|_| sized(width)).collect(),
            write_address: sized(address_bits),
            write_data: sized(width),
            write_ways: sized(ways),
            _depth: depth,
            _width: width,
            _cells: vec![vec![Bits::default(); depth as usize]; ways as usize],
        }
    }
}

impl<const N: usize> Logic for WayRam<N> {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let read = self.read_address.val().index() % self._depth as usize;
        let written = self.write_address.val().index() % self._depth as usize;
        for (way, cells) in self._cells.iter_mut().enumerate() {
            self.read_data[way].next = cells[read];
            if self.write_ways.val().get_bit(way) {
                cells[written] = self.write_data.val().low(self._width);
                if read == written {
                    self.read_data[way].next = cells[read].inverted(self._width);
                }
            }
        }
    }

    fn connect(&mut self) {
        for word in &mut self.read_data {
            word.connect();
        }
    }

    fn hdl(&self) -> Verilog {
        way_verilog(self._depth, self.read_data.len() as u32, self._width)
    }
}

memory_part!(WayRam<N> where const N: usize);
