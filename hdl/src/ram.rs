//! Memories: one write port, one synchronous read port, both on the same clock.
//!
//! Depth and stored width are chosen at run time. A cell that was never written reads 0 in simulation and is
//! undefined in hardware; every circuit writes a cell before it relies on it.

use rust_hdl::prelude::*;

use crate::annotate::sized;
use crate::circuit::{Part, wire};
use crate::value::Value;

/// What a read returns when the same cell is written at the same clock edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameEdge {
    /// Anything: whoever reads must not look at it. This is all that block RAMs promise across their two ports; a
    /// promise of the old or the new word costs a LUT and more a bit. The simulation returns the inverted new word.
    Any,
    /// The new word: the read address is registered and the cell is looked at after the edge.
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
    /// Cell to read at the next edge.
    pub read_address: Signal<In, Bits<16>>,
    /// Word of the cell read at the last edge.
    pub read_data: Signal<Out, Bits<N>>,
    /// Cell to write at the next edge.
    pub write_address: Signal<In, Bits<16>>,
    /// Word to write.
    pub write_data: Signal<In, Bits<N>>,
    /// Whether to write.
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
                "ram_{depth}x{width}: Memory; what a read returns at the edge of a write of the same cell is not used."
            ),
            SameEdge::New => format!(
                "ram_{depth}x{width}_new: Memory; a read at the edge of a write of the same cell returns the new word."
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

impl<const N: usize> Part for Ram<N> {
    fn drive(&mut self, clk: Clock, _rst: Bit) {
        self.clk.next = clk;
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
    }
}

/// A memory as Verilog. `fields` are the ports read, the ports written and the width of each field, the lowest first, 0 for one that is
/// not there;
/// `read_enable` says whether there is a port of this name.
#[must_use]
pub fn verilog(
    comment: &[&str],
    depth: u32,
    fields: &[(&str, &str, u32)],
    same_edge: SameEdge,
    read_enable: bool,
) -> Verilog {
    let comment: String = comment.iter().map(|line| format!("// {line}\n")).collect();
    let fields: Vec<_> = fields.iter().filter(|(.., width)| *width > 0).collect();
    let (style, word) = (
        block_style(depth),
        range(fields.iter().map(|(.., width)| width).sum()),
    );
    let (cell, address) = (depth - 1, range(depth.trailing_zeros()));
    let joined = |names: Vec<&str>| match names.as_slice() {
        [name] => (*name).to_string(),
        names => format!("{{{}}}", names.join(", ")),
    };
    let read = joined(fields.iter().rev().map(|(read, ..)| *read).collect());
    let written = joined(
        fields
            .iter()
            .rev()
            .map(|(_, written, _)| *written)
            .collect(),
    );
    let (style, register, next, value) = match same_edge {
        SameEdge::Any => (
            format!("{style}\n"),
            format!("reg {word}word_q;"),
            "word_q <= cells[read_address];",
            "word_q",
        ),
        SameEdge::New => (
            String::new(),
            format!("reg {address}address_q;"),
            "address_q <= read_address;",
            "cells[address_q]",
        ),
    };
    let condition = if read_enable { "if (read_enable) " } else { "" };
    let code = format!(
        "{comment}{style}reg {word}cells [0:{cell}];\n\
         {register}\n\
         always @(posedge clk) begin\n  \
           if (write_enable) cells[write_address] <= {written};\n  \
           {condition}{next}\n\
         end\n\
         assign {read} = {value};\n"
    );
    Verilog::Wrapper(Wrapper {
        code,
        cores: String::new(),
    })
}

/// A memory of `ways` words a cell, of which any can be written: one memory for all ways of a table, because block RAMs
/// are wide and shallow, and a word for each way would leave bits unused in each of them.
///
/// A read at the edge of a write of the same cell returns anything (see [`SameEdge::Any`]); the simulation inverts
/// the new word of each way written.
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
    /// A memory of `depth` cells (a power of two) of `ways` words of `width` bits.
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
        let (depth, width, ways) = (self._depth, self._width, self.read_data.len() as u32);
        let (row, cell) = (range(ways * width), depth - 1);
        let style = block_style(depth);
        let part = |way: u32| match ways * width {
            1 => String::new(),
            _ if width == 1 => format!("[{way}]"),
            _ => format!("[{}:{}]", (way + 1) * width - 1, way * width),
        };
        let enable = |way: u32| match ways {
            1 => "write_ways".to_string(),
            _ => format!("write_ways[{way}]"),
        };
        let writes: String = (0..ways)
            .map(|way| {
                let (enable, part) = (enable(way), part(way));
                format!("  if ({enable}) cells[write_address]{part} <= write_data;\n")
            })
            .collect();
        let reads: String = (0..ways)
            .map(|way| format!("assign read_data_{way} = row_q{};\n", part(way)))
            .collect();
        let code = format!(
            "// ram_{depth}x{ways}x{width}: Memory written way by way; what a read returns at the edge of a write of the same cell is not used.\n\
             {style}\n\
             reg {row}cells [0:{cell}];\n\
             reg {row}row_q;\n\
             always @(posedge clk) begin\n\
             {writes}  \
               row_q <= cells[read_address];\n\
             end\n\
             {reads}"
        );
        Verilog::Wrapper(Wrapper {
            code,
            cores: String::new(),
        })
    }
}

impl<const N: usize> Part for WayRam<N> {
    fn drive(&mut self, clk: Clock, _rst: Bit) {
        self.clk.next = clk;
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
    }
}

/// Attributes of a memory whose collisions nobody looks at. From 64 cells on a LUT RAM costs more in multiplexers than the
/// block RAM does; left alone, synthesis goes by the number of bits.
fn block_style(depth: u32) -> &'static str {
    if depth < 64 {
        "(* no_rw_check *)"
    } else {
        "(* no_rw_check, ram_style = \"block\" *)"
    }
}

/// The range of a vector; a scalar has none.
fn range(width: u32) -> String {
    if width > 1 {
        format!("[{}:0] ", width - 1)
    } else {
        String::new()
    }
}
