//! The cycles in which a table with sequential lookup finishes each path.
//!
//! The model determines the contents. Its result for a path determines the duration of the lookup, so the last cycle is
//! known when the path arrives.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::{Admission, Lookup};

/// Durations of sequential lookups, in clock cycles. A path is stable on `path_*` until its lookup ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequentialTiming {
    /// Cycles of a hit, plus the number of the way.
    pub found: u64,
    /// Cycles of a miss, plus the number of ways. After a miss the next path may come one cycle earlier.
    pub missed: u64,
    /// Cycles of a hit in the last entry of the previous lookup. The path must begin at least as many cycles after the
    /// end of that lookup.
    pub repeated: u64,
    /// Cycles of a miss in a skewed table, plus the number of ways, if nothing changes or a row is taken at once.
    pub decided: u64,
    /// Additional cycles with shadows if a path takes an empty row.
    pub inserts: u64,
    /// Cycles with `rrip` of a lookup that evicts an entry, plus twice the number of ways.
    pub ages: u64,
    /// Cycles with shadows of a match, plus twice the number of ways, plus k or the width of an accumulator, whichever
    /// is greater.
    pub judges: u64,
    /// Additional cycles if an occupant moves.
    pub moves: u64,
    /// Cycles by which the last cycle of a lookup is later than the cycle in which a parallel table would take the
    /// path.
    pub lag: u64,
}

/// End of a lookup, in cycles from its first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// The outcome is reported, and an evicted entry leaves.
    pub outcome: u64,
    /// The last cycle.
    pub last: u64,
}

impl SequentialTiming {
    /// Duration of a hit in the last entry of the previous lookup.
    pub const fn of_repeated(&self) -> Duration {
        Duration {
            outcome: self.repeated - 1,
            last: self.repeated - 1,
        }
    }

    /// Duration of a lookup with this result, with k as before it.
    pub fn of(
        &self,
        geometry: &Geometry,
        way: Option<u64>,
        (lookup, admission): (Lookup, Admission),
        k: u64,
    ) -> Duration {
        let ways = u64::from(geometry.ways);
        let judged = 2 * ways + self.judges + k.max(geometry.accumulator_bits.into());
        let cycles = match (way, geometry.replacement, admission) {
            (Some(way), ..) => way + self.found,
            (None, Replacement::Lfu, _) => ways + self.missed,
            (None, Replacement::Rrip, _) if matches!(lookup, Lookup::Replaced { .. }) => {
                let (outcome, last) = (ways + self.decided - 1, 2 * ways + self.ages - 1);
                return Duration { outcome, last };
            }
            (None, Replacement::Shadow, Admission::Inserted(_)) => {
                ways + self.decided + self.inserts
            }
            (None, Replacement::Shadow, Admission::Promoted { moved, .. }) => {
                judged + if moved.is_some() { self.moves } else { 0 }
            }
            (None, Replacement::Shadow, Admission::Grew) => judged,
            (None, ..) => ways + self.decided,
        };
        Duration {
            outcome: cycles - 1,
            last: cycles - 1,
        }
    }
}

/// Maximum number of records between the queue and the table.
const ON_THE_WAY: u64 = 4;

/// The path that is being looked up.
#[derive(Debug)]
pub struct Lookups {
    longest: u64,
    /// The first cycle in which the next path may be shown.
    free: u64,
    /// The last cycle of the latest path.
    last: Option<u64>,
}

impl Lookups {
    /// The lookups of a table whose longest lookup, including the time until the next path, takes `longest` cycles.
    pub const fn new(longest: u64) -> Self {
        Self {
            longest,
            free: 0,
            last: None,
        }
    }

    /// A path arrives. Its lookup ends in the cycle `last`, and the next path may be shown from `free` on.
    pub const fn enter(&mut self, last: u64, free: u64) {
        self.last = Some(last);
        self.free = free;
    }

    /// The first cycle, from `cycle` on, in which the next path may be shown.
    pub fn first(&self, cycle: u64) -> u64 {
        cycle.max(self.free)
    }

    /// The first cycle, from `cycle` on, in which all paths that arrived have been looked up.
    pub fn free_from(&self, cycle: u64) -> u64 {
        self.last.map_or(cycle, |last| cycle.max(last + 1))
    }

    /// Whether a path arrives at least `cycles` cycles after the last cycle of the latest one.
    pub fn rested(&self, cycle: u64, cycles: u64) -> bool {
        self.last.is_some_and(|last| last + cycles <= cycle)
    }

    /// Upper bound on the cycles from `cycle` on until all arrived paths and `paths` further ones have been looked up.
    pub fn left(&self, cycle: u64, paths: u64) -> u64 {
        self.free_from(cycle) - cycle + (paths + ON_THE_WAY) * self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::super::Timing;
    use super::*;
    use hpp_golden::config::LookupScheme;

    /// The figures of `docs/timing.md`, for four ways.
    #[test]
    fn a_judgement_takes_as_long_as_is_stated() {
        let geometry = Geometry {
            replacement: Replacement::Shadow,
            ..Geometry::default()
        };
        let timing = Timing::of(&geometry).sequential.expect("it has one");
        let cycles = |admission| {
            let done = (Lookup::Nothing, admission);
            timing.of(&geometry, None, done, 4).last + 1
        };
        let promoted = |moved| Admission::Promoted { at: 0, moved };
        assert_eq!(
            [Admission::Strange, Admission::Inserted(0)].map(cycles),
            [8, 9]
        );
        assert_eq!(
            [Admission::Grew, promoted(None), promoted(Some(1))].map(cycles),
            [58, 58, 61]
        );
        assert!((0..=26).all(|k| {
            let done = (Lookup::Nothing, promoted(Some(1)));
            let sequential = Geometry {
                lookup: LookupScheme::Sequential,
                ..geometry
            };
            timing.of(&sequential, None, done, k).last < u64::from(sequential.longest_lookup())
        }));
    }
}
