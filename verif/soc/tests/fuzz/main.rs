//! Every parser on the seeds and the kept corpus of its fuzzing.
//!
//! A [`Target`](targets::Target) takes any bytes as the input of one parser and uses the result. It panics if a property fails: what is read must be
//! written and read back the same, and two ways to one result must agree. No bytes may cause a panic, an endless loop or a flood of memory.
//!
//! ```text
//!   seeds, kept corpus --> working corpus --> engine (libFuzzer) --> new inputs, crashes
//!            ^                                                            |
//!            └────────────────── the least that reaches as much ──────────┘
//! ```
//!
//! `make fuzz` runs the engine. A kept corpus is a file for each target, with a line for each input, in which everything but printable ASCII is escaped.

mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use targets::TARGETS;

/// Where the inputs of a target are kept.
fn kept_file(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    folder.join(target).with_extension("txt")
}

/// The bytes that `escape_ascii` wrote; `None` if it writes no such escape.
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

#[test]
fn an_escaped_input_is_read_back() {
    let read = unescape(r"a -> b\n\xff\\");
    assert_eq!(read.as_deref(), Some(&b"a -> b\n\xff\\"[..]));
    assert_eq!(unescape(r"\x1"), None);
}

#[test]
fn stored_inputs_do_no_harm() {
    for target in TARGETS {
        let file = kept_file(target.name);
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let wrong = |line| panic!("{}:{line}: not an escaped input", file.display());
        let kept = (1..).zip(text.lines());
        let kept = kept.map(|(line, text)| unescape(text).unwrap_or_else(|| wrong(line)));
        let kept: Vec<_> = kept.collect();
        assert!(!kept.is_empty(), "nothing is kept for {}", target.name);
        for input in (target.seeds)().iter().chain(&kept) {
            println!("{}: {}", target.name, input.escape_ascii());
            (target.run)(input);
        }
    }
}

/// A kept file of a target that is gone would never be run.
#[test]
fn every_kept_file_is_a_targets() {
    let files: BTreeSet<_> = TARGETS.iter().map(|t| kept_file(t.name)).collect();
    let folder = kept_file("any");
    let folder = folder.parent().expect("a file is in a folder");
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let there: BTreeSet<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert_eq!(there, files);
}
