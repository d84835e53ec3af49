//! Verilog text of memories.

use rust_hdl::prelude::*;

use super::SameEdge;
use super::words::{Words, block_style, enable, part, range};

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
    let words = Words {
        style: match same_edge {
            SameEdge::Any => format!("{}\n", block_style(depth)),
            SameEdge::New => String::new(),
        },
        depth,
        width: fields.iter().map(|(.., width)| width).sum(),
        read: joined(highest_first().map(|(read, ..)| *read).collect()),
        written: joined(highest_first().map(|(_, written, _)| *written).collect()),
        same_edge,
        condition: if read_enable { "if (read_enable) " } else { "" },
    };
    let comment: String = comment.iter().map(|line| format!("// {line}\n")).collect();
    written(&comment, &plain(&words))
}

/// A body under its comment.
fn written(comment: &str, body: &str) -> Verilog {
    Verilog::Wrapper(Wrapper {
        code: format!("{comment}{body}"),
        cores: String::new(),
    })
}

fn plain(words: &Words) -> String {
    let Words {
        style,
        depth,
        width,
        read,
        written,
        condition,
        ..
    } = words;
    let (word, cell, address) = (range(*width), depth - 1, range(depth.trailing_zeros()));
    let (register, next, value) = match words.same_edge {
        SameEdge::Any => (
            format!("reg {word}word_q;"),
            "word_q <= cells[read_address];",
            "word_q",
        ),
        SameEdge::New => (
            format!("reg {address}address_q;"),
            "address_q <= read_address;",
            "cells[address_q]",
        ),
    };
    format!(
        "{style}reg {word}cells [0:{cell}];\n\
         {register}\n\
         always @(posedge clk) begin\n  \
           if (write_enable) cells[write_address] <= {written};\n  \
           {condition}{next}\n\
         end\n\
         assign {read} = {value};\n"
    )
}

/// A memory with `ways` words in each cell as Verilog.
pub(super) fn way_verilog(depth: u32, ways: u32, width: u32) -> Verilog {
    let comment = format!(
        "// ram_{depth}x{ways}x{width}: Memory, one write enable per way. A read during a write of the same cell is undefined, and not used.\n"
    );
    let part = |way| part(way, width, ways * width);
    let writes: String = (0..ways)
        .map(|way| {
            let (enable, part) = (enable(way, ways), part(way));
            format!("  if ({enable}) cells[write_address]{part} <= write_data;\n")
        })
        .collect();
    let reads: String = (0..ways)
        .map(|way| format!("assign read_data_{way} = row_q{};\n", part(way)))
        .collect();
    let (row, cell, style) = (range(ways * width), depth - 1, block_style(depth));
    let plain = format!(
        "{style}\n\
         reg {row}cells [0:{cell}];\n\
         reg {row}row_q;\n\
         always @(posedge clk) begin\n\
         {writes}  \
           row_q <= cells[read_address];\n\
         end\n\
         {reads}"
    );
    written(&comment, &plain)
}

/// The organisation of a memory, for tools that replace its implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Organisation {
    /// Number of cells.
    pub depth: u32,
    /// Width of a cell in bits.
    pub width: u32,
    /// Number of parts of a cell that have a write enable each.
    pub parts: u32,
    /// Result of a read at the edge of a write of the same cell.
    pub same_edge: SameEdge,
    /// Contents at power-up.
    pub power_up: PowerUp,
}

/// The contents of a memory at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        same_edge: match code.contains("cells[address_q]") {
            true => SameEdge::New,
            false => SameEdge::Any,
        },
        power_up: match code.find("initial begin") {
            None => PowerUp::Any,
            Some(_) => PowerUp::Words,
        },
    })
}
