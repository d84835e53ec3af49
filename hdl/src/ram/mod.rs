//! Memories with one write port and one synchronous read port on the same clock.
//!
//! Depth and width are fixed when the circuit is constructed. A cell that was never written reads 0 in simulation and
//! is undefined in hardware. Every circuit writes a cell before it uses its content.

mod text;
mod ways;

use rust_hdl::prelude::*;

pub(crate) use text::wrapped;
pub use text::{Organisation, PowerUp, organisation, verilog};
pub use ways::WayRam;

use crate::annotate::sized;
use crate::circuit::memory_part;
use crate::value::Value;

/// Result of a read at the edge of a write of the same cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SameEdge {
    /// Undefined; the reader must not use it. Block RAMs promise no more across two ports. Old or new data would cost
    /// at least one LUT for each bit. The simulation returns the inverted new word.
    Any,
    /// The new word. The read address is registered, and the cell is read asynchronously after the edge.
    New,
}

/// A memory of `depth` words, each `width` bits wide (`N` is the greatest width of any geometry).
///
/// ```text
///                   +--------------------+
///   write_enable -->|                    |
///   write_address ->|  depth x width     |
///   write_data ---->|                    |---> read_data, one cycle after read_address
///   read_address -->|>                   |
///                   +--------------------+
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Ram<const N: usize> {
    /// Clock of both ports.
    pub clk: Signal<In, Clock>,
    /// Read address; data follows one cycle later.
    pub read_address: Signal<In, Bits<16>>,
    /// Word of the cell that was addressed one cycle ago.
    pub read_data: Signal<Out, Bits<N>>,
    /// Write address.
    pub write_address: Signal<In, Bits<16>>,
    /// Write data.
    pub write_data: Signal<In, Bits<N>>,
    /// Write enable.
    pub write_enable: Signal<In, Bit>,
    _width: u32,
    _same_edge: SameEdge,
    _cells: Vec<Bits<N>>,
}

impl<const N: usize> Ram<N> {
    /// A memory of `depth` words (a power of two) of `width` bits.
    #[must_use]
    pub fn new(depth: u32, width: u32, same_edge: SameEdge) -> Self {
        let address_bits = depth.trailing_zeros();
        Self {
            clk: Signal::default(),
            read_address: sized(address_bits),
            read_data: sized(width),
            write_address: sized(address_bits),
            write_data: sized(width),
            write_enable: Signal::default(),
            _width: width.max(1),
            _same_edge: same_edge,
            _cells: vec![Bits::default(); depth as usize],
        }
    }

    fn index(&self, address: Bits<16>) -> usize {
        address.index() % self._cells.len()
    }
}

impl<const N: usize> Logic for Ram<N> {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let read = self.index(self.read_address.val());
        let mut collision = false;
        if self.write_enable.val() {
            let written = self.index(self.write_address.val());
            self._cells[written] = self.write_data.val().low(self._width);
            collision = written == read;
        }
        self.read_data.next = match self._same_edge {
            SameEdge::Any if collision => self._cells[read].inverted(self._width),
            SameEdge::Any | SameEdge::New => self._cells[read],
        };
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._cells.len() as u32, self._width);
        let comment = match self._same_edge {
            SameEdge::Any => format!(
                "ram_{depth}x{width}: Memory, read latency one cycle. A read during a write of the same cell is undefined, and not used."
            ),
            SameEdge::New => format!(
                "ram_{depth}x{width}_new: Memory, read latency one cycle. A read during a write of the same cell returns the new word."
            ),
        };
        verilog(
            &[&comment],
            depth,
            &[("read_data", "write_data", width)],
            self._same_edge,
            false,
        )
    }
}

memory_part!(Ram<N> where const N: usize);
