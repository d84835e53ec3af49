//! Reading a trace.

use std::io::{self, Read};

use hpp_golden::branch::BranchRecord;

use crate::trace::codec::{self, END, RECORDS};
use crate::trace::{CHUNK, Ending, Header, MAGIC, Predictor, TraceError, VERSION};

/// Most bytes of a header: commands are shorter.
const LONGEST_HEADER: u32 = 1 << 24;

/// Most bytes of a chunk before compression: a record's definition and number take less than 48 bytes.
const LONGEST_CHUNK: u64 = 48 * CHUNK as u64 + 4096;

/// The records by number, and the numbers of a chunk's records.
pub type Chunk<'a> = (&'a [BranchRecord], &'a [u32]);

/// Reads a trace, chunk by chunk.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    header: Header,
    definitions: Vec<BranchRecord>,
    numbers: Vec<u32>,
    predictor: Predictor,
    chunk: usize,
    read: u64,
    ending: Option<Ending>,
}

impl<R: Read> TraceReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If it is no trace of this version.
    pub fn new(mut input: R) -> Result<Self, TraceError> {
        if next(&mut input)? != Some(MAGIC) {
            return Err(TraceError::NotATrace);
        }
        let cut = TraceError::Cut {
            chunk: 0,
            records: 0,
        };
        let Some(version) = word(&mut input)? else {
            return Err(cut);
        };
        if version != VERSION {
            return Err(TraceError::Version(version));
        }
        let mut header = Vec::new();
        let length = word(&mut input)?.unwrap_or(u32::MAX).min(LONGEST_HEADER);
        input
            .by_ref()
            .take(length.into())
            .read_to_end(&mut header)?;
        if header.len() < length as usize {
            return Err(cut);
        }
        Ok(Self {
            input,
            header: serde_json::from_slice(&header)?,
            definitions: Vec::new(),
            numbers: Vec::new(),
            predictor: Predictor::new(),
            chunk: 0,
            read: 0,
            ending: None,
        })
    }

    /// What the trace says of the program.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The records by number, those of the chunks read so far.
    pub fn records(&self) -> &[BranchRecord] {
        &self.definitions
    }

    /// How the run ended, once the last chunk was read.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The records defined so far, and the numbers of those of the next chunk; `None` after the last.
    ///
    /// # Errors
    ///
    /// If the chunk is not whole.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'_>>, TraceError> {
        if self.ending.is_some() {
            return Ok(None);
        }
        let chunk = self.frame()?;
        match self.decode(&chunk) {
            Err(what) => Err(self.damaged(what)),
            Ok(true) => {
                self.chunk += 1;
                self.read += self.numbers.len() as u64;
                Ok(Some((&self.definitions, &self.numbers)))
            }
            Ok(false) => match next::<1>(&mut self.input)? {
                None => Ok(None),
                Some(_) => Err(self.damaged("the file goes on after the trace's end".into())),
            },
        }
    }

    fn damaged(&self, what: String) -> TraceError {
        TraceError::Damaged {
            chunk: self.chunk,
            records: self.read,
            what,
        }
    }

    /// The next chunk's bytes, decompressed.
    fn frame(&mut self) -> Result<Vec<u8>, TraceError> {
        let cut = TraceError::Cut {
            chunk: self.chunk,
            records: self.read,
        };
        let Some(length) = word(&mut self.input)? else {
            return Err(cut);
        };
        let mut frame = Vec::new();
        let mut part = self.input.by_ref().take(length.into());
        part.read_to_end(&mut frame)?;
        if frame.len() < length as usize {
            return Err(cut);
        }
        let mut chunk = Vec::new();
        let decoder = zstd::stream::Decoder::with_buffer(frame.as_slice());
        decoder
            .and_then(|decoder| decoder.take(LONGEST_CHUNK).read_to_end(&mut chunk))
            .map_err(|error| self.damaged(error.to_string()))?;
        Ok(chunk)
    }

    /// Takes a chunk apart. Whether it holds records; the end holds none.
    fn decode(&mut self, chunk: &[u8]) -> Result<bool, String> {
        match chunk.split_first() {
            Some((&RECORDS, rest)) => self.decode_records(rest).map(|()| true),
            Some((&END, rest)) => self.decode_end(rest).map(|()| false),
            _ => Err("it is of no kind that is known".into()),
        }
    }

    fn decode_records(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let short = || String::from("it is shorter than what it holds");
        let defined = codec::take(&mut bytes).ok_or_else(short)?;
        for _ in 0..defined {
            let before = self.definitions.last().map_or(0, |record| record.next);
            let record = codec::take_record(&mut bytes, before);
            self.definitions
                .push(record.ok_or("a definition is no branch record")?);
        }
        let count = codec::take(&mut bytes).ok_or_else(short)? as usize;
        if count > CHUNK {
            return Err(format!("it holds {count} records; allowed: {CHUNK}"));
        }
        self.numbers.clear();
        while self.numbers.len() < count {
            let left = count - self.numbers.len();
            // After the last number that was not guessed, all are.
            let guessed = match bytes.is_empty() {
                true => left,
                false => codec::take(&mut bytes).ok_or_else(short)? as usize,
            };
            if guessed > left || (guessed == left && !bytes.is_empty()) {
                return Err("it holds more records than it says".into());
            }
            for _ in 0..guessed {
                let number = self.predictor.guess();
                self.push(number)?;
            }
            if guessed < left {
                let number = codec::take(&mut bytes).ok_or_else(short)?;
                self.push(u32::try_from(number).unwrap_or(u32::MAX))?;
            }
        }
        match bytes {
            [] => Ok(()),
            _ => Err("it holds more than it says".into()),
        }
    }

    #[inline]
    fn push(&mut self, number: u32) -> Result<(), String> {
        if number as usize >= self.definitions.len() {
            return Err(format!(
                "record {number} of {} is not defined",
                self.definitions.len()
            ));
        }
        self.predictor.guesses(number);
        self.numbers.push(number);
        Ok(())
    }

    fn decode_end(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let records = codec::take(&mut bytes).ok_or("it has no number of records")?;
        if records != self.read {
            return Err(format!("{records} were written, {} are there", self.read));
        }
        self.ending = Some(serde_json::from_slice(bytes).map_err(|error| error.to_string())?);
        Ok(())
    }
}

/// The next bytes; `None` if the input ends before they do.
fn next<const N: usize>(input: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match input.read_exact(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        read => read.map(|()| Some(bytes)),
    }
}

/// The next 32-bit word, low byte first.
fn word(input: &mut impl Read) -> io::Result<Option<u32>> {
    Ok(next(input)?.map(u32::from_le_bytes))
}
