//! Kept inputs: a file for each target, a line for each input, with everything but printable ASCII escaped.
//!
//! ```
//! use hpp_fuzz::corpus;
//! let inputs = [b"a -> b\n".to_vec(), vec![0xff, b'\\']];
//! assert_eq!(corpus::write(&inputs), "\\xff\\\\\na -> b\\n\n");
//! assert_eq!(corpus::read("a -> b\\n\n")?, [b"a -> b\n"]);
//! # Ok::<(), corpus::LineError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

/// A line that is no escaped input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        write!(
            f,
            "line {line}: an escape is none of \\n, \\r, \\t, \\', \\\", \\\\ and \\xHH"
        )
    }
}

impl std::error::Error for LineError {}

/// Where the inputs of a target are kept.
pub fn file(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target)
        .with_extension("txt")
}

/// The text of these inputs, the shortest first.
pub fn write(inputs: &[Vec<u8>]) -> String {
    let mut sorted: Vec<_> = inputs.iter().collect();
    sorted.sort_by_key(|input| (input.len(), *input));
    let line = |input: &Vec<u8>| format!("{}\n", input.escape_ascii());
    sorted.into_iter().map(line).collect()
}

/// The first inputs whose text is no longer than `bytes`.
pub fn within(inputs: &[Vec<u8>], bytes: usize) -> &[Vec<u8>] {
    let mut left = bytes;
    let fits = |input: &Vec<u8>| {
        let length = input.escape_ascii().count() + 1;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    };
    let count = inputs.iter().map(fits).take_while(|fits| *fits).count();
    &inputs[..count]
}

/// The inputs of a text.
///
/// # Errors
///
/// The first line that [`write()`] cannot have written.
pub fn read(text: &str) -> Result<Vec<Vec<u8>>, LineError> {
    let line = |(line, text): (usize, &str)| unescape(text).ok_or(LineError { line });
    (1..).zip(text.lines()).map(line).collect()
}

/// The bytes that `escape_ascii` wrote.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let mut digit = || char::from(bytes.next()?).to_digit(16);
                    let (high, low) = (digit()?, digit()?);
                    (high << 4 | low) as u8
                }
                plain @ (b'\'' | b'"' | b'\\') => plain,
                _ => return None,
            },
            plain => plain,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_back() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        let inputs = vec![vec![], all];
        assert_eq!(read(&write(&inputs)), Ok(inputs));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let inputs = [b"ab".to_vec(), b"\n".to_vec(), b"c".to_vec()];
        assert_eq!(within(&inputs, 6), &inputs[..2]);
        assert_eq!(within(&inputs, 5), &inputs[..1]);
        assert_eq!(write(within(&inputs, 8)).len(), 8);
    }

    #[test]
    fn a_wrong_escape_is_placed() {
        for text in ["ok\n\\", "ok\n\\x1", "ok\n\\q"] {
            assert_eq!(read(text), Err(LineError { line: 2 }));
        }
    }
}
