//! The text that firmware prints.

use super::Dump;
use crate::profiler::{TableEntry, entry_words};
use std::fmt;

/// The version of the text that is written. Version 1 can be read.
pub const VERSION: u32 = 2;

/// The first line of version 1.
pub(super) const OLD_BEGIN: &str = "HPP profile begins";
/// What the last line of version 1 starts with.
pub(super) const OLD_END: &str = "HPP profile ends";
/// What stands in the place of a hash that is not known.
pub(super) const UNKNOWN: &str = "-";

/// The check after a line of version 2.
pub(super) fn check(line: &str) -> u32 {
    crc32fast::hash(line.as_bytes())
}

/// Words in hexadecimal, a blank before each.
fn words(words: &[u32]) -> String {
    words.iter().map(|word| format!(" {word:x}")).collect()
}

impl Dump {
    /// What the lines say, without their numbers and checks.
    fn lines(&self) -> Vec<String> {
        let counters: Vec<u32> = self
            .counters
            .iter()
            .flat_map(|&value| [value as u32, (value >> 32) as u32])
            .collect();
        let hash = |hash: &Option<String>| hash.as_deref().unwrap_or(UNKNOWN).to_string();
        // A profiler with nothing beyond its sizes prints neither.
        let [.., beyond] = self.geometry;
        let (sizes, context) = match beyond {
            0 => (&self.geometry[..3], None),
            _ => (
                &self.geometry[..],
                Some(format!("context{}", words(&[self.filter, self.repairs]))),
            ),
        };
        let mut lines = vec![
            format!("configuration {}", hash(&self.configuration)),
            format!("program {}", hash(&self.program)),
            format!("geometry{}", words(sizes)),
            format!("ppcr{}", words(&self.ppcr)),
            format!("errors{}", words(&[self.errors])),
            format!("counters{}", words(&counters)),
        ];
        lines.extend(context);
        if let Some(drained) = &self.drained {
            let (low, high) = (drained.lost_count as u32, (drained.lost_count >> 32) as u32);
            let said = [drained.waiting, drained.lost, low, high];
            lines.push(format!("drain{}", words(&said)));
        }
        lines.extend(
            self.entries
                .iter()
                .map(|(number, entry)| format!("entry {number:x}{}", words(&self.words(entry)))),
        );
        let left = self.drained.iter().flat_map(|drained| &drained.left);
        lines.extend(left.map(|(path, count)| {
            let entry = TableEntry {
                descriptor: *path,
                count: 1,
            };
            let mut path = self.words(&entry);
            path.pop();
            let count = [*count as u32, (count >> 32) as u32];
            format!("left{}{}", words(&path), words(&count))
        }));
        lines
    }

    /// The words of an entry as TABLE_DATA gives them.
    fn words(&self, entry: &TableEntry) -> Vec<u32> {
        entry_words(&self.entry_sizes(), Some(*entry)).collect()
    }
}

impl fmt::Display for Dump {
    /// The text the firmware prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "HPP dump {VERSION} begins")?;
        let (mut number, mut sum) = (0, 0u32);
        for line in self.lines() {
            let line = format!("{number:x} {line}");
            let check = check(&line);
            writeln!(f, "{line} *{check:x}")?;
            sum = sum.wrapping_add(check);
            number += 1;
        }
        let last = format!("HPP dump {VERSION} ends {number:x} {sum:x}");
        writeln!(f, "{last} *{:x}", check(&last))
    }
}
