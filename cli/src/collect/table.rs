//! The Parquet file, column by column.

use std::fs::File;
use std::sync::Arc;

use anyhow::{Context, Result};
use hpp_golden::registers::Counter;
use hpp_report::report::PathReport;
use hpp_report::{Profile, Report};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// The columns. Addresses and counts are as the profiler has them, at most 64 bits without a sign.
const SCHEMA: &str = "
message profile {
    required binary log (UTF8);
    required int64 dump;
    optional binary configuration (UTF8);
    optional binary program (UTF8);
    required binary counted (UTF8);
    required int64 errors;
    required int64 completed;
    required int64 lost;
    required int64 start (UINT_64);
    required int64 length;
    required binary outcomes (UTF8);
    required int64 count;
    optional int64 instructions;
    optional binary function (UTF8);
    optional binary file (UTF8);
    optional int64 line;
}";

/// Rows that are kept until they are written as one group.
const GROUP: usize = 1 << 17;

/// A path of a dump.
pub struct Row<'a> {
    /// The log.
    pub log: &'a str,
    /// Which dump of it, from 1.
    pub dump: usize,
    /// What the dump says.
    pub profile: &'a Profile,
    /// The same in words.
    pub report: &'a Report,
    /// The path.
    pub path: &'a PathReport,
}

/// A column's values; `None` where a path has none.
enum Column {
    Text(Vec<Option<ByteArray>>),
    Number(Vec<Option<i64>>),
}

/// The file, being written.
pub struct Table {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    kept: usize,
    rows: u64,
}

impl Table {
    /// An empty table in this file.
    pub fn new(file: File) -> Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA).context("the schema is wrong")?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        Ok(Self {
            writer,
            columns: Vec::new(),
            kept: 0,
            rows: 0,
        })
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row<'_>) -> Result<()> {
        let cells = cells(row);
        if self.columns.is_empty() {
            let column = |cell: &Cell| match cell {
                Cell::Text(_) => Column::Text(Vec::new()),
                Cell::Number(_) => Column::Number(Vec::new()),
            };
            self.columns = cells.iter().map(column).collect();
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (column, cell) {
                (Column::Text(values), Cell::Text(text)) => {
                    values.push(text.map(|text| text.into_bytes().into()));
                }
                (Column::Number(values), Cell::Number(number)) => values.push(number),
                _ => unreachable!("every row has the same columns"),
            }
        }
        self.kept += 1;
        if self.kept == GROUP {
            self.group()?;
        }
        Ok(())
    }

    /// Writes what is kept.
    fn group(&mut self) -> Result<()> {
        let columns = self.writer.schema_descr().columns();
        let optional: Vec<bool> = columns.iter().map(|c| c.max_def_level() > 0).collect();
        let mut group = self.writer.next_row_group()?;
        for (column, optional) in self.columns.iter().zip(optional) {
            let mut writer = group
                .next_column()?
                .context("the schema has fewer columns than a row")?;
            match column {
                Column::Text(values) => {
                    let (present, levels) = split(values, optional);
                    let writer = writer.typed::<ByteArrayType>();
                    writer.write_batch(&present, levels.as_deref(), None)?;
                }
                Column::Number(values) => {
                    let (present, levels) = split(values, optional);
                    let writer = writer.typed::<Int64Type>();
                    writer.write_batch(&present, levels.as_deref(), None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.rows += self.kept as u64;
        self.kept = 0;
        self.columns.clear();
        Ok(())
    }

    /// Writes the rest and the file's end; how many rows there are.
    pub fn finish(mut self) -> Result<u64> {
        if self.kept > 0 {
            self.group()?;
        }
        self.writer.close()?;
        Ok(self.rows)
    }
}

/// The values that are there, and for an optional column which are.
fn split<T: Clone>(values: &[Option<T>], optional: bool) -> (Vec<T>, Option<Vec<i16>>) {
    let present = values.iter().flatten().cloned().collect();
    let levels = optional.then(|| values.iter().map(|v| i16::from(v.is_some())).collect());
    (present, levels)
}

/// A value of a row.
enum Cell {
    Text(Option<String>),
    Number(Option<i64>),
}

/// The row's values, in the order of the columns.
fn cells(row: &Row<'_>) -> Vec<Cell> {
    let Row {
        log,
        dump,
        profile,
        report,
        path,
    } = row;
    let text = |text: &str| Cell::Text(Some(text.to_owned()));
    let number = |number: u64| Cell::Number(Some(number.cast_signed()));
    let source = path.place.source.as_ref();
    vec![
        text(log),
        number(*dump as u64),
        Cell::Text(profile.configuration.clone()),
        Cell::Text(profile.program.clone()),
        text(&report.counted.metric),
        number(u64::from(profile.errors)),
        number(profile.counter(Counter::Paths)),
        number(profile.counter(Counter::LostRecords)),
        number(path.descriptor.start),
        number(u64::from(path.descriptor.length)),
        text(&path.outcomes),
        number(path.count),
        Cell::Number(path.instructions.map(u64::cast_signed)),
        Cell::Text(path.place.function.clone()),
        Cell::Text(source.map(|source| source.file.clone())),
        Cell::Number(source.map(|source| i64::from(source.line))),
    ]
}
