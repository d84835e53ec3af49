//! When a table that looks its ways up one after another is done with which path, and what has to wait for it.
//!
//! Contents are the model's; a lookup's length follows from where the model finds the path. So the moment at which each
//! lookup ends is known as soon as its path comes in.

use std::collections::VecDeque;

/// Distances in clock cycles, and one in paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SerialTiming {
    /// From the cycle in which the table takes a path to the first of its lookup, if no other is under way.
    pub enter: u64,
    /// Cycles of a lookup that finds its path, beyond the number of the way.
    pub found: u64,
    /// Cycles of a lookup that does not, beyond the number of ways.
    pub missed: u64,
    /// No record leaves the queue in a cycle that begins with so many lookups not yet over.
    pub hold_at: usize,
    /// The most lookups that are not yet over.
    pub places: u64,
}

/// The lookups of one table.
#[derive(Debug)]
pub struct SerialLookups {
    timing: SerialTiming,
    ways: u64,
    /// The last cycle of the latest lookup.
    last: Option<u64>,
    /// The last cycles of those not yet over.
    ends: VecDeque<u64>,
}

impl SerialLookups {
    /// A table of so many ways without a path.
    pub fn new(timing: SerialTiming, ways: u32) -> Self {
        Self {
            timing,
            ways: ways.into(),
            last: None,
            ends: VecDeque::new(),
        }
    }

    /// A path comes in; it will be found in that way or nowhere. Returns the last cycle of its lookup.
    pub fn enter(&mut self, cycle: u64, way: Option<u64>) -> u64 {
        let length = match way {
            Some(way) => way + self.timing.found,
            None => self.ways + self.timing.missed,
        };
        let first = self.free_from(cycle + self.timing.enter);
        let last = first + length - 1;
        self.last = Some(last);
        self.ends.push_back(last);
        last
    }

    /// Whether a record at the head of the queue has to stay in that cycle. Cycles are asked about in their order.
    pub fn hold(&mut self, cycle: u64) -> bool {
        while self.ends.front().is_some_and(|&end| end < cycle) {
            self.ends.pop_front();
        }
        self.ends.len() >= self.timing.hold_at
    }

    /// The first cycle, not before `cycle`, in which no lookup of a path that has come in is under way.
    pub fn free_from(&self, cycle: u64) -> u64 {
        self.last.map_or(cycle, |last| cycle.max(last + 1))
    }

    /// The cycles after which so many more paths have been looked up, wherever they are.
    pub fn longest(&self, paths: u64) -> u64 {
        (paths + self.timing.places) * (self.ways + self.timing.missed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_follow_each_other_and_hold_the_queue() {
        let timing = SerialTiming {
            enter: 2,
            found: 3,
            missed: 2,
            hold_at: 2,
            places: 4,
        };
        let mut lookups = SerialLookups::new(timing, 4);
        lookups.enter(10, Some(1));
        assert_eq!(lookups.free_from(0), 16, "cycles 12 to 15");
        assert!(!lookups.hold(11));
        lookups.enter(11, None);
        assert_eq!(lookups.free_from(0), 22, "cycles 16 to 21");
        assert!(lookups.hold(12) && lookups.hold(15) && !lookups.hold(16));
        assert_eq!(lookups.free_from(30), 30);
    }
}
