//! Geometry: the sizes a profiler is generated with.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::path::MAX_BRANCHES;
use crate::registers::{ADDRESS_BITS, DRAIN_ADDRESS_BITS};

/// What the hot path table computes its set index from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexScheme {
    /// `fold(start >> align) ^ fold(outcomes) ^ fold(length)`, the scheme the thesis found best.
    #[default]
    Full,
    /// The start address alone, for experiments.
    Start,
}

/// How the hot path table looks a path up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookupScheme {
    /// All ways of a set at once: a path a cycle.
    #[default]
    Parallel,
    /// One way after another: fewer memories and comparisons, several cycles a path, and a core that may have to wait.
    Serial,
}

/// What the hot path table does with a path that is not in it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// It replaces the least frequently used entry of its set: the thesis's policy.
    #[default]
    Lfu,
    /// It must show that it is hot before it replaces another; see [`ShadowTable`](crate::profiler::ShadowTable).
    Shadow,
    /// It replaces the entry whose next use seems furthest ahead, so that few leave; see [`RripTable`](crate::profiler::RripTable).
    Rrip,
}

impl Replacement {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Lfu, Self::Shadow, Self::Rrip];

    /// Whether every way has its own hash.
    #[must_use]
    pub const fn is_skewed(self) -> bool {
        matches!(self, Self::Shadow | Self::Rrip)
    }
}

impl core::fmt::Display for Replacement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Lfu => "lfu",
            Self::Shadow => "shadow",
            Self::Rrip => "rrip",
        })
    }
}

/// What of a profiler notices when one of its bits flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// Nothing.
    #[default]
    None,
    /// The memories: every word has a parity bit.
    Memories,
    /// The memories, and the registers in groups of up to 32 bits.
    All,
}

/// The sizes of a profiler. [`Geometry::default`] is the one the thesis evaluates: 512 entries, 4-way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Geometry {
    /// Sets of the hot path table; a power of two.
    pub sets: u32,
    /// Ways of each set.
    pub ways: u32,
    /// Most branches a path records before it is split.
    pub max_branches: u32,
    /// Entries of the path stack; a power of two.
    pub stack_depth: u32,
    /// Records the branch queue holds; a power of two.
    pub queue_depth: u32,
    /// Width of an instruction address in bits.
    pub pc_bits: u32,
    /// Low bits of an address that are always 0: 1 with compressed instructions, 0 where instructions are any number of
    /// bytes (x86), else 2.
    pub align: u32,
    /// Width of `br_events` in bits.
    pub event_bits: u32,
    /// Width of a path's event counter in bits.
    pub event_counter_bits: u32,
    /// Width of a path's extension counter in bits.
    pub extension_bits: u32,
    /// Width of a table entry's accumulator in bits.
    pub accumulator_bits: u32,
    /// Width of the statistics counters in bits.
    pub counter_bits: u32,
    /// How the table is indexed.
    pub index_scheme: IndexScheme,
    /// How the table looks a path up.
    pub lookup: LookupScheme,
    /// What becomes of a path that is not in the table.
    pub replacement: Replacement,
    /// Width of the context of a path in bits: hart, privilege, address space, as the integrator composes it; 0 for none.
    pub context_bits: u32,
    /// Whether the path stack keeps return addresses, and returns are held against them.
    pub stack_check: bool,
    /// Entries of the FIFO into which what leaves the hot path table goes; a power of two, 0 for none.
    pub drain_depth: u32,
    /// What has parity, so that a flipped bit is noticed.
    pub protect: Protection,
}

impl Default for Geometry {
    fn default() -> Self {
        Self {
            sets: 128,
            ways: 4,
            max_branches: 32,
            stack_depth: 32,
            queue_depth: 4,
            pc_bits: 32,
            align: 2,
            event_bits: 8,
            event_counter_bits: 8,
            extension_bits: 4,
            accumulator_bits: 32,
            counter_bits: 64,
            index_scheme: IndexScheme::Full,
            lookup: LookupScheme::Parallel,
            replacement: Replacement::Lfu,
            context_bits: 0,
            stack_check: false,
            drain_depth: 0,
            protect: Protection::None,
        }
    }
}

/// The most bits a context may have.
pub const MAX_CONTEXT_BITS: u32 = 8;

/// The fewest entries a drain may have.
pub const MIN_DRAIN_DEPTH: u32 = 64;

/// Free places of a drain below which the core is held, if it is to be: for the paths of records that have left the queue.
pub const DRAIN_MARGIN: u32 = 48;

/// The most entries (sets times ways) a table may have.
pub const MAX_ENTRIES: u32 = 65_536;

/// Why a geometry cannot be built. The text says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GeometryError {
    /// A parameter lies outside its range.
    #[error("{name} = {value} is out of range; allowed: {low} to {high}")]
    OutOfRange {
        /// The parameter, as it is spelt in a configuration file.
        name: &'static str,
        /// What was asked for.
        value: u32,
        /// Least allowed value.
        low: u32,
        /// Greatest allowed value.
        high: u32,
    },
    /// A parameter that must be a power of two is not.
    #[error("{name} = {value} is not a power of two; the nearest allowed: {below} and {above}")]
    NotPowerOfTwo {
        /// The parameter, as it is spelt in a configuration file.
        name: &'static str,
        /// What was asked for.
        value: u32,
        /// The power of two below.
        below: u32,
        /// The power of two above.
        above: u32,
    },
    /// The table is larger than any table may be.
    #[error("{sets} sets x {ways} ways = {entries} entries; allowed: at most {MAX_ENTRIES}")]
    TooManyEntries {
        /// Sets asked for.
        sets: u32,
        /// Ways asked for.
        ways: u32,
        /// Their product.
        entries: u64,
    },
    /// An address, with its context, without a bit that is always 0, as wide as a word: an entry has no room to tell it from none.
    #[error(
        "pc-bits = 64 with align = 0, contexts included; allowed: at most 63 bits, or align 1 or 2"
    )]
    AddressTooWide,
    /// A drain has too few entries to hold the core in time.
    #[error(
        "drain-depth = {depth} is too small; allowed: 0 for none, or at least {MIN_DRAIN_DEPTH}"
    )]
    DrainTooSmall {
        /// Entries asked for.
        depth: u32,
    },
    /// A table with shadows does not keep paths that are not hot: there would be nothing to drain.
    #[error(
        "replacement = shadow forgets paths that are not hot, so it has no drain; allowed: drain-depth = 0"
    )]
    ShadowDrain,
    /// A skewed table looks all candidates of a path up at once.
    #[error("replacement = {0} needs lookup = parallel")]
    SkewedLookup(Replacement),
    /// A skewed table has a hash of its own for each way.
    #[error("replacement = {0} needs index-scheme = full")]
    SkewedIndex(Replacement),
    /// An address and its context would not fit into 64 bits.
    #[error(
        "pc-bits = {pc_bits} and context-bits = {context_bits} are more than 64 together; allowed: at most 64"
    )]
    StartTooWide {
        /// Width of an address.
        pc_bits: u32,
        /// Width of a context.
        context_bits: u32,
    },
    /// A path's event counter would not fit into the accumulator.
    #[error(
        "event-counter-bits = {event_counter_bits} exceeds accumulator-bits = {accumulator_bits}; \
         allowed: at most the accumulator's width"
    )]
    AccumulatorTooNarrow {
        /// Width of the event counter.
        event_counter_bits: u32,
        /// Width of the accumulator.
        accumulator_bits: u32,
    },
}

/// A parameter's name and the values it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The parameter, as it is spelt in a configuration file.
    pub name: &'static str,
    /// Least allowed value.
    pub low: u32,
    /// Greatest allowed value.
    pub high: u32,
    /// Whether only powers of two are allowed.
    pub power_of_two: bool,
}

const fn range(name: &'static str, low: u32, high: u32, power_of_two: bool) -> Range {
    Range {
        name,
        low,
        high,
        power_of_two,
    }
}

impl Geometry {
    /// The numeric parameters and what they may be, in the order of the struct's fields.
    pub const RANGES: [Range; 14] = [
        range("sets", 2, 4096, true),
        range("ways", 1, 32, false),
        range("max-branches", 1, MAX_BRANCHES, false),
        range("stack-depth", 2, 256, true),
        range("queue-depth", 2, 64, true),
        range("pc-bits", 32, 64, false),
        range("align", 0, 2, false),
        range("event-bits", 1, 32, false),
        range("event-counter-bits", 1, 32, false),
        range("extension-bits", 1, 8, false),
        range("accumulator-bits", 8, 32, false),
        range("counter-bits", 32, 64, false),
        range("context-bits", 0, MAX_CONTEXT_BITS, false),
        range("drain-depth", 0, 4096, true),
    ];

    /// The numeric parameters in the order of [`Geometry::RANGES`].
    #[must_use]
    pub const fn values(&self) -> [u32; 14] {
        [
            self.sets,
            self.ways,
            self.max_branches,
            self.stack_depth,
            self.queue_depth,
            self.pc_bits,
            self.align,
            self.event_bits,
            self.event_counter_bits,
            self.extension_bits,
            self.accumulator_bits,
            self.counter_bits,
            self.context_bits,
            self.drain_depth,
        ]
    }

    /// Checks that a profiler of this geometry can be built.
    ///
    /// # Errors
    ///
    /// The first parameter found to be out of range, with what is allowed.
    pub fn validate(&self) -> Result<(), GeometryError> {
        for (range, value) in Self::RANGES.iter().zip(self.values()) {
            range.check(value)?;
        }
        let entries = u64::from(self.sets) * u64::from(self.ways);
        if entries > u64::from(MAX_ENTRIES) {
            return Err(GeometryError::TooManyEntries {
                sets: self.sets,
                ways: self.ways,
                entries,
            });
        }
        if self.start_bits() > u64::BITS {
            return Err(GeometryError::StartTooWide {
                pc_bits: self.pc_bits,
                context_bits: self.context_bits,
            });
        }
        if self.start_bits() - self.align == u64::BITS {
            return Err(GeometryError::AddressTooWide);
        }
        if self.has_drain() && self.drain_depth < MIN_DRAIN_DEPTH {
            return Err(GeometryError::DrainTooSmall {
                depth: self.drain_depth,
            });
        }
        if self.has_drain() && self.replacement == Replacement::Shadow {
            return Err(GeometryError::ShadowDrain);
        }
        if self.replacement.is_skewed() {
            if self.lookup != LookupScheme::Parallel {
                return Err(GeometryError::SkewedLookup(self.replacement));
            }
            if self.index_scheme != IndexScheme::Full {
                return Err(GeometryError::SkewedIndex(self.replacement));
            }
        }
        if self.event_counter_bits > self.accumulator_bits {
            return Err(GeometryError::AccumulatorTooNarrow {
                event_counter_bits: self.event_counter_bits,
                accumulator_bits: self.accumulator_bits,
            });
        }
        Ok(())
    }

    /// Whether a core in stall mode may be asked to hold: by a table that looks its ways up one after another or takes its time over a path
    /// that is to take another's place, by a checked stack, which may take its time over a return, or by a drain that is full.
    #[must_use]
    pub const fn may_hold(&self) -> bool {
        self.stack_check || self.buffers_paths() || self.has_drain()
    }

    /// Whether what leaves the table goes into a FIFO.
    #[must_use]
    pub const fn has_drain(&self) -> bool {
        self.drain_depth > 0
    }

    /// Whether a flipped bit is noticed somewhere, and told.
    #[must_use]
    pub const fn tells_faults(&self) -> bool {
        !matches!(self.protect, Protection::None)
    }

    /// Whether paths wait for the table in a buffer.
    #[must_use]
    pub const fn buffers_paths(&self) -> bool {
        matches!(self.lookup, LookupScheme::Serial) || self.replacement.is_skewed()
    }

    /// Width of a path's start in bits: an address, and above it the context.
    #[must_use]
    pub const fn start_bits(&self) -> u32 {
        self.pc_bits + self.context_bits
    }

    /// A start as its address and its context.
    #[must_use]
    pub const fn address_and_context(&self, start: u64) -> (u64, u8) {
        match self.context_bits {
            0 => (start, 0),
            _ => (
                start & Self::mask(self.pc_bits),
                (start >> self.pc_bits) as u8,
            ),
        }
    }

    /// An address with its context above it, as a start is stored; `context` keeps the bits that a context has.
    #[must_use]
    pub const fn in_context(&self, address: u64, context: u8) -> u64 {
        match self.context_bits {
            0 => address,
            bits => address | (context as u64 & Self::mask(bits)) << self.pc_bits,
        }
    }

    /// Width of a register's word address on the bus.
    #[must_use]
    pub const fn address_bits(&self) -> u32 {
        if self.has_drain() {
            DRAIN_ADDRESS_BITS
        } else {
            ADDRESS_BITS
        }
    }

    /// Bytes of address space that the registers take.
    #[must_use]
    pub const fn address_space(&self) -> u32 {
        4 << self.address_bits()
    }

    /// Width of a set index in bits.
    #[must_use]
    pub const fn set_bits(&self) -> u32 {
        self.sets.trailing_zeros()
    }

    /// Entries of the hot path table.
    #[must_use]
    pub const fn entries(&self) -> u32 {
        self.sets * self.ways
    }

    /// Cycles in which a clear empties the table: one for each entry, with as many ways as the next power of two.
    #[must_use]
    pub const fn clear_cycles(&self) -> u32 {
        self.sets * self.ways.next_power_of_two()
    }

    /// Most cycles from the one in which the bus accepts an access to the one in which it is acknowledged, whatever retires: a
    /// counter's word waits for a scan of sixteen, an entry for the end of a lookup one way after another.
    #[must_use]
    pub const fn longest_access(&self) -> u32 {
        match self.lookup {
            LookupScheme::Serial if self.ways > 9 => self.ways + 8,
            _ => 17,
        }
    }

    /// Width of a descriptor's length field in bits.
    #[must_use]
    pub const fn length_bits(&self) -> u32 {
        u32::BITS - self.max_branches.leading_zeros()
    }

    /// The value of a `bits` wide all-ones field; also the greatest value of a saturating counter of that width.
    #[must_use]
    pub const fn mask(bits: u32) -> u64 {
        match bits {
            0 => 0,
            _ => u64::MAX >> (u64::BITS - bits),
        }
    }

    /// 32-bit words that hold a path's start.
    #[must_use]
    pub const fn start_words(&self) -> u32 {
        self.start_bits().div_ceil(32)
    }

    /// 32-bit words that hold a path's outcomes.
    #[must_use]
    pub const fn outcome_words(&self) -> u32 {
        self.max_branches.div_ceil(32)
    }

    /// 32-bit words of one table entry as software reads it: start, outcomes, length, count.
    #[must_use]
    pub const fn entry_words(&self) -> u32 {
        self.start_words() + self.outcome_words() + 2
    }
}

impl Range {
    fn check(&self, value: u32) -> Result<(), GeometryError> {
        let Self {
            name,
            low,
            high,
            power_of_two,
        } = *self;
        if value < low || value > high {
            return Err(GeometryError::OutOfRange {
                name,
                value,
                low,
                high,
            });
        }
        if power_of_two && value != 0 && !value.is_power_of_two() {
            let above = value.next_power_of_two();
            return Err(GeometryError::NotPowerOfTwo {
                name,
                value,
                below: above / 2,
                above,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_table_of_the_thesis() {
        let geometry = Geometry::default();
        assert_eq!(geometry.validate(), Ok(()));
        assert_eq!(geometry.entries(), 512);
        assert_eq!(geometry.length_bits(), 6);
        assert_eq!(geometry.entry_words(), 4);
    }

    #[test]
    fn errors_name_what_is_allowed() {
        let error = |geometry: Geometry| geometry.validate().unwrap_err().to_string();
        assert_eq!(
            error(Geometry {
                sets: 100,
                ..Geometry::default()
            }),
            "sets = 100 is not a power of two; the nearest allowed: 64 and 128"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 31,
                ..Geometry::default()
            }),
            "pc-bits = 31 is out of range; allowed: 32 to 64"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 64,
                align: 0,
                ..Geometry::default()
            }),
            "pc-bits = 64 with align = 0, contexts included; allowed: at most 63 bits, or align 1 or 2"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 60,
                context_bits: 5,
                ..Geometry::default()
            }),
            "pc-bits = 60 and context-bits = 5 are more than 64 together; allowed: at most 64"
        );
        assert_eq!(
            error(Geometry {
                sets: 4096,
                ways: 32,
                ..Geometry::default()
            }),
            "4096 sets x 32 ways = 131072 entries; allowed: at most 65536"
        );
        assert_eq!(
            error(Geometry {
                accumulator_bits: 8,
                event_counter_bits: 9,
                ..Geometry::default()
            }),
            "event-counter-bits = 9 exceeds accumulator-bits = 8; allowed: at most the accumulator's width"
        );
    }
}
