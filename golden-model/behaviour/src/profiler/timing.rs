//! How long lookups and accesses take, in clock cycles. `docs/timing.md` explains these figures.

use super::table::shadow::LARGEST_SCALE;
use super::table::{Admission, Lookup};
use crate::config::{Geometry, Replacement};

/// How long a lookup takes that compares one way after another, in clock cycles from the first in which its path is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupCycles {
    /// Until the outcome is reported, and an evicted entry leaves.
    pub outcome: u32,
    /// Until the lookup ends and the next may begin.
    pub all: u32,
}

impl LookupCycles {
    /// A hit in the entry with which the lookup before ended. The path must be shown at least that many cycles after it.
    pub const REPEATED: Self = Self::of(2);

    const fn of(cycles: u32) -> Self {
        Self {
            outcome: cycles,
            all: cycles,
        }
    }

    /// A hit in this way.
    pub const fn found(way: u32) -> Self {
        Self::of(way + 4)
    }

    /// A miss. `scale` is the s of a table with shadows before the lookup.
    pub const fn missed(
        geometry: &Geometry,
        (lookup, admission): (&Lookup, &Admission),
        scale: u32,
    ) -> Self {
        match (geometry.replacement, admission) {
            (Replacement::Lfu, _) => Self::of(geometry.ways + 3),
            (Replacement::Rrip, _) if matches!(lookup, Lookup::Replaced { .. }) => Self {
                outcome: geometry.ways + 4,
                all: geometry.aged(),
            },
            (Replacement::Shadow, Admission::Grew | Admission::Taken(_)) => {
                Self::of(geometry.matched(scale))
            }
            _ => Self::of(geometry.ways + 4),
        }
    }
}

impl Geometry {
    /// Most cycles from the one in which the bus accepts an access to the one in which it is acknowledged, whatever retires: a
    /// counter's word waits for a scan of sixteen, an entry for the end of a lookup one way after another.
    pub const fn longest_access(&self) -> u32 {
        if let Some(cycles) = self.program_access() {
            return cycles;
        }
        // Under LFU a readout also lets a path pass that comes in the next cycle.
        match self.longest_lookup() + 5 + self.repeats_paths() as u32 {
            longest if longest > 17 => longest,
            _ => 17,
        }
    }

    /// Most cycles of the lookup of a path that others wait for; 0 if none does.
    pub const fn longest_lookup(&self) -> u32 {
        match self.replacement {
            Replacement::Lfu if !self.buffers_paths() => 0,
            Replacement::Lfu => self.ways + 3,
            Replacement::Rrip => self.aged(),
            Replacement::Shadow => self.matched(LARGEST_SCALE),
        }
    }

    /// Most cycles from the one in which profiling is disabled until no record is in flight and all of them are counted. Of each hart
    /// `queue_depth` + 3 records at most are under way. Each may wait for a lookup of every hart, and be a return that goes elsewhere.
    pub const fn settling(&self) -> u32 {
        let lookup = match self.longest_lookup() {
            0 => 0,
            cycles => cycles + 1,
        };
        let repair = match self.stack_check {
            true => self.stack_depth + 5,
            false => 0,
        };
        32 + (self.queue_depth + 3) * (self.harts * lookup + repair)
    }

    /// Cycles with `rrip` of a lookup that evicts an entry.
    const fn aged(&self) -> u32 {
        2 * self.ways + 6
    }

    /// Cycles with shadows of a match, or of a path that takes an empty row.
    const fn matched(&self, scale: u32) -> u32 {
        self.ways + 15 + scale
    }
}
