//! Parquet files, row by row.

use std::fs::File;
use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
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

pub struct Table {
    writer: SerializedFileWriter<File>,
    kept: Vec<Vec<Cell>>,
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
            kept: Vec::new(),
            rows: 0,
        })
    }

    /// Adds a row, its values in the order of the schema's columns.
    pub fn add(&mut self, cells: Vec<Cell>) -> Result<()> {
        self.kept.push(cells);
        match self.kept.len() {
            GROUP => self.group(),
            _ => Ok(()),
        }
    }

    /// Writes what is kept.
    fn group(&mut self) -> Result<()> {
        let kept = std::mem::take(&mut self.kept);
        let mut group = self.writer.next_row_group()?;
        let mut place = 0;
        while let Some(writer) = group.next_column()? {
            let column = kept.iter().map(|row| &row[place]);
            match &kept[0][place] {
                Cell::Text(_) => write::<ByteArrayType>(writer, column, |cell| match cell {
                    Cell::Text(text) => text.as_deref().map(ByteArray::from),
                    _ => None,
                })?,
                Cell::Number(_) => write::<Int64Type>(writer, column, |cell| match cell {
                    Cell::Number(number) => number.map(u64::cast_signed),
                    _ => None,
                })?,
                Cell::Real(_) => write::<DoubleType>(writer, column, |cell| match cell {
                    Cell::Real(number) => *number,
                    _ => None,
                })?,
            }
            place += 1;
        }
        group.close()?;
        self.rows += kept.len() as u64;
        Ok(())
    }

    /// Writes the rest and the file's end; how many rows there are.
    pub fn finish(mut self) -> Result<u64> {
        if !self.kept.is_empty() {
            self.group()?;
        }
        self.writer.close()?;
        Ok(self.rows)
    }
}

/// Writes a column; where it is optional, which values are there.
fn write<'a, T: DataType>(
    mut writer: SerializedColumnWriter<'_>,
    column: impl Iterator<Item = &'a Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<()> {
    let values: Vec<Option<T::T>> = column.map(value).collect();
    let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
    let present: Vec<T::T> = values.into_iter().flatten().collect();
    // A column that is required has no levels: its writer passes over those that are given.
    writer
        .typed::<T>()
        .write_batch(&present, Some(&levels), None)?;
    Ok(writer.close()?)
}
