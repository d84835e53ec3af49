//! Geometry: the sizes a profiler is generated with.

mod choices;
mod legal;
mod parameter;
mod tiny;

pub use choices::{Engine, IndexScheme, LookupScheme, Replacement};
pub use legal::GeometryError;
pub use parameter::{Parameter, Range, ValueError, Values, kebab, names_of};

use serde::{Deserialize, Serialize};

use crate::parameters;
use crate::path::MAX_BRANCHES;

/// The most bits a context may have.
pub const MAX_CONTEXT_BITS: u32 = 8;

/// The most harts that may share a table.
pub const MAX_HARTS: u32 = 8;

/// The fewest entries a drain may have.
pub const MIN_DRAIN_DEPTH: u32 = 64;

/// Free places of a drain below which the core is held, if it is to be: for the paths of records that have left the queue.
pub const DRAIN_MARGIN: u32 = 48;

/// The most entries (sets times ways) a table may have.
pub const MAX_ENTRIES: u32 = 65_536;

parameters! {
    /// The sizes of a profiler. [`Geometry::default`] is the one the thesis finds best of four (section 5.5.2): 512 entries, 4-way.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    pub struct Geometry {
        /// Sets of the hot path table.
        sets: u32 = 128, power_of_two(2, 4096);
        /// Ways of each set.
        ways: u32 = 4, number(1, 32);
        /// Most branches that a path records before it is split.
        max_branches: u32 = 32, number(1, MAX_BRANCHES);
        /// Entries of the path stack; calls nested deeper drop the oldest path.
        stack_depth: u32 = 32, power_of_two(2, 256);
        /// Records that the branch queue holds.
        queue_depth: u32 = 4, power_of_two(2, 64);
        /// Width of an instruction address in bits.
        pc_bits: u32 = 32, number(32, 64);
        /// Low bits of an address that are always 0: 1 with compressed instructions, else 2. With the ingresses rvfi, retire and trace the default is 1.
        align: u32 = 2, number(1, 2);
        /// Width of the events of one record in bits.
        event_bits: u32 = 8, number(1, 32);
        /// Width of a path's event counter in bits; at most that of the accumulator.
        event_counter_bits: u32 = 8, number(1, 32);
        /// Width of a path's extension counter in bits.
        extension_bits: u32 = 4, number(1, 8);
        /// Width of a table entry's accumulator in bits.
        accumulator_bits: u32 = 32, number(8, 32);
        /// Width of the statistics counters in bits.
        counter_bits: u32 = 64, number(32, 64);
        /// What the table is indexed by. Full is start, outcomes and length; start, the start address alone, is for experiments with the model.
        index_scheme: IndexScheme = IndexScheme::Full, other;
        /// How the table looks a path up. Sequential reads one way after another, and may stall the core. Parallel takes a path in every cycle, for cores that
        /// retire several instructions a cycle; it is larger. With replacement shadow or rrip it is sequential.
        lookup: LookupScheme = LookupScheme::Sequential, choice;
        /// What happens to a path that misses in the table. With lfu it evicts the least frequently used path. With shadow it must first show that it
        /// is hot. With rrip it evicts the entry whose predicted next use is furthest ahead, so that few are evicted. The last two look ways up one after another.
        replacement: Replacement = Replacement::Lfu, choice;
        /// Width of a path's context in bits: hart, privilege, address space, as the core gives it; 0 for none.
        context_bits: u32 = 0, number(0, MAX_CONTEXT_BITS);
        /// Harts that share the table, each with an ingress, a queue and a path stack. The highest bits of a path's context are the hart's number.
        harts: u32 = 1, number(1, MAX_HARTS);
        /// Whether returns are compared with the return addresses of calls and traps; it may stall the core.
        stack_check: bool = false, switch;
        /// Entries of the FIFO for evicted paths.
        drain_depth: u32 = 0, power_of_two_or_none(MIN_DRAIN_DEPTH, 4096);
        /// Whether addresses and event inputs start and stop profiling, and an interrupt reports that a number of paths have completed.
        triggers: bool = false, switch;
        /// Structure of the profiler. Tiny is one memory and a microprogram, for the smallest devices: executions of Ball-Larus paths only, some
        /// forty cycles a path. Its defaults are sets 64, max-branches 31, align 2 and counter-bits 32.
        engine: Engine = Engine::Full, choice;
    }
}

impl Geometry {
    /// Whether a core in stall mode may be asked to hold: by a table that looks its ways up one after another, by a checked stack during a
    /// return, or by a drain that is full.
    pub const fn may_hold(&self) -> bool {
        self.stack_check || self.buffers_paths() || self.has_drain()
    }

    /// Whether evicted entries go into a FIFO.
    #[inline]
    pub const fn has_drain(&self) -> bool {
        self.drain_depth > 0
    }

    /// Whether the address after a record in program order is used: a checked stack, or a start that waits for the return.
    pub const fn takes_next(&self) -> bool {
        self.stack_check || self.triggers
    }

    /// Whether paths wait for the table.
    pub const fn buffers_paths(&self) -> bool {
        matches!(self.lookup, LookupScheme::Sequential) || self.replacement.is_skewed()
    }

    /// Whether a path is compared first with the entry of the path before, so that one that repeats takes less time.
    pub const fn repeats_paths(&self) -> bool {
        self.buffers_paths() && matches!(self.replacement, Replacement::Lfu)
    }

    /// Width of a path's start in bits: an address, and above it the context.
    #[inline]
    pub const fn start_bits(&self) -> u32 {
        self.pc_bits + self.context_bits
    }

    /// Bits of a context that are the hart's number: the highest.
    #[inline]
    pub const fn hart_bits(&self) -> u32 {
        self.harts.next_power_of_two().trailing_zeros()
    }

    /// The same profiler as one of its harts sees it: the context has no number of a hart.
    pub const fn of_hart(&self) -> Self {
        Self {
            context_bits: self.context_bits - self.hart_bits(),
            harts: 1,
            ..*self
        }
    }

    /// The same profiler with one hart, in a context as wide.
    pub const fn of_one(&self) -> Self {
        Self { harts: 1, ..*self }
    }

    /// The lowest bit of the hart's number in a start.
    #[inline]
    pub const fn hart_lsb(&self) -> u32 {
        self.start_bits() - self.hart_bits()
    }

    /// An address with the context of a hart above it, and above that the hart's number.
    pub const fn in_hart(&self, start: u64, hart: usize) -> u64 {
        match self.harts {
            1 => start,
            _ => start | (hart as u64) << self.hart_lsb(),
        }
    }

    /// The hart whose path starts there.
    pub const fn hart_of(&self, start: u64) -> usize {
        match self.harts {
            1 => 0,
            _ => (start >> self.hart_lsb()) as usize,
        }
    }

    /// A start as its address and its context.
    #[inline]
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
    #[inline]
    pub const fn address(&self, address: u64) -> u64 {
        address & Self::mask(self.pc_bits)
    }

    /// The bits of a start that a profiler stores: address and context, without what instructions are aligned to.
    #[inline]
    pub const fn start(&self, start: u64) -> u64 {
        start & Self::mask(self.start_bits()) & !Self::mask(self.align)
    }

    /// An address with its context above it, as a start is stored; `context` keeps the bits that a context has.
    pub const fn in_context(&self, address: u64, context: u8) -> u64 {
        match self.context_bits {
            0 => address,
            bits => address | (context as u64 & Self::mask(bits)) << self.pc_bits,
        }
    }

    /// Width of a set index in bits.
    pub const fn set_bits(&self) -> u32 {
        self.sets.trailing_zeros()
    }

    /// Entries of the hot path table.
    pub const fn entries(&self) -> u32 {
        self.sets * self.ways
    }

    /// Cycles in which a clear empties the table: one for each entry, with as many ways as the next power of two, and three more in a skewed
    /// table, through whose stages an entry's number passes. A microprogram empties a word a cycle, when nothing else is to be done.
    pub const fn clear_cycles(&self) -> u32 {
        match self.program_clear() {
            Some(cycles) => cycles,
            None => {
                self.sets * self.ways.next_power_of_two() + 3 * self.replacement.is_skewed() as u32
            }
        }
    }

    /// Width of a descriptor's length field in bits.
    pub const fn length_bits(&self) -> u32 {
        u32::BITS - self.max_branches.leading_zeros()
    }

    /// The value of a `bits` wide all-ones field; also the greatest value of a saturating counter of that width.
    #[inline]
    pub const fn mask(bits: u32) -> u64 {
        match bits {
            0 => 0,
            _ => u64::MAX >> (u64::BITS - bits),
        }
    }

    /// 32-bit words that hold a path's start.
    pub const fn start_words(&self) -> u32 {
        self.start_bits().div_ceil(32)
    }

    /// 32-bit words that hold a path's outcomes.
    pub const fn outcome_words(&self) -> u32 {
        self.max_branches.div_ceil(32)
    }

    /// 32-bit words of one table entry as software reads it: start, outcomes, length unless a mark says it, count.
    pub const fn entry_words(&self) -> u32 {
        let length_words = !self.marks_outcomes() as u32;
        self.start_words() + self.outcome_words() + length_words + 1
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
}
