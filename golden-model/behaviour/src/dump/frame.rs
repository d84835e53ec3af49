//! The dumps of a log: where each begins and ends, and whether its lines are intact.

use super::content::{Line, content};
use super::text::{OLD_BEGIN, OLD_END, VERSION, check};
use super::{Dump, DumpError};
use std::collections::BTreeMap;

/// The lines of one dump in a log, first and last included as far as they are there.
pub(super) struct Frame<'a> {
    /// The line of the log it begins on, from 1.
    pub(super) line: usize,
    version: Version<'a>,
    /// Whether the first line has a prefix, such as a time. Every line may then have one.
    prefixed: bool,
    lines: Vec<Line<'a>>,
    /// Whether the last of the lines is the dump's last line.
    ended: bool,
}

/// Which text a first line announces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version<'a> {
    Old,
    Current,
    Unknown(&'a str),
}

impl<'a> Version<'a> {
    /// The text that this first line announces. A prompt or a time may stand before it.
    fn of(line: &'a str) -> Option<Self> {
        if line.ends_with(OLD_BEGIN) {
            return Some(Self::Old);
        }
        let (_, announced) = line.strip_suffix(" begins")?.rsplit_once("HPP dump ")?;
        Some(match announced.parse() {
            Ok(VERSION) => Self::Current,
            _ => Self::Unknown(announced),
        })
    }

    fn ends(self, line: &str) -> bool {
        match self {
            Self::Old => line.starts_with(OLD_END),
            Self::Current => is_checked(line) && line.starts_with(&last_line()),
            Self::Unknown(_) => false,
        }
    }
}

fn last_line() -> String {
    format!("HPP dump {VERSION} ends ")
}

/// The text before a line's check, and the check, if it has one.
fn split_check(line: &str) -> Option<(&str, u32)> {
    let (text, digits) = line.rsplit_once(" *")?;
    Some((text, u32::from_str_radix(digits, 16).ok()?))
}

fn is_checked(line: &str) -> bool {
    split_check(line).is_some_and(|(text, printed)| check(text) == printed)
}

/// The most bytes that may stand before a line's text.
const LONGEST_PREFIX: usize = 64;

/// A line without its prefix: the text begins where its check is right. If it is right nowhere, the line stays as it is.
fn without_prefix(line: &str) -> &str {
    let starts = line.char_indices().map(|(at, _)| at);
    let mut parts = starts
        .take_while(|&at| at <= LONGEST_PREFIX)
        .map(|at| &line[at..]);
    parts.find(|part| is_checked(part)).unwrap_or(line)
}

/// Cuts a log into its dumps. A dump reaches to its last line, or to where another begins.
pub(super) fn frames(log: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for (line, text) in (1..).zip(log.lines()) {
        let text = text.trim_end_matches('\r');
        if let Some(version) = Version::of(text) {
            frames.push(Frame {
                line,
                version,
                prefixed: !text.starts_with("HPP "),
                lines: Vec::new(),
                ended: false,
            });
        } else if let Some(frame) = frames.last_mut().filter(|frame| !frame.ended) {
            let text = match frame.prefixed {
                true => without_prefix(text),
                false => text,
            };
            frame.lines.push(Line { line, text });
            frame.ended = frame.version.ends(text);
        }
    }
    frames
}

impl<'a> Frame<'a> {
    pub(super) fn dump(&self) -> Result<Dump, DumpError> {
        let line = self.line;
        match self.version {
            Version::Unknown(version) => Err(DumpError::Version {
                line,
                version: version.into(),
            }),
            Version::Old => self.old(),
            Version::Current => self.current(),
        }
    }

    fn truncated(&self) -> DumpError {
        let line = self.lines.last().map_or(self.line, |line| line.line);
        DumpError::Truncated { line }
    }

    /// Version 1: one CRC-32 over the lines between the first and the last.
    fn old(&self) -> Result<Dump, DumpError> {
        let Some((last, between)) = self.lines.split_last().filter(|_| self.ended) else {
            return match content(self.line, &self.lines, false) {
                Err(DumpError::Malformed {
                    line,
                    text,
                    expected,
                }) if !text.is_empty() => Err(DumpError::Malformed {
                    line,
                    text,
                    expected,
                }),
                _ => Err(self.truncated()),
            };
        };
        let dump = content(self.line, between, false);
        // Damage is best reported at the first line that cannot be read.
        if let Err(error @ DumpError::Malformed { .. }) = dump {
            return Err(error);
        }
        let words = last.words(OLD_END);
        let Some([entries, printed]) = words.as_deref() else {
            return Err(last.malformed("the last line, with two words"));
        };
        let text = between.iter().flat_map(|line| [line.text, "\n"]);
        let crc = check(&text.collect::<String>());
        let found = (between.len() as u32).saturating_sub(4);
        if (*entries, *printed) != (found, crc) {
            return Err(DumpError::Damaged {
                line: last.line,
                found: format!("{found:x} entries and CRC-32 {crc:x}"),
                printed: format!("{entries:x} entries and CRC-32 {printed:x}"),
            });
        }
        dump
    }

    /// Version 2: numbered lines, each with a check. Lines that are not the dump's are passed over.
    fn current(&self) -> Result<Dump, DumpError> {
        let (mut lines, mut damaged) = (BTreeMap::new(), Vec::new());
        let mut sum = 0u32;
        for line in &self.lines {
            match split_check(line.text) {
                Some((text, printed)) if check(text) == printed => {
                    let Some((number, text)) = numbered(text) else {
                        continue;
                    };
                    sum = sum.wrapping_add(printed);
                    let line = Line {
                        line: line.line,
                        text,
                    };
                    if lines.insert(number, line).is_some() {
                        return Err(line.malformed("a line with a number of its own"));
                    }
                }
                // A shell's text between has no check; a damaged line has lost its own, or has a wrong one.
                _ => damaged.extend(looks_like_ours(line.text).then_some(line.line)),
            }
        }
        let Some(last) = self.lines.last().filter(|_| self.ended) else {
            return Err(self.truncated());
        };
        let (text, _) = split_check(last.text).expect("a last line has its check");
        let last = Line {
            line: last.line,
            text,
        };
        let words = last.words(last_line().trim_end());
        let Some(&[count, printed]) = words.as_deref() else {
            return Err(last.malformed("the last line, with two words"));
        };
        // The sum of the checks distinguishes lines of two dumps.
        if sum == printed
            && lines.len() as u64 == u64::from(count)
            && lines.keys().copied().eq(0..count)
        {
            let lines: Vec<_> = lines.into_values().collect();
            return content(self.line, &lines, true);
        }
        let missing: Vec<u32> = (0..count)
            .filter(|number| !lines.contains_key(number))
            .collect();
        if missing.is_empty() {
            return Err(DumpError::Damaged {
                line: last.line,
                found: format!("{:x} lines and sum {sum:x}", lines.len()),
                printed: format!("{count:x} lines and sum {printed:x}"),
            });
        }
        Err(DumpError::Lost {
            lines: count,
            missing,
            damaged,
        })
    }
}

/// The number before a line.
fn numbered(text: &str) -> Option<(u32, &str)> {
    let (number, text) = text.split_once(' ')?;
    Some((u32::from_str_radix(number, 16).ok()?, text))
}

/// Whether a line was one of a dump before it was damaged: most of its words are hexadecimal.
fn looks_like_ours(text: &str) -> bool {
    let is_word = |word: &&str| {
        let digits = word.trim_start_matches('*');
        u32::from_str_radix(digits, 16).is_ok()
    };
    let all = text.split(' ').count();
    all >= 3 && 2 * text.split(' ').filter(is_word).count() >= all
}
