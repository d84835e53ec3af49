//! The cycles in which a table with sequential lookup finishes each path.
//!
//! The model determines the contents. Its result for a path determines the duration of the lookup
//! ([`LookupCycles`](hpp_golden::profiler::LookupCycles)), so the last cycle is known when the path arrives.

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
