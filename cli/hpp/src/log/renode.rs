//! The binary form of Renode's `ExecutionTracer`, as lines of text.
//!
//! | part | bytes |
//! | --- | --- |
//! | `ReTrace`, and a version: 2 or 4 | 8 |
//! | bytes of an address, W; whether there are words | 2 |
//! | with words: whether the core changes instruction sets, and its name after the name's length | 2, name |
//! | each instruction: address, the word after its length, and what it accessed, each after its kind, up to a 0 | W, 1, word, .. |
//!
//! Numbers are little-endian. Source: `execution_tracer_reader.py`, `TraceBinaryWriter.cs` and `execution-tracing.robot` of Renode (2022 to 2026).

use std::io::{self, BufRead, ErrorKind, Read};

/// The magic at the beginning of the file.
pub const SIGNATURE: &[u8] = b"ReTrace";

/// A binary trace, read as the text of its instructions.
pub struct Text<R> {
    input: R,
    /// Bytes of an address.
    width: usize,
    has_words: bool,
    /// Bytes of a memory access.
    access: usize,
    line: Vec<u8>,
    taken: usize,
}

fn refused(what: String) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, what)
}

impl<R: BufRead> Text<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> io::Result<Self> {
        let cut = |_| {
            let what = "a trace of Renode that ends within its first bytes; remedy: record again";
            refused(what.into())
        };
        let mut header = [0; 10];
        input.read_exact(&mut header).map_err(cut)?;
        let [.., version, width, has_words] = header;
        let access = match version {
            2 => 9,
            4 => 25,
            _ => {
                return Err(refused(format!(
                    "a trace of Renode of version {version}, and those known are 2 and 4; remedy: trace as text"
                )));
            }
        };
        if has_words != 0 {
            let [_, length] = bytes(&mut input).map_err(cut)?;
            let mut name = vec![0; length.into()];
            input.read_exact(&mut name).map_err(cut)?;
            if !name.starts_with(b"riscv") {
                let name = String::from_utf8_lossy(&name);
                return Err(refused(format!(
                    "a trace of Renode of a core that is no RISC-V: {name:?}; remedy: trace another"
                )));
            }
        }
        match width {
            4 | 8 => Ok(Self {
                input,
                width: width.into(),
                has_words: has_words != 0,
                access,
                line: Vec::new(),
                taken: 0,
            }),
            _ => Err(refused(format!(
                "a trace of Renode with addresses of {width} bytes, and those known are 4 and 8; remedy: trace PCAndOpcode or PC"
            ))),
        }
    }

    /// Makes the line of the next instruction; an empty one after the last.
    fn next(&mut self) -> io::Result<()> {
        self.line.clear();
        self.taken = 0;
        if self.input.fill_buf()?.is_empty() {
            return Ok(());
        }
        let mut line = b"renode ".to_vec();
        self.number(self.width, &mut line)?;
        if self.has_words {
            line.push(b' ');
            let [length] = bytes(&mut self.input)?;
            self.number(length.into(), &mut line)?;
        }
        loop {
            let [kind] = bytes(&mut self.input)?;
            let length = match kind {
                0 => break,
                1 => self.access,
                2 => 16,
                // Of an atomic operation: when, the width, which, and four values of that width.
                3 => {
                    let [_, width, _] = bytes(&mut self.input)?;
                    4 << width.min(4)
                }
                _ => {
                    let what = format!("an access of the unknown kind {kind}");
                    return Err(io::Error::new(ErrorKind::InvalidData, what));
                }
            };
            for _ in 0..length {
                let [_] = bytes(&mut self.input)?;
            }
        }
        line.push(b'\n');
        self.line = line;
        Ok(())
    }

    /// A number of so many bytes, as hexadecimal digits.
    fn number(&mut self, length: usize, line: &mut Vec<u8>) -> io::Result<()> {
        let mut number = [0; 16];
        let Some(number) = number.get_mut(..length) else {
            let what = format!("a word of {length} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, what));
        };
        self.input.read_exact(number)?;
        let digits = number.iter().rev().flat_map(|byte| [byte >> 4, byte & 15]);
        line.extend(digits.map(|digit| b"0123456789abcdef"[usize::from(digit)]));
        Ok(())
    }
}

fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.line.len() {
            self.next()?;
        }
        Ok(&self.line[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let amount = from.len().min(to.len());
        to[..amount].copy_from_slice(&from[..amount]);
        self.consume(amount);
        Ok(amount)
    }
}
