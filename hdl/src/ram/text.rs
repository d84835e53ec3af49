//! Memories as Verilog text.

use rust_hdl::prelude::*;

use super::SameEdge;
use super::parity;
use super::words::{Words, block_style, enable, part, range};

/// A memory as Verilog. `fields` are the ports read, the ports written and the width of each field, the lowest first, 0 for one that is
/// not there; `read_enable` says whether there is a port of this name.
///
/// With parity (in `cores`) an output `flipped` is 1 while a word is shown that has an odd number of bits flipped, or, with
/// [`SameEdge::New`], while the wrong cell is shown since its address has flipped. A word that was read at the edge at which it was written is not
/// looked at.
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
    both(&comment, &plain(&words), &parity::words(&words))
}

/// A memory in both forms, under one comment.
fn both(comment: &str, plain: &str, with_parity: &str) -> Verilog {
    Verilog::Wrapper(Wrapper {
        code: format!("{comment}{plain}"),
        cores: format!("{comment}{with_parity}"),
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

/// A memory of `ways` words a cell as Verilog; with parity (in `cores`) as [`verilog`], each word for itself.
pub(super) fn way_verilog(depth: u32, ways: u32, width: u32) -> Verilog {
    let comment = format!(
        "// ram_{depth}x{ways}x{width}: Memory written way by way; what a read returns at the edge of a write of the same cell is not used.\n"
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
    both(&comment, &plain, &parity::ways(depth, ways, width))
}

/// How a memory is organised, for those who put another in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Organisation {
    /// Cells.
    pub depth: u32,
    /// Bits of a cell.
    pub width: u32,
    /// Parts of a cell that are written each by itself.
    pub parts: u32,
    /// What a read returns when the same cell is written at the same clock edge.
    pub same_edge: SameEdge,
    /// What the cells hold at power-up.
    pub power_up: PowerUp,
}

/// What the cells of a memory hold at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerUp {
    /// Anything: nothing looks at it.
    Any,
    /// 0 in all cells.
    Zero,
    /// The words of the module's `initial` block.
    Words,
}

/// The organisation of a memory that is written as in [`verilog`], in either form; `None` of what is no memory.
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
        power_up: match code.split_once("initial begin") {
            None => PowerUp::Any,
            Some((_, block)) if block.contains("cells[cell_number] = 0;") => PowerUp::Zero,
            Some(_) => PowerUp::Words,
        },
    })
}
