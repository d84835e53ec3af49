//! The profile as firmware prints it on the UART, and as the golden model would have.
//!
//! Between a first and a last line, the registers and the table's entries in use, one line each, as hexadecimal
//! words without leading zeros:
//!
//! ```text
//! HPP profile begins
//! geometry 20200407 8080300 ...         GEOMETRY0, GEOMETRY1, GEOMETRY2
//! ppcr 6aa6add1 10                      PPCR_ROWS, PPCR_MODE
//! errors 0                              ERRORS
//! counters 5f3 0 1c2 0 ...              the 64-bit counters, low word first
//! entry 1f 2c4 5 3 a0                   number, then the words of TABLE_DATA
//! HPP profile ends 1 c0ffee11           number of entries, CRC-32 of the lines between
//! ```

use crate::config::{Geometry, GeometryError, IndexScheme, LookupScheme};
use crate::path::PathDescriptor;
use crate::profiler::{ExactProfile, IllegalRow, Ppcr, Profiler, TableEntry, geometry_words};
use crate::registers::{Counter, geometry0, geometry1, geometry2};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

const BEGIN: &str = "HPP profile begins";
const END: &str = "HPP profile ends";

/// A profile that was read over the bus and printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printout {
    /// Registers `GEOMETRY0` to `GEOMETRY2`.
    pub geometry: [u32; 3],
    /// Registers `PPCR_ROWS` and `PPCR_MODE`.
    pub ppcr: [u32; 2],
    /// Register `ERRORS`.
    pub errors: u32,
    /// The statistics counters, in the order of [`Counter::ALL`].
    pub counters: [u64; Counter::COUNT],
    /// The entries in use, by number.
    pub entries: BTreeMap<u32, TableEntry>,
}

/// Why a UART's text holds no profile that can be trusted. Lines are counted from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PrintoutError {
    /// No first line.
    #[error(
        "the text has no line `{BEGIN}`: did the firmware find a profiler on the bus, and did the program end?"
    )]
    Missing,
    /// No last line.
    #[error("the profile breaks off after line {line}: wait for the line that starts with `{END}`")]
    Truncated {
        /// Last line there is.
        line: usize,
    },
    /// A line that is not as the firmware prints it.
    #[error("line {line}: `{text}` should be {expected}; was the text damaged on its way?")]
    Malformed {
        /// Which line.
        line: usize,
        /// What it says.
        text: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The CRC or the number of entries is not that of the lines.
    #[error(
        "the lines come to {found}, the last line says {printed} (entries and CRC-32): the text was damaged on its way, \
         print it again"
    )]
    Damaged {
        /// Computed.
        found: String,
        /// Printed.
        printed: String,
    },
}

impl Printout {
    /// What the profiler would print now.
    #[must_use]
    pub fn of(profiler: &Profiler) -> Self {
        let ppcr = profiler.registers().ppcr();
        Self {
            geometry: geometry_words(profiler.geometry()),
            ppcr: [ppcr.rows.to_word(), ppcr.mode_word()],
            errors: profiler.registers().errors(),
            counters: profiler.counters().values(),
            entries: profiler
                .table()
                .entries()
                .map(|(number, entry)| (number as u32, entry))
                .collect(),
        }
    }

    /// Finds and reads the profile in what a UART printed.
    ///
    /// # Errors
    ///
    /// See [`PrintoutError`].
    pub fn read(uart: &str) -> Result<Self, PrintoutError> {
        Reader::new(uart)?.printout()
    }

    /// The profile the table holds.
    #[must_use]
    pub fn profile(&self) -> ExactProfile {
        self.entries.values().copied().collect()
    }

    /// The entries, hottest first, equals by descriptor.
    #[must_use]
    pub fn hottest(&self) -> Vec<TableEntry> {
        let mut entries: Vec<_> = self.entries.values().copied().collect();
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.count), entry.descriptor));
        entries
    }

    /// The sizes of the profiler that printed it.
    ///
    /// # Errors
    ///
    /// If the geometry registers hold sizes that no profiler has.
    pub fn sizes(&self) -> Result<Geometry, GeometryError> {
        let [sizes, detector, table] = self.geometry;
        let geometry = Geometry {
            sets: 1 << geometry0::LOG2_SETS.get(sizes).min(31),
            ways: geometry0::WAYS.get(sizes),
            max_branches: geometry0::MAX_BRANCHES.get(sizes),
            pc_bits: geometry0::PC_BITS.get(sizes),
            stack_depth: geometry1::STACK_DEPTH.get(detector) + 1,
            queue_depth: geometry1::QUEUE_DEPTH.get(detector) + 1,
            event_bits: geometry1::EVENT_BITS.get(detector),
            event_counter_bits: geometry1::EVENT_COUNTER_BITS.get(detector),
            accumulator_bits: geometry2::ACCUMULATOR_BITS.get(table),
            counter_bits: geometry2::COUNTER_BITS.get(table),
            extension_bits: geometry2::EXTENSION_BITS.get(table),
            align: geometry2::ALIGN.get(table),
            index_scheme: match geometry2::INDEX_SCHEME.get(table) {
                0 => IndexScheme::Full,
                _ => IndexScheme::Start,
            },
            lookup: match geometry2::LOOKUP.get(table) {
                0 => LookupScheme::Parallel,
                _ => LookupScheme::Serial,
            },
        };
        geometry.validate()?;
        Ok(geometry)
    }

    /// The control register in force.
    ///
    /// # Errors
    ///
    /// If `PPCR_ROWS` holds a row that the hardware refuses.
    pub fn control(&self, geometry: &Geometry) -> Result<Ppcr, IllegalRow> {
        let mut ppcr = Ppcr::ball_larus();
        ppcr.rows.write(self.ppcr[0])?;
        ppcr.write_mode(self.ppcr[1], geometry);
        Ok(ppcr)
    }

    /// Most branches a path records.
    #[must_use]
    pub fn max_branches(&self) -> u32 {
        geometry0::MAX_BRANCHES.get(self.geometry[0])
    }

    /// The words of an entry as TABLE_DATA gives them.
    fn words(&self, entry: &TableEntry) -> Vec<u32> {
        let TableEntry { descriptor, count } = *entry;
        let mut words = vec![descriptor.start as u32];
        if geometry0::PC_BITS.get(self.geometry[0]) > 32 {
            words.push((descriptor.start >> 32) as u32);
        }
        words.push(descriptor.outcomes as u32);
        if self.max_branches() > 32 {
            words.push((descriptor.outcomes >> 32) as u32);
        }
        words.extend([descriptor.length, count]);
        words
    }

    /// The lines between the first and the last.
    fn body(&self) -> String {
        let line = |name: &str, words: &[u32]| {
            let words: String = words.iter().map(|word| format!(" {word:x}")).collect();
            format!("{name}{words}\n")
        };
        let counters: Vec<u32> = self
            .counters
            .iter()
            .flat_map(|&value| [value as u32, (value >> 32) as u32])
            .collect();
        let mut body = line("geometry", &self.geometry)
            + &line("ppcr", &self.ppcr)
            + &line("errors", &[self.errors])
            + &line("counters", &counters);
        for (number, entry) in &self.entries {
            body += &line("entry", &[&[*number][..], &self.words(entry)].concat());
        }
        body
    }
}

impl fmt::Display for Printout {
    /// The text the firmware prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body();
        let crc = crc32fast::hash(body.as_bytes());
        writeln!(f, "{BEGIN}\n{body}{END} {:x} {crc:x}", self.entries.len())
    }
}

/// Goes through the lines of a profile.
struct Reader<'a> {
    lines: Vec<&'a str>,
    /// Index of the next line.
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(uart: &'a str) -> Result<Self, PrintoutError> {
        let lines: Vec<&str> = uart
            .lines()
            .map(|line| line.trim_end_matches('\r'))
            .collect();
        let begin = lines
            .iter()
            .position(|&line| line == BEGIN)
            .ok_or(PrintoutError::Missing)?;
        Ok(Self {
            lines,
            at: begin + 1,
        })
    }

    fn printout(mut self) -> Result<Printout, PrintoutError> {
        let first = self.at;
        let geometry = self.fixed("geometry", "`geometry` and 3 words")?;
        let mut printout = Printout {
            geometry,
            ppcr: self.fixed("ppcr", "`ppcr` and 2 words")?,
            errors: self.fixed::<1>("errors", "`errors` and a word")?[0],
            counters: join(self.fixed("counters", "`counters` and 16 words")?),
            entries: BTreeMap::new(),
        };
        while self.line()?.starts_with("entry") {
            let words = self.words("entry", "`entry` and hexadecimal words")?;
            let (number, entry) = entry(&printout, &words)
                .ok_or_else(|| self.malformed("a number and as many words as GEOMETRY2 says"))?;
            printout.entries.insert(number, entry);
            self.at += 1;
        }
        let body = self.lines[first..self.at]
            .iter()
            .flat_map(|line| [line, "\n"]);
        let crc = crc32fast::hash(body.collect::<String>().as_bytes());
        let [entries, printed] = self.fixed(END, "the last line, with two words")?;
        let found = (self.at - first - 5) as u32;
        if (entries, printed) != (found, crc) {
            return Err(PrintoutError::Damaged {
                found: format!("{found:x} {crc:x}"),
                printed: format!("{entries:x} {printed:x}"),
            });
        }
        Ok(printout)
    }

    fn line(&self) -> Result<&'a str, PrintoutError> {
        let line = self.lines.len();
        self.lines
            .get(self.at)
            .copied()
            .ok_or(PrintoutError::Truncated { line })
    }

    /// The words of the current line, which starts with `name`.
    fn words(&self, name: &str, expected: &'static str) -> Result<Vec<u32>, PrintoutError> {
        self.line()?
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '))
            .and_then(|rest| {
                rest.split(' ')
                    .map(|word| u32::from_str_radix(word, 16).ok())
                    .collect()
            })
            .ok_or_else(|| self.malformed(expected))
    }

    /// The `N` words of the current line; goes on to the next.
    fn fixed<const N: usize>(
        &mut self,
        name: &str,
        expected: &'static str,
    ) -> Result<[u32; N], PrintoutError> {
        let words = self.words(name, expected)?;
        let words = words.try_into().map_err(|_| self.malformed(expected))?;
        self.at += 1;
        Ok(words)
    }

    fn malformed(&self, expected: &'static str) -> PrintoutError {
        PrintoutError::Malformed {
            line: self.at + 1,
            text: self.lines[self.at].into(),
            expected,
        }
    }
}

/// Low and high words to 64-bit values.
fn join(words: [u32; 2 * Counter::COUNT]) -> [u64; Counter::COUNT] {
    std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
}

/// The number and the entry of an `entry` line; `None` if it has another number of words.
fn entry(printout: &Printout, words: &[u32]) -> Option<(u32, TableEntry)> {
    let (&number, words) = words.split_first()?;
    if words.len() != geometry2::ENTRY_WORDS.get(printout.geometry[2]) as usize {
        return None;
    }
    let mut words = words.iter().copied();
    let mut next = |double| {
        let low = u64::from(words.next()?);
        let high = if double { u64::from(words.next()?) } else { 0 };
        Some(low | high << 32)
    };
    let start = next(geometry0::PC_BITS.get(printout.geometry[0]) > 32)?;
    let outcomes = next(printout.max_branches() > 32)?;
    let length = next(false)? as u32;
    let count = next(false)? as u32;
    let descriptor = PathDescriptor {
        start,
        length,
        outcomes,
    };
    Some((number, TableEntry { descriptor, count }))
}
