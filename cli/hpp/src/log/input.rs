//! Lines of a file or a pipe, which may be compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use anyhow::{Result, bail};
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::renode::{SIGNATURE, Text};

/// Bytes that are read at once.
const ROOM: usize = 1 << 18;

/// Bytes of a line, at most; those after them are another line.
const LONGEST: u64 = 1 << 16;

/// The mark of UTF-8 at the beginning of a text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a file, or `-`, standard input.
///
/// # Errors
///
/// If it cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path)?),
    })
}

/// The content, decompressed if it begins like a file of gzip, xz or zstd. A binary trace of Renode becomes lines of text.
///
/// # Errors
///
/// If it cannot be read, or is a trace of Renode in a version that is not supported ([`ErrorKind::Unsupported`]).
pub fn decompressed(input: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut input = BufReader::with_capacity(ROOM, input);
    let beginning = input.fill_buf()?;
    let reader = |read: Box<dyn Read>| -> Box<dyn BufRead> {
        Box::new(BufReader::with_capacity(ROOM, read))
    };
    let mut input: Box<dyn BufRead> = match beginning {
        [0x1f, 0x8b, ..] => reader(Box::new(MultiGzDecoder::new(input))),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => reader(Box::new(XzReader::new(input, true))),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            reader(Box::new(zstd::stream::Decoder::with_buffer(input)?))
        }
        _ => Box::new(input),
    };
    Ok(match input.fill_buf() {
        Ok(beginning) if beginning.starts_with(SIGNATURE) => Box::new(Text::new(input)?),
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error),
        _ => input,
    })
}

/// The lines of a text of any length.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// The compressed file ends early.
    is_cut: bool,
}

impl<R: BufRead> Lines<R> {
    /// Before the first.
    pub const fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            number: 0,
            is_cut: false,
        }
    }

    /// The number of the last line, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// A note for the report if the compressed file was cut off.
    pub fn cut(&self) -> Option<String> {
        self.is_cut.then(|| {
            let line = self.number;
            format!("what comes after line {line}, where the file ends early")
        })
    }

    /// The next line, without its end.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a line is borrowed")]
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        if self.is_cut {
            return Ok(None);
        }
        self.line.clear();
        let mut part = self.input.by_ref().take(LONGEST);
        match part.read_until(b'\n', &mut self.line) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            // A run that was stopped leaves a file that is cut off. What can be decompressed counts.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.is_cut = true;
                return Ok(None);
            }
            Err(error) => {
                bail!(
                    "after line {}: the file is damaged ({error}); remedy: copy it again, or compress it anew",
                    self.number
                );
            }
        }
        self.number += 1;
        if self.number == 1 && self.line.starts_with(MARK) {
            self.line.drain(..MARK.len());
        }
        let end = self.line.trim_ascii_end().len();
        self.line.truncate(end);
        Ok(Some(&self.line))
    }
}
