//! Verilog text of memories with parity.
//!
//! The parity bit is above its word and makes the number of ones even. An all-zero cell, which is what memories hold at
//! power-up, therefore has correct parity. `sound` masks the check: it is 0 until the first read, and after a read that
//! collided with a write.

use super::SameEdge;
use super::words::{Words, block_style, enable, part, range};

/// Body of a memory with one word in each cell.
pub(super) fn words(words: &Words) -> String {
    match words.same_edge {
        SameEdge::Any => read_before(words),
        SameEdge::New => read_after(words),
    }
}

/// The cell is read at the edge, into a register.
fn read_before(words: &Words) -> String {
    let Words {
        style,
        depth,
        width,
        read,
        written,
        condition,
        ..
    } = words;
    let (word, cell) = (range(width + 1), depth - 1);
    let start = at_power_up(*depth, "sound = 1'b0;");
    format!(
        "{style}reg {word}cells [0:{cell}];\n\
         reg {word}word_q;\n\
         reg sound;\n\
         always @(posedge clk) begin\n  \
           if (write_enable) cells[write_address] <= {{^{written}, {written}}};\n  \
           {condition}word_q <= cells[read_address];\n  \
           {condition}sound <= !(write_enable && write_address == read_address);\n\
         end\n\
         assign {read} = word_q[{top}:0];\n\
         assign flipped = sound && ^word_q;\n\
         {start}",
        top = width - 1,
    )
}

/// The address is registered, and the cell is read after the edge.
fn read_after(words: &Words) -> String {
    let Words {
        depth,
        width,
        read,
        written,
        condition,
        ..
    } = words;
    let (word, cell, address) = (range(width + 1), depth - 1, range(depth.trailing_zeros()));
    let first = format!(
        "address_q = {}'d0;\n  address_parity = 1'b1;",
        depth.trailing_zeros()
    );
    let start = at_power_up(*depth, &first);
    format!(
        "reg {word}cells [0:{cell}];\n\
         reg {address}address_q;\n\
         reg address_parity;\n\
         wire {word}word = cells[address_q];\n\
         always @(posedge clk) begin\n  \
           if (write_enable) cells[write_address] <= {{^{written}, {written}}};\n  \
           {condition}address_q <= read_address;\n  \
           {condition}address_parity <= ~^read_address;\n\
         end\n\
         assign {read} = word[{top}:0];\n\
         assign flipped = ^word || address_parity == ^address_q;\n\
         {start}",
        top = width - 1,
    )
}

/// Body of a memory with `ways` words in each cell.
pub(super) fn ways(depth: u32, ways: u32, width: u32) -> String {
    let stored = width + 1;
    let way_part = |way| part(way, stored, ways * stored);
    let writes: String = (0..ways)
        .map(|way| {
            let (enable, part) = (enable(way, ways), way_part(way));
            format!("  if ({enable}) cells[write_address]{part} <= {{^write_data, write_data}};\n")
        })
        .collect();
    let reads: String = (0..ways)
        .map(|way| {
            let (low, high) = (way * stored, way * stored + width - 1);
            let part = if width == 1 {
                format!("[{low}]")
            } else {
                format!("[{high}:{low}]")
            };
            format!("assign read_data_{way} = row_q{part};\n")
        })
        .collect();
    let odd: Vec<String> = (0..ways)
        .rev()
        .map(|way| format!("^row_q{}", way_part(way)))
        .collect();
    let (row, cell, style) = (range(ways * stored), depth - 1, block_style(depth));
    let (each, odd) = (range(ways), odd.join(", "));
    let start = at_power_up(depth, &format!("sound = {ways}'d0;"));
    format!(
        "{style}\n\
         reg {row}cells [0:{cell}];\n\
         reg {row}row_q;\n\
         reg {each}sound;\n\
         always @(posedge clk) begin\n\
         {writes}  \
           row_q <= cells[read_address];\n  \
           sound <= ~(write_ways & {{{ways}{{write_address == read_address}}}});\n\
         end\n\
         {reads}\
         assign flipped = |(sound & {{{odd}}});\n\
         {start}"
    )
}

/// An initial block that runs `first` and clears all cells.
fn at_power_up(depth: u32, first: &str) -> String {
    format!(
        "integer cell_number;\n\
         initial begin\n  \
           {first}\n  \
           for (cell_number = 0; cell_number < {depth}; cell_number = cell_number + 1) cells[cell_number] = 0;\n\
         end\n"
    )
}
