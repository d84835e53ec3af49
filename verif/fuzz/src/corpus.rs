//! Kept inputs: a file for each target, a line for each input, with everything but printable ASCII escaped.
//!
//! ```
//! use hpp_fuzz::corpus;
//! let text = "a -> b\\n\n\\xff\\\\\n";
//! assert_eq!(corpus::read(text), Ok(vec![b"a -> b\n".to_vec(), vec![0xff, b'\\']]));
//! assert_eq!(corpus::read("ok\n\\x1"), Err(2));
//! ```

use std::path::{Path, PathBuf};

/// Where the inputs of a target are kept.
pub fn file(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target)
        .with_extension("txt")
}

/// The inputs of a text.
///
/// # Errors
///
/// The number of the first line with an escape other than `\n`, `\r`, `\t`, `\'`, `\"`, `\\` and `\xHH`.
pub fn read(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    let line = |(line, text): (usize, &str)| unescape(text).ok_or(line);
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
