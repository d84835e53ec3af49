//! Writing a trace.

use std::io::{Seek, SeekFrom, Write};

use hpp_golden::branch::BranchRecord;

use crate::trace::codec::{self, END, RECORDS};
use crate::trace::{CHUNK, Ending, Header, MAGIC, Numbering, Predictor, TraceError, VERSION};

/// How hard the compressor tries: what is left after the predictor is mostly short numbers, and speed counts.
const LEVEL: i32 = 1;

/// Writes a trace. A record takes constant time, and the compressor's for what the predictor did not guess. What writes fails if the output does.
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
    numbering: Numbering,
    /// How many of the records are in the chunks that were written.
    defined: usize,
    /// Where the record defined last falls through to.
    before: u64,
    /// Numbers of the chunk being filled.
    numbers: Vec<u32>,
    predictor: Predictor,
    records: u64,
}

impl<W: Write> TraceWriter<W> {
    /// A trace without records.
    pub fn new(mut out: W, header: &Header) -> Result<Self, TraceError> {
        let header = serde_json::to_vec(header)?;
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        Ok(Self {
            out,
            numbering: Numbering::new(),
            defined: 0,
            before: 0,
            numbers: Vec::with_capacity(CHUNK),
            predictor: Predictor::new(),
            records: 0,
        })
    }

    /// Adds a record.
    pub fn record(&mut self, record: &BranchRecord) -> Result<(), TraceError> {
        let number = self.numbering.number(record);
        self.push(number)
    }

    /// Adds records by numbers that the caller gave them: `records` are all that were numbered so far, of which earlier
    /// calls have seen a beginning.
    pub fn numbers(&mut self, records: &[BranchRecord], numbers: &[u32]) -> Result<(), TraceError> {
        for (index, record) in records
            .iter()
            .enumerate()
            .skip(self.numbering.records().len())
        {
            let number = self.numbering.number(record);
            assert_eq!(number as usize, index, "{record:?} has two numbers");
        }
        for &number in numbers {
            assert!((number as usize) < records.len(), "no record {number}");
            self.push(number)?;
        }
        Ok(())
    }

    fn push(&mut self, number: u32) -> Result<(), TraceError> {
        self.numbers.push(number);
        if self.numbers.len() == CHUNK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the chunk that is being filled.
    fn flush(&mut self) -> Result<(), TraceError> {
        // A chunk has an end to its length, and a caller of its own numbers may define any number of records at once.
        while self.numbering.records().len() - self.defined > CHUNK {
            let mut chunk = self.definitions();
            codec::put(&mut chunk, 0);
            self.chunk(&chunk)?;
        }
        let mut chunk = self.definitions();
        codec::put(&mut chunk, self.numbers.len() as u64);
        let mut guessed = 0;
        for &number in &self.numbers {
            if self.predictor.guesses(number) {
                guessed += 1;
            } else {
                codec::put(&mut chunk, guessed);
                codec::put(&mut chunk, u64::from(number));
                guessed = 0;
            }
        }
        self.records += self.numbers.len() as u64;
        self.numbers.clear();
        self.chunk(&chunk)
    }

    /// The beginning of a chunk: the records that are to be defined, at most as many as a chunk may hold.
    fn definitions(&mut self) -> Vec<u8> {
        let new = &self.numbering.records()[self.defined..];
        let new = &new[..new.len().min(CHUNK)];
        let mut chunk = vec![RECORDS];
        codec::put(&mut chunk, new.len() as u64);
        for record in new {
            codec::put_record(&mut chunk, self.before, record);
            self.before = record.next;
        }
        self.defined += new.len();
        chunk
    }

    fn chunk(&mut self, chunk: &[u8]) -> Result<(), TraceError> {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(chunk)?;
        let frame = encoder.finish()?;
        self.out.write_all(&(frame.len() as u32).to_le_bytes())?;
        self.out.write_all(&frame)?;
        Ok(())
    }

    /// How many records were added.
    pub const fn len(&self) -> u64 {
        self.records + self.numbers.len() as u64
    }

    /// Whether no record was added.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the end as if there were no more, and goes on before it: a run that stops without notice leaves a whole trace.
    pub fn checkpoint(&mut self, ending: &Ending) -> Result<(), TraceError>
    where
        W: Seek,
    {
        if !self.numbers.is_empty() {
            self.flush()?;
        }
        let end = self.out.stream_position()?;
        self.end(ending)?;
        self.out.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// What it writes to.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn end(&mut self, ending: &Ending) -> Result<(), TraceError> {
        let mut chunk = vec![END];
        codec::put(&mut chunk, self.records);
        chunk.extend(serde_json::to_vec(ending)?);
        self.chunk(&chunk)?;
        self.out.flush()?;
        Ok(())
    }

    /// Writes what is left and the end, without which a reader takes the trace for cut.
    pub fn finish(mut self, ending: &Ending) -> Result<W, TraceError> {
        if !self.numbers.is_empty() {
            self.flush()?;
        }
        self.end(ending)?;
        Ok(self.out)
    }
}
