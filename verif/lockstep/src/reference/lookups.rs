//! When a table in which paths wait finishes each path.
//!
//! Contents are the model's. What the model does with a path decides how long it takes, so the cycle in which it is finished is known as
//! soon as it comes in.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::{Admission, Lookup};

/// Distances in clock cycles of a table that looks its ways up one after another: the path stays where it is shown until its lookup is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequentialTiming {
    /// Cycles of a lookup that finds its path, beyond the number of the way.
    pub found: u64,
    /// Cycles of a lookup that does not, beyond the number of ways. After a lookup that takes so long the next path may be shown a cycle earlier.
    pub missed: u64,
    /// Cycles of a lookup that finds its path in the entry with which the one before ended, if it begins at least as many cycles after that.
    pub repeated: u64,
    /// The same in a skewed table, if nothing changes or a row is taken at once.
    pub decided: u64,
    /// By which it is longer with shadows if a path takes an empty row.
    pub inserts: u64,
    /// Cycles with values of one that evicts an entry, beyond twice the number of ways.
    pub ages: u64,
    /// Cycles with shadows of one that is judged, beyond that and k or the bits of an accumulator, whichever is more.
    pub judges: u64,
    /// By which that is longer if an occupant moves.
    pub moves: u64,
    /// By which the last cycle of a lookup is later than that in which a table that takes a path a cycle would take the path.
    pub lag: u64,
}

/// When a lookup is over, in cycles from its first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    /// It is given the outcome of the path's lookup, and the evicted entry leaves.
    pub outcome: u64,
    /// The last.
    pub last: u64,
}

impl SequentialTiming {
    /// How long a lookup takes that finds its path where the one before ended.
    pub const fn of_repeated(&self) -> Duration {
        Duration {
            outcome: self.repeated - 1,
            last: self.repeated - 1,
        }
    }

    /// How long a lookup takes that finds its path in that way, or none, and does that with it; with k as it was before.
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

/// Records that are on their way from the queue to the table.
const ON_THE_WAY: u64 = 4;

/// The path that a table is looking up.
#[derive(Debug)]
pub struct Lookups {
    longest: u64,
    /// The first cycle in which the next path may be shown.
    free: u64,
    /// The last cycle of the latest path.
    last: Option<u64>,
}

impl Lookups {
    /// The lookups of a table that takes at most so many cycles for one, and that until the next.
    pub const fn new(longest: u64) -> Self {
        Self {
            longest,
            free: 0,
            last: None,
        }
    }

    /// A path comes in; the table is done with it in the cycle `last`, and the next may be shown from `free` on.
    pub const fn enter(&mut self, last: u64, free: u64) {
        self.last = Some(last);
        self.free = free;
    }

    /// The first cycle, not before `cycle`, in which the next path may be shown.
    pub fn first(&self, cycle: u64) -> u64 {
        cycle.max(self.free)
    }

    /// The first cycle, not before `cycle`, in which the table is done with all paths that have come in.
    pub fn free_from(&self, cycle: u64) -> u64 {
        self.last.map_or(cycle, |last| cycle.max(last + 1))
    }

    /// Whether a path comes in so many cycles after the last one of the latest.
    pub fn rested(&self, cycle: u64, cycles: u64) -> bool {
        self.last.is_some_and(|last| last + cycles <= cycle)
    }

    /// The cycles, from `cycle` on, after which those are done with that have come in, and so many more, whatever they are.
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
