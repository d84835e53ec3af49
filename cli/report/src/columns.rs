//! Text in columns.

use std::ops::Range;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

/// A table with these heads; those of its columns in the range are numbers, which are aligned to the right.
pub fn table<'a>(heads: impl IntoIterator<Item = &'a str>, numbers: Range<usize>) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(heads.into_iter().collect::<Vec<_>>());
    let columns = table.column_iter_mut().take(numbers.end);
    for column in columns.skip(numbers.start) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Has a table's cells wrapped where it is wider than a terminal.
pub fn wrap(table: &mut Table, width: Option<u16>) {
    if let Some(width) = width {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
    }
}

/// A table's lines without blanks at their ends.
pub fn lines(table: &Table) -> String {
    let lines = table.lines().map(|line| line.trim_end().to_string() + "\n");
    lines.collect()
}
