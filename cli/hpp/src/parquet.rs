//! Parquet files, row by row.

use std::fs::File;
use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// Rows that are kept until they are written as one group.
const GROUP: usize = 1 << 17;

/// A value of a row; `None` where a row has none.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(Option<String>),
    /// A number without a sign, or the bits of one.
    Number(Option<u64>),
    /// A part or a mean.
    Real(Option<f64>),
}

/// A column's values.
enum Column {
    Text(Vec<Option<ByteArray>>),
    Number(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
}

/// The file, being written.
pub struct Table {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    kept: usize,
    rows: u64,
}

impl Table {
    /// An empty table of this schema in this file.
    pub fn new(file: File, schema: &str) -> Result<Self> {
        let schema = Arc::new(parse_message_type(schema).context("the schema is wrong")?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        Ok(Self {
            writer,
            columns: Vec::new(),
            kept: 0,
            rows: 0,
        })
    }

    /// Adds a row, its values in the order of the schema's columns.
    pub fn add(&mut self, cells: Vec<Cell>) -> Result<()> {
        if self.columns.is_empty() {
            let column = |cell: &Cell| match cell {
                Cell::Text(_) => Column::Text(Vec::new()),
                Cell::Number(_) => Column::Number(Vec::new()),
                Cell::Real(_) => Column::Real(Vec::new()),
            };
            self.columns = cells.iter().map(column).collect();
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (column, cell) {
                (Column::Text(values), Cell::Text(text)) => {
                    values.push(text.map(|text| text.into_bytes().into()));
                }
                (Column::Number(values), Cell::Number(number)) => {
                    values.push(number.map(u64::cast_signed));
                }
                (Column::Real(values), Cell::Real(number)) => values.push(number),
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
                Column::Real(values) => {
                    let (present, levels) = split(values, optional);
                    let writer = writer.typed::<DoubleType>();
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
