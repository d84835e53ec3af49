//! The lines of a dump, and whether a profiler can hold what they say.

use super::text::UNKNOWN;
use super::{Drained, Dump, DumpError, Fault};
use crate::config::Geometry;
use crate::path::PathDescriptor;
use crate::profiler::TableEntry;
use crate::profiler::table::row_index;
use crate::registers::{Counter, geometry2};
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// Which line of the log, from 1.
    pub(super) line: usize,
    /// What it says, without number and check.
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn malformed(&self, expected: &'static str) -> DumpError {
        DumpError::Malformed {
            line: self.line,
            text: self.text.into(),
            expected,
        }
    }

    fn impossible(&self, fault: impl Into<Fault>) -> DumpError {
        DumpError::Impossible {
            line: self.line,
            fault: fault.into(),
        }
    }

    /// What stands after `name` and a blank.
    fn after(&self, name: &str) -> Option<&'a str> {
        self.text.strip_prefix(name)?.strip_prefix(' ')
    }

    /// The hexadecimal words after `name`.
    pub(super) fn words(&self, name: &str) -> Option<Vec<u32>> {
        let word = |word| u32::from_str_radix(word, 16).ok();
        self.after(name)?.split(' ').map(word).collect()
    }
}

struct Lines<'a, 'l> {
    lines: std::slice::Iter<'l, Line<'a>>,
    /// The line gone through last.
    last: Line<'a>,
}

impl<'a, 'l> Lines<'a, 'l> {
    /// The next line. After the last one it is an empty line, which is malformed in every place: so the error of a dump that is cut off names the
    /// line where it ends.
    fn next(&mut self) -> Line<'a> {
        let after = Line {
            line: self.last.line + 1,
            text: "",
        };
        self.last = self.lines.next().copied().unwrap_or(after);
        self.last
    }

    fn fixed<const N: usize>(
        &mut self,
        name: &str,
        expected: &'static str,
    ) -> Result<[u32; N], DumpError> {
        let line = self.next();
        let words = line.words(name).and_then(|words| words.try_into().ok());
        words.ok_or_else(|| line.malformed(expected))
    }

    /// `GEOMETRY0` to `GEOMETRY3`; the last is left out where it is 0.
    fn geometry(&mut self) -> Result<[u32; 4], DumpError> {
        let line = self.next();
        match line.words("geometry").as_deref() {
            Some(&[sizes, detector, table]) => Ok([sizes, detector, table, 0]),
            Some(&[sizes, detector, table, beyond]) => Ok([sizes, detector, table, beyond]),
            _ => Err(line.malformed("`geometry` and 3 or 4 words")),
        }
    }

    fn hash(&mut self, name: &str, expected: &'static str) -> Result<Option<String>, DumpError> {
        let line = self.next();
        let is_hash = |text: &&str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_hexdigit());
        match line.after(name) {
            Some(UNKNOWN) => Ok(None),
            Some(text) if is_hash(&text) => Ok(Some(text.to_ascii_lowercase())),
            _ => Err(line.malformed(expected)),
        }
    }
}

/// Reads the lines of a dump that begins on line `begin` of the log; `hashes` says whether those of configuration and program come first.
pub(super) fn content(begin: usize, lines: &[Line<'_>], hashes: bool) -> Result<Dump, DumpError> {
    let mut lines = Lines {
        lines: lines.iter(),
        last: Line {
            line: begin,
            text: "",
        },
    };
    let (mut configuration, mut program) = (None, None);
    if hashes {
        configuration = lines.hash("configuration", "`configuration` and a hash or `-`")?;
        program = lines.hash("program", "`program` and a hash or `-`")?;
    }
    let geometry = lines.geometry()?;
    let geometry_line = lines.last;
    let ppcr = lines.fixed("ppcr", "`ppcr` and 2 words")?;
    let ppcr_line = lines.last;
    let mut dump = Dump {
        configuration,
        program,
        geometry,
        ppcr,
        errors: lines.fixed::<1>("errors", "`errors` and a word")?[0],
        filter: 0,
        repairs: 0,
        counters: join(lines.fixed("counters", "`counters` and 16 words")?),
        entries: BTreeMap::new(),
        drained: None,
    };
    if geometry[3] != 0 {
        [dump.filter, dump.repairs] = lines.fixed("context", "`context` and 2 words")?;
    }
    let sizes = dump
        .sizes()
        .map_err(|error| geometry_line.impossible(error))?;
    let said = geometry2::ENTRY_WORDS.get(geometry[2]);
    let needed = sizes.entry_words();
    if said != needed {
        return Err(geometry_line.impossible(Fault::EntryWords { said, needed }));
    }
    dump.control(&sizes)
        .map_err(|error| ppcr_line.impossible(error))?;
    if dump.has_drain() {
        let said = lines.fixed("drain", "`drain` and 4 words")?;
        dump.drained = Some(drained(said));
    }
    let rest = lines.lines.as_slice();
    let is_left = |line: &Line<'_>| line.after("left").is_some() && sizes.has_drain();
    let (rest, left) = rest.split_at(rest.iter().position(is_left).unwrap_or(rest.len()));
    dump.entries = entries(rest, &sizes)?;
    if let Some(drained) = &mut dump.drained {
        drained.left = self::left(left, &sizes)?;
    }
    Ok(dump)
}

fn drained([waiting, lost, low, high]: [u32; 4]) -> Drained {
    Drained {
        waiting,
        lost,
        lost_count: u64::from(low) | u64::from(high) << 32,
        left: BTreeMap::new(),
    }
}

/// The paths that left the table, each once.
fn left(lines: &[Line<'_>], sizes: &Geometry) -> Result<BTreeMap<PathDescriptor, u64>, DumpError> {
    let expected = "`left`, as many words as GEOMETRY2 says, and a high word of the count";
    let (mut left, mut lines_of) = (BTreeMap::new(), HashMap::new());
    for line in lines {
        let read = line.words("left").and_then(|words| {
            let (high, words) = words.split_last()?;
            let numbered: Vec<u32> = std::iter::once(0).chain(words.iter().copied()).collect();
            Some((entry(sizes, &numbered)?.1, *high))
        });
        let (entry, high) = read.ok_or_else(|| line.malformed(expected))?;
        let count = u64::from(entry.count) | u64::from(high) << 32;
        possible(sizes, &entry.descriptor).map_err(|fault| line.impossible(fault))?;
        if count == 0 {
            return Err(line.impossible(Fault::Empty));
        }
        if let Some(before) = lines_of.insert(entry.descriptor, line.line) {
            let path = entry.descriptor;
            return Err(line.impossible(Fault::PathTwice { path, before }));
        }
        left.insert(entry.descriptor, count);
    }
    Ok(left)
}

fn entries(lines: &[Line<'_>], sizes: &Geometry) -> Result<BTreeMap<u32, TableEntry>, DumpError> {
    let expected = "`entry`, a number, and as many words as GEOMETRY2 says";
    let read: Vec<(u32, TableEntry)> = lines
        .iter()
        .map(|line| {
            let entry = line.words("entry").and_then(|words| entry(sizes, &words));
            entry.ok_or_else(|| line.malformed(expected))
        })
        .collect::<Result<_, _>>()?;
    let (mut numbers, mut paths) = (HashMap::new(), HashMap::new());
    for (line, (number, entry)) in lines.iter().zip(&read) {
        fits(sizes, *number, entry).map_err(|fault| line.impossible(fault))?;
        if let Some(before) = numbers.insert(*number, line.line) {
            let number = *number;
            return Err(line.impossible(Fault::NumberTwice { number, before }));
        }
        if let Some(before) = paths.insert(entry.descriptor, line.line) {
            let path = entry.descriptor;
            return Err(line.impossible(Fault::PathTwice { path, before }));
        }
    }
    Ok(read.into_iter().collect())
}

/// Whether a table of this geometry can hold the entry at this number.
fn fits(sizes: &Geometry, number: u32, entry: &TableEntry) -> Result<(), Fault> {
    let TableEntry { descriptor, count } = *entry;
    let (entries, bits) = (sizes.entries(), sizes.accumulator_bits);
    if number >= entries {
        return Err(Fault::Number { number, entries });
    }
    if count == 0 {
        return Err(Fault::Empty);
    }
    if u64::from(count) > Geometry::mask(bits) {
        return Err(Fault::Count { count, bits });
    }
    possible(sizes, &descriptor)?;
    let (found, way) = (number / sizes.ways, (number % sizes.ways) as usize);
    let needed = row_index(sizes, &descriptor, way) as u32;
    let path = descriptor;
    match found == needed {
        true => Ok(()),
        false => Err(Fault::Set {
            number,
            path,
            found,
            needed,
        }),
    }
}

/// Whether a profiler of this geometry can have the path.
fn possible(sizes: &Geometry, descriptor: &PathDescriptor) -> Result<(), Fault> {
    let PathDescriptor {
        start,
        length,
        outcomes,
    } = *descriptor;
    let Geometry {
        max_branches,
        align,
        ..
    } = *sizes;
    let start_bits = sizes.start_bits();
    if length > max_branches {
        return Err(Fault::Length {
            length,
            max_branches,
        });
    }
    if length < u64::BITS && outcomes >> length != 0 {
        return Err(Fault::Outcomes { outcomes, length });
    }
    if start & !Geometry::mask(start_bits) != 0 || start & Geometry::mask(align) != 0 {
        return Err(Fault::Start {
            start,
            start_bits,
            align,
        });
    }
    Ok(())
}

/// Low and high words to 64-bit values.
fn join(words: [u32; 2 * Counter::COUNT]) -> [u64; Counter::COUNT] {
    std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
}

/// The number and the entry of an `entry` line; `None` if it has another number of words.
fn entry(sizes: &Geometry, words: &[u32]) -> Option<(u32, TableEntry)> {
    let (&number, words) = words.split_first()?;
    if words.len() != sizes.entry_words() as usize {
        return None;
    }
    let mut words = words.iter().copied();
    let mut next = |words_of_it: u32| {
        let low = u64::from(words.next()?);
        let high = if words_of_it > 1 {
            u64::from(words.next()?)
        } else {
            0
        };
        Some(low | high << 32)
    };
    let start = next(sizes.start_words())?;
    let outcomes = next(sizes.outcome_words())?;
    let (start, length, outcomes) = match sizes.marks_outcomes() {
        true => {
            let (length, outcomes) = sizes.unmarked(outcomes)?;
            (start & !1, length, outcomes)
        }
        false => (start, next(1)? as u32, outcomes),
    };
    let count = next(1)? as u32;
    let descriptor = PathDescriptor {
        start,
        length,
        outcomes,
    };
    Some((number, TableEntry { descriptor, count }))
}
