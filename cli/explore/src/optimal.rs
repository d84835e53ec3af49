//! The fewest entries that a table can evict: Belady's policy, which knows the future.
//!
//! A path that is not in its set takes an empty way, or that of the entry whose next use is furthest ahead. Of all policies that give every path a
//! place in the set when it runs, none lets fewer leave. L. A. Belady, *A study of replacement algorithms for a virtual-storage computer*, IBM Systems
//! Journal 5(2), 1966; that it is the best: R. L. Mattson et al., *Evaluation techniques for storage hierarchies*, ibidem 9(2), 1970.

use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

/// The fewest entries that can leave a table of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Least {
    /// If each path is in one set, of as many ways.
    pub in_sets: u64,
    /// If each path may be in any entry: the bound of a table with rows for every way, too.
    pub anywhere: u64,
}

/// No further use.
const NEVER: u32 = u32::MAX;

/// The paths of a run in their order, by number, each with the place of its next use.
#[derive(Clone, Debug)]
pub struct Uses {
    paths: Vec<u32>,
    next: Vec<u32>,
}

impl Uses {
    /// Of paths with these numbers. Linear time.
    ///
    /// # Panics
    ///
    /// If there are 2^32 - 1 or more.
    pub fn new(paths: Vec<u32>) -> Self {
        assert!(paths.len() < NEVER as usize, "too many uses of paths");
        let different = paths.iter().max().map_or(0, |&path| path as usize + 1);
        let mut upcoming = vec![NEVER; different];
        let mut next = vec![NEVER; paths.len()];
        for (place, &path) in paths.iter().enumerate().rev() {
            let upcoming = &mut upcoming[path as usize];
            next[place] = std::mem::replace(upcoming, place as u32);
        }
        Self { paths, next }
    }

    /// The fewest entries that leave a table of so many sets and ways; `set` says which set a path belongs to. Time
    /// proportional to the uses, and to the logarithm of the ways.
    ///
    /// # Panics
    ///
    /// If a set is not one of them, or there are no ways.
    pub fn least(&self, sets: usize, ways: usize, set: impl Fn(u32) -> usize) -> u64 {
        let mut sets = vec![Set::default(); sets];
        let different = self.paths.iter().max().map_or(0, |&path| path as usize + 1);
        let mut is_in = vec![false; different];
        let mut left = 0;
        for (place, (&path, &next)) in self.paths.iter().zip(&self.next).enumerate() {
            let set = &mut sets[set(path)];
            if !std::mem::replace(&mut is_in[path as usize], true) {
                if set.used == ways {
                    let (_, victim) = set.ahead.pop().expect("the set is full");
                    is_in[victim as usize] = false;
                    left += 1;
                } else {
                    set.used += 1;
                }
            }
            set.uses(path, next, place as u32, ways);
        }
        left
    }
}

/// A set of the table.
#[derive(Clone, Debug, Default)]
struct Set {
    /// Its entries' next uses with their paths, the furthest first, and such as are past: those are the last.
    ahead: BinaryHeap<(u32, u32)>,
    used: usize,
}

impl Set {
    /// A path that is in the set will be used next at that place.
    fn uses(&mut self, path: u32, next: u32, now: u32, ways: usize) {
        self.ahead.push((next, path));
        if self.ahead.len() > 2 * ways + 64 {
            self.ahead.retain(|&(next, _)| next > now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_that_is_used_last_leaves() {
        let uses = Uses::new(vec![1, 2, 3, 1, 2]);
        assert_eq!(uses.next, [3, 4, NEVER, NEVER, NEVER]);
        // 3 takes the place of 2, and 2 that of 1 or 3; with the one that was used first leaving, 3 would.
        assert_eq!(uses.least(1, 2, |_| 0), 2);
        assert_eq!(uses.least(1, 3, |_| 0), 0);
        assert_eq!(uses.least(2, 1, |path| path as usize % 2), 2);
        assert_eq!(Uses::new(Vec::new()).least(1, 1, |_| 0), 0);
    }

    #[test]
    fn uses_that_are_past_do_not_fill_the_memory() {
        let mut set = Set::default();
        for now in 0..10_000 {
            set.uses(now % 4, now + 4, now, 4);
            assert!(set.ahead.len() <= 2 * 4 + 64);
        }
    }
}
