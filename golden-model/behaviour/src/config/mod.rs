//! Geometry: the sizes a profiler is generated with.

mod choices;
mod legal;

pub use choices::{IndexScheme, LookupScheme, Protection, Replacement};
pub use legal::{GeometryError, Range};

use serde::{Deserialize, Serialize};

use crate::registers::{ADDRESS_BITS, DRAIN_ADDRESS_BITS};

/// The most bits a context may have.
pub const MAX_CONTEXT_BITS: u32 = 8;

/// The fewest entries a drain may have.
pub const MIN_DRAIN_DEPTH: u32 = 64;

/// Free places of a drain below which the core is held, if it is to be: for the paths of records that have left the queue.
pub const DRAIN_MARGIN: u32 = 48;

/// The most entries (sets times ways) a table may have.
pub const MAX_ENTRIES: u32 = 65_536;

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

impl Geometry {
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

    /// The bits of an address that a profiler sees: modulo 2^`pc_bits`.
    #[must_use]
    pub const fn address(&self, address: u64) -> u64 {
        address & Self::mask(self.pc_bits)
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
    fn a_clear_takes_a_cycle_for_each_entry_of_as_many_ways_as_the_next_power_of_two() {
        let cycles = |sets, ways| {
            let geometry = Geometry {
                sets,
                ways,
                ..Geometry::default()
            };
            geometry.clear_cycles()
        };
        assert_eq!(
            [(128, 4), (64, 1), (64, 3), (2, 9)].map(|(sets, ways)| cycles(sets, ways)),
            [512, 64, 256, 32]
        );
    }

    #[test]
    fn what_a_geometry_has_follows_from_its_own_parameter_alone() {
        let plain = Geometry::default();
        let facts = |geometry: Geometry| {
            [
                geometry.may_hold(),
                geometry.buffers_paths(),
                geometry.has_drain(),
                geometry.tells_faults(),
            ]
        };
        assert_eq!(facts(plain), [false; 4]);
        let checked = Geometry {
            stack_check: true,
            ..plain
        };
        assert_eq!(facts(checked), [true, false, false, false]);
        let serial = Geometry {
            lookup: LookupScheme::Serial,
            ..plain
        };
        assert_eq!(facts(serial), [true, true, false, false]);
        for replacement in [Replacement::Shadow, Replacement::Rrip] {
            let skewed = Geometry {
                replacement,
                ..plain
            };
            assert_eq!(facts(skewed), [true, true, false, false]);
        }
        let drained = Geometry {
            drain_depth: 64,
            ..plain
        };
        assert_eq!(facts(drained), [true, false, true, false]);
        for protect in [Protection::Memories, Protection::All] {
            let protected = Geometry { protect, ..plain };
            assert_eq!(facts(protected), [false, false, false, true]);
        }
    }
}
