use rust_hdl::prelude::*;
use serde::Serialize;

use super::SameEdge;

/// A memory as Verilog. Each element of `fields` is a field's read port, write port and width, the lowest field first.
/// A width of 0 leaves the field out. `read_enable` adds a port of this name.
#[must_use]
pub fn verilog(
    comment: &[&str],
    depth: u32,
    fields: &[(&str, &str, u32)],
    same_edge: SameEdge,
    read_enable: bool,
) -> Verilog {
    let fields: Vec<_> = fields.iter().filter(|(.., width)| *width > 0).collect();
    let joined = |names: Vec<&str>| match names.as_slice() {
        [name] => (*name).to_string(),
        names => format!("{{{}}}", names.join(", ")),
    };
    let highest_first = || fields.iter().rev();
    let read = joined(highest_first().map(|(read, ..)| *read).collect());
    let written = joined(highest_first().map(|(_, written, _)| *written).collect());
    let word = range(fields.iter().map(|(.., width)| width).sum());
    let (cell, address) = (depth - 1, range(depth.trailing_zeros()));
    let (style, register, next, value) = match same_edge {
        SameEdge::Any => (
            format!("{}\n", block_style(depth)),
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
    let comment: String = comment.iter().map(|line| format!("// {line}\n")).collect();
    wrapped(format!(
        "{comment}{style}reg {word}cells [0:{cell}];\n\
         {register}\n\
         always @(posedge clk) begin\n  \
           if (write_enable) cells[write_address] <= {written};\n  \
           {condition}{next}\n\
         end\n\
         assign {read} = {value};\n"
    ))
}

/// A module whose body is this text.
pub(crate) fn wrapped(code: String) -> Verilog {
    Verilog::Wrapper(Wrapper {
        code,
        cores: String::new(),
    })
}

/// Attributes of a memory whose read collisions are unused. From 32 cells on a block RAM costs less than the
/// multiplexers of a LUT RAM. Without the attribute synthesis decides by the number of bits.
fn block_style(depth: u32) -> &'static str {
    match depth {
        ..32 => "(* no_rw_check *)",
        _ => "(* no_rw_check, ram_style = \"block\" *)",
    }
}

/// The range of a vector; empty for a scalar.
fn range(width: u32) -> String {
    match width {
        ..2 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}

/// A memory with `ways` words in each cell as Verilog.
pub(super) fn way_verilog(depth: u32, ways: u32, width: u32) -> Verilog {
    let enable = |way| match ways {
        1 => "write_ways".to_string(),
        _ => format!("write_ways[{way}]"),
    };
    // The bits of a way in a row.
    let part = |way| match ways * width {
        1 => String::new(),
        _ if width == 1 => format!("[{way}]"),
        _ => format!("[{}:{}]", (way + 1) * width - 1, way * width),
    };
    let write = |way| {
        let (enable, part) = (enable(way), part(way));
        format!("  if ({enable}) cells[write_address]{part} <= write_data;\n")
    };
    let writes: String = (0..ways).map(write).collect();
    let reads: String = (0..ways)
        .map(|way| format!("assign read_data_{way} = row_q{};\n", part(way)))
        .collect();
    let (row, cell, style) = (range(ways * width), depth - 1, block_style(depth));
    wrapped(format!(
        "// ram_{depth}x{ways}x{width}: Memory, one write enable per way. A read during a write of the same cell is undefined, and not used.\n\
         {style}\n\
         reg {row}cells [0:{cell}];\n\
         reg {row}row_q;\n\
         always @(posedge clk) begin\n\
         {writes}  \
           row_q <= cells[read_address];\n\
         end\n\
         {reads}"
    ))
}

/// The organisation of a memory, for tools that replace its implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Organisation {
    /// Number of cells.
    pub depth: u32,
    /// Width of a cell in bits.
    pub width: u32,
    /// Number of parts of a cell that have a write enable each.
    pub parts: u32,
    /// Result of a read at the edge of a write of the same cell.
    pub same_cell: SameEdge,
    /// Contents at power-up.
    pub at_power_up: PowerUp,
}

/// The contents of a memory at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PowerUp {
    /// Undefined, and unused.
    Any,
    /// The words of the module's `initial` block.
    Words,
}

/// The organisation of a memory written by [`verilog`]. `None` if the text is not a memory.
#[must_use]
pub fn organisation(code: &str) -> Option<Organisation> {
    let cells = code.lines().find(|line| line.contains(" cells [0:"))?;
    let number = |text: &str| text.parse::<u32>().ok();
    let (word, last) = cells.split_once("cells [0:")?;
    let width = match word.split_once('[') {
        Some((_, range)) => number(range.split_once(':')?.0)? + 1,
        None => 1,
    };
    let parts =
        code.matches(" cells[write_address]").count() + code.matches(" cells[address] <=").count();
    Some(Organisation {
        depth: number(last.trim_end_matches("];"))? + 1,
        width,
        parts: u32::try_from(parts).ok()?,
        same_cell: match code.contains("cells[address_q]") {
            true => SameEdge::New,
            false => SameEdge::Any,
        },
        at_power_up: match code.find("initial begin") {
            None => PowerUp::Any,
            Some(_) => PowerUp::Words,
        },
    })
}
