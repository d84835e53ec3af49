//! The statistics counters.

use super::word::{Access, Field, Register, register, word};

/// A statistics counter: two registers, low word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Counter {
    /// Records that entered the queue.
    Records = 0,
    /// Completed paths.
    Paths = 1,
    /// Paths found in the table.
    Hits = 2,
    /// Paths that replaced another path in the table.
    Replacements = 3,
    /// Paths split at the maximum length.
    Splits = 4,
    /// Pops that left the stack empty.
    Underflows = 5,
    /// Pushes that dropped the oldest entry.
    Overflows = 6,
    /// Records that found no place in the queue or before it, or were not held until they were taken.
    LostRecords = 7,
}

impl Counter {
    /// How many counters there are.
    pub const COUNT: usize = 8;

    /// Every counter, in the order of its address.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Records,
        Self::Paths,
        Self::Hits,
        Self::Replacements,
        Self::Splits,
        Self::Underflows,
        Self::Overflows,
        Self::LostRecords,
    ];

    /// Byte offset of the low word; the high word follows it.
    #[must_use]
    pub const fn offset(self) -> u32 {
        COUNTERS_OFFSET + 8 * self as u32
    }
}

/// Byte offset of the first counter.
pub const COUNTERS_OFFSET: u32 = 0x40;

const LOW_WORD: &[Field] = &[word("Low word; reading it latches the high word.")];
const HIGH_WORD: &[Field] = &[word(
    "High word, as latched by the last read of a low word.",
)];

const fn low(name: &'static str, offset: u32, description: &'static str) -> Register {
    register(name, offset, Access::ReadOnly, description, LOW_WORD)
}

const fn high(name: &'static str, offset: u32, description: &'static str) -> Register {
    register(name, offset, Access::ReadOnly, description, HIGH_WORD)
}

/// The registers of the counters, in the order of their addresses.
pub const COUNTER_REGISTERS: [Register; 2 * Counter::COUNT] = [
    low("RECORDS_LO", 0x40, "Records that entered the queue."),
    high("RECORDS_HI", 0x44, "Records that entered the queue."),
    low("PATHS_LO", 0x48, "Completed paths."),
    high("PATHS_HI", 0x4c, "Completed paths."),
    low("HITS_LO", 0x50, "Completed paths found in the table."),
    high("HITS_HI", 0x54, "Completed paths found in the table."),
    low(
        "REPLACEMENTS_LO",
        0x58,
        "Completed paths that replaced another path in the table.",
    ),
    high(
        "REPLACEMENTS_HI",
        0x5c,
        "Completed paths that replaced another path in the table.",
    ),
    low("SPLITS_LO", 0x60, "Paths split at the maximum length."),
    high("SPLITS_HI", 0x64, "Paths split at the maximum length."),
    low(
        "UNDERFLOWS_LO",
        0x68,
        "Pops of the only entry of the path stack.",
    ),
    high(
        "UNDERFLOWS_HI",
        0x6c,
        "Pops of the only entry of the path stack.",
    ),
    low(
        "OVERFLOWS_LO",
        0x70,
        "Pushes that dropped the oldest entry of a full path stack.",
    ),
    high(
        "OVERFLOWS_HI",
        0x74,
        "Pushes that dropped the oldest entry of a full path stack.",
    ),
    low(
        "LOST_RECORDS_LO",
        0x78,
        "Lost records: no room in the queue or before it, or not held until they were taken.",
    ),
    high(
        "LOST_RECORDS_HI",
        0x7c,
        "Lost records: no room in the queue or before it, or not held until they were taken.",
    ),
];
