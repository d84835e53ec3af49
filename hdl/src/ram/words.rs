//! The parts that all memories share as Verilog text.

use super::SameEdge;

/// A memory with one word in each cell.
pub(super) struct Words {
    /// Attributes of the cells, with a line end.
    pub style: String,
    pub depth: u32,
    /// Width of a word in bits.
    pub width: u32,
    /// The Verilog that the word is read to and written from.
    pub read: String,
    pub written: String,
    pub same_edge: SameEdge,
    /// `if (read_enable) `, or nothing.
    pub condition: &'static str,
}

/// The write enable of a way.
pub(super) fn enable(way: u32, ways: u32) -> String {
    match ways {
        1 => "write_ways".to_string(),
        _ => format!("write_ways[{way}]"),
    }
}

/// The bits of a way in a row of `row` bits.
pub(super) fn part(way: u32, width: u32, row: u32) -> String {
    match row {
        1 => String::new(),
        _ if width == 1 => format!("[{way}]"),
        _ => format!("[{}:{}]", (way + 1) * width - 1, way * width),
    }
}

/// Attributes of a memory whose read collisions are unused. From 32 cells on a block RAM costs less than the
/// multiplexers of a LUT RAM. Without the attribute synthesis decides by the number of bits.
pub(super) fn block_style(depth: u32) -> &'static str {
    if depth < 32 {
        "(* no_rw_check *)"
    } else {
        "(* no_rw_check, ram_style = \"block\" *)"
    }
}

/// The range of a vector; empty for a scalar.
pub(super) fn range(width: u32) -> String {
    if width > 1 {
        format!("[{}:0] ", width - 1)
    } else {
        String::new()
    }
}
