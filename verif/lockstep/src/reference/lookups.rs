//! When a table in which paths wait finishes each path, and what waits for it.
//!
//! Contents are the model's. What the model does with a path decides how long it takes, so the cycle in which it is finished is known as
//! soon as it comes in.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::Admission;
use hpp_golden::profiler::table::shadow::LARGEST_SCALE;
use std::collections::VecDeque;

/// Distances in clock cycles of a table that looks its ways up one after another: the path stays where it is shown until its lookup is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequentialTiming {
    /// Cycles of a lookup that finds its path, beyond the number of the way.
    pub found: u64,
    /// Cycles of a lookup that does not, beyond the number of ways.
    pub missed: u64,
    /// By which the last cycle of a lookup is later than that in which a table that takes a path a cycle would take the path.
    pub behind: u64,
}

/// Distances in clock cycles, and one in paths, of a skewed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkewedTiming {
    /// From the cycle in which the table takes a path to that in which it is decided, if no other is before it.
    pub enter: u64,
    /// From the last cycle of a path that was inserted or judged, or took the place of another, to that in which the next is decided.
    pub again: u64,
    /// From the cycle in which a path from the ring or the table's rows is called into view to that in which it is.
    pub view: u64,
    /// Steps of an estimate, beyond k.
    pub steps: u64,
    /// From the first cycle after a clear to the first in which a path is decided.
    pub cleared: u64,
    /// From the cycle in which a path is decided in a table without shadows to that in which it takes it.
    pub behind: u64,
    /// No record leaves the queue in a cycle that begins with so many paths not yet done with.
    pub hold_at: usize,
}

/// When a path that is judged is where, in clock cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// The path's rows are known, and a match ends its shadow.
    pub scanned: u64,
    /// An occupant has moved.
    pub moved: u64,
    /// The path has its row.
    pub placed: u64,
    /// The last cycle.
    pub last: u64,
}

impl SkewedTiming {
    /// The cycle in which a path that is decided in that cycle takes the place of the entry with the least value.
    pub fn takes_place(&self, decided: u64) -> u64 {
        decided + 1 + self.view
    }

    /// What becomes when of a path that is decided in that cycle, in a table with shadows of so many ways, with this k.
    pub fn judge(&self, decided: u64, admission: Admission, ways: u64, scale: u64) -> Judgement {
        let scanned = decided + 1 + self.view + ways;
        let compared = (scanned + 1 + self.view + ways).max(scanned + 1 + self.steps + scale);
        let called = compared + 1 + self.view;
        let moved = compared + 1;
        let (placed, last) = match admission {
            Admission::None | Admission::Inserted(_) => (decided, decided),
            Admission::Strange => (scanned, scanned),
            Admission::Grew => (called, called),
            Admission::Promoted { moved: None, .. } => {
                (called, (called + 1 + self.view).max(moved + 1 + scale))
            }
            Admission::Promoted { moved: Some(_), .. } => {
                let left = (moved + 1 + self.view).max(moved + 1 + scale);
                (left + 1 + self.view, left + 1 + self.view)
            }
        };
        Judgement {
            scanned,
            moved,
            placed,
            last,
        }
    }
}

/// Records that are on their way from the queue to the table.
const ON_THE_WAY: u64 = 4;

/// The lookups of a table of this geometry, if they take time.
pub fn of(
    geometry: &Geometry,
    sequential: Option<SequentialTiming>,
    skewed: Option<SkewedTiming>,
) -> Option<Lookups> {
    let ways = u64::from(geometry.ways);
    if let Some(timing) = sequential {
        // The queue is not held: a record that has to wait stays behind it.
        return Some(Lookups::new(usize::MAX, ways + timing.missed + 1));
    }
    let timing = skewed?;
    if geometry.replacement == Replacement::Rrip {
        let longest = timing.takes_place(0) + timing.again;
        return Some(Lookups::new(timing.hold_at, longest));
    }
    let any = Admission::Promoted {
        at: 0,
        moved: Some(0),
    };
    let longest = timing.judge(0, any, ways, LARGEST_SCALE.into()).last + timing.again;
    Some(Lookups::new(timing.hold_at, longest))
}

/// The paths that a table has taken and is not done with.
#[derive(Debug)]
pub struct Lookups {
    hold_at: usize,
    longest: u64,
    /// The first cycle in which the next path may be looked up or decided.
    free: u64,
    /// The last cycle of the latest path.
    last: Option<u64>,
    /// The last cycles of those not yet done with.
    ends: VecDeque<u64>,
}

impl Lookups {
    /// A table that holds records with so many paths, and takes that many cycles at most for one.
    pub fn new(hold_at: usize, longest: u64) -> Self {
        Self {
            hold_at,
            longest,
            free: 0,
            last: None,
            ends: VecDeque::new(),
        }
    }

    /// The first cycle of the path that comes in, if nothing but those before it keeps it from `cycle`.
    pub fn first(&self, cycle: u64) -> u64 {
        cycle.max(self.free)
    }

    /// A path comes in; the table is done with it in the cycle `last`, and the next is looked up or decided in `next` at the earliest.
    pub fn enter(&mut self, last: u64, next: u64) {
        self.last = Some(last);
        self.free = next;
        self.ends.push_back(last);
    }

    /// No path is looked up or decided before that cycle.
    pub fn block(&mut self, until: u64) {
        self.free = self.free.max(until);
    }

    /// Whether a record at the head of the queue has to stay in that cycle. Cycles are asked about in their order.
    pub fn hold(&mut self, cycle: u64) -> bool {
        while self.ends.front().is_some_and(|&end| end < cycle) {
            self.ends.pop_front();
        }
        self.ends.len() >= self.hold_at
    }

    /// The first cycle, not before `cycle`, in which the table is done with all paths that have come in.
    pub fn free_from(&self, cycle: u64) -> u64 {
        self.last.map_or(cycle, |last| cycle.max(last + 1))
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

    #[test]
    fn paths_follow_each_other_and_hold_the_queue() {
        let mut lookups = Lookups::new(2, 6);
        assert_eq!(lookups.first(12), 12);
        lookups.enter(15, 16);
        assert_eq!(lookups.free_from(0), 16, "cycles 12 to 15");
        assert!(!lookups.hold(11));
        assert_eq!(lookups.first(13), 16);
        lookups.enter(21, 22);
        assert_eq!(lookups.free_from(0), 22, "cycles 16 to 21");
        assert!(lookups.hold(12) && lookups.hold(15) && !lookups.hold(16));
        assert_eq!(lookups.free_from(30), 30);
        lookups.block(40);
        assert_eq!((lookups.first(35), lookups.first(50)), (40, 50));
    }

    /// The figures of the circuit's documentation, for four ways.
    #[test]
    fn a_judgement_takes_as_long_as_is_stated() {
        let timing = Timing::CIRCUITS.skewed.expect("the circuits have one");
        let last = |admission, scale| timing.judge(100, admission, 4, scale).last;
        let own = Admission::Promoted { at: 0, moved: None };
        let other = Admission::Promoted {
            at: 0,
            moved: Some(1),
        };
        assert_eq!(last(Admission::Inserted(0), 4), 100);
        assert_eq!(last(Admission::Strange, 4), 110);
        assert_eq!(
            [last(Admission::Grew, 4), last(own, 4), last(other, 4)],
            [127, 133, 134]
        );
        assert_eq!(
            [last(Admission::Grew, 20), last(own, 20), last(other, 20)],
            [143, 159, 165]
        );
    }
}
