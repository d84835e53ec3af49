//! The dump: numbered lines of hexadecimal words, each with the CRC-32 of its text (docs/dump.md).

use core::fmt::{self, Write};

use crate::registers::{
    context, drain_lost, drain_lost_count_hi, drain_lost_count_lo, drain_status, errors, geometry0,
    geometry3, ppcr_rows, records_lo, repairs,
};
use crate::{Access, Driver, Left};

/// Words of the statistics counters.
const COUNTER_WORDS: u32 = 16;

/// A text, and the checksums of its lines.
struct Text<'a, W> {
    out: &'a mut W,
    crc: u32,
    sum: u32,
    lines: u32,
}

impl<W: Write> Write for Text<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.crc ^= u32::from(byte);
            for _ in 0..8 {
                let carry = self.crc & 1;
                self.crc = (self.crc >> 1) ^ (0xedb8_8320 * carry);
            }
        }
        self.out.write_str(text)
    }
}

impl<W: Write> Text<'_, W> {
    fn line(&mut self, name: &str, rest: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.crc = u32::MAX;
        let number = self.lines;
        self.lines += 1;
        write!(self, "{number:x} {name}")?;
        rest(self)?;
        self.end()
    }

    fn end(&mut self) -> fmt::Result {
        let check = !self.crc;
        self.sum = self.sum.wrapping_add(check);
        writeln!(self.out, " *{check:x}")
    }

    fn words(&mut self, words: impl IntoIterator<Item = u32>) -> fmt::Result {
        words
            .into_iter()
            .try_for_each(|word| write!(self, " {word:x}"))
    }
}

impl<A: Access> Driver<A> {
    /// Freezes the table, and writes the profile as text that `hpp report` reads. `configuration` is the SHA-256 of the profiler's
    /// configuration in hexadecimal. `program` is the program's build ID.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn dump(
        &mut self,
        out: &mut impl Write,
        configuration: Option<&str>,
        program: Option<&[u8]>,
    ) -> fmt::Result {
        self.dump_all(out, configuration, program, [])
    }

    /// [`dump`](Self::dump) with the evicted entries: each path once, with the sum of its counts. Empty the drain before.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn dump_all(
        &mut self,
        out: &mut impl Write,
        configuration: Option<&str>,
        program: Option<&[u8]>,
        left: impl IntoIterator<Item = Left>,
    ) -> fmt::Result {
        let mut text = Text {
            out,
            crc: u32::MAX,
            sum: 0,
            lines: 0,
        };
        text.write_str("HPP dump 2 begins\n")?;
        text.line("configuration ", |text| {
            text.write_str(configuration.unwrap_or("-"))
        })?;
        text.line("program ", |text| match program {
            Some(id) => id.iter().try_for_each(|byte| write!(text, "{byte:02x}")),
            None => text.write_str("-"),
        })?;
        self.frozen(|driver| driver.dump_registers(&mut text))?;
        for path in left {
            self.dump_left(&mut text, &path)?;
        }
        text.crc = u32::MAX;
        let (lines, sum) = (text.lines, text.sum);
        write!(text, "HPP dump 2 ends {lines:x} {sum:x}")?;
        text.end()
    }

    fn dump_registers(&mut self, text: &mut Text<'_, impl Write>) -> fmt::Result {
        let beyond = self.access().read(geometry3::OFFSET);
        let access = self.access();
        let sizes = (0..3).map(|word| access.read(geometry0::OFFSET + 4 * word));
        // A profiler without optional features writes neither this word nor its context.
        text.line("geometry", |text| {
            text.words(sizes.chain((beyond != 0).then_some(beyond)))
        })?;
        for (name, offset, count) in [
            ("ppcr", ppcr_rows::OFFSET, 2),
            ("errors", errors::OFFSET, 1),
            ("counters", records_lo::OFFSET, COUNTER_WORDS),
        ] {
            let access = self.access();
            let words = (0..count).map(|word| access.read(offset + 4 * word));
            text.line(name, |text| text.words(words))?;
        }
        if beyond != 0 {
            let access = self.access();
            let words = [context::OFFSET, repairs::OFFSET].map(|offset| access.read(offset));
            text.line("context", |text| text.words(words))?;
        }
        if self.drains() {
            let access = self.access();
            let offsets = [
                drain_status::OFFSET,
                drain_lost::OFFSET,
                drain_lost_count_lo::OFFSET,
                drain_lost_count_hi::OFFSET,
            ];
            let words = offsets.map(|offset| access.read(offset));
            text.line("drain", |text| text.words(words))?;
        }
        let mut result = Ok(());
        self.each_entry(|number, words| {
            if result.is_ok() {
                let words = words.iter().copied();
                let words = core::iter::once(number).chain(words);
                result = text.line("entry", |text| text.words(words));
            }
        });
        result
    }

    fn dump_left(&mut self, text: &mut Text<'_, impl Write>, path: &Left) -> fmt::Result {
        let [wide_start, wide_outcomes] = self.wide();
        let both = |value: u64| [value as u32, (value >> 32) as u32];
        let part = |value, wide| both(value).into_iter().take(if wide { 2 } else { 1 });
        let words = part(path.start, wide_start)
            .chain(part(path.outcomes, wide_outcomes))
            .chain([path.length])
            .chain(both(path.count));
        text.line("left", |text| text.words(words))
    }
}
