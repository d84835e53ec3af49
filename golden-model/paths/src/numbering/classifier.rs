//! Paths of a run distinguished by two counters.
use rustc_hash::FxHashMap;

use crate::Number;

/// What the two counters say of a path that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The interesting path at this position of the set.
    Interesting(usize),
    /// Another path with the number of an interesting one; only the second counter tells.
    Alias(usize),
    /// A number inside the interval that no interesting path has.
    Hole,
    /// A number outside of the interval.
    OutOfRange,
}

/// Tells interesting paths from all others by their two numbers.
#[derive(Clone, Debug)]
pub struct Classifier {
    slots: FxHashMap<Number, (usize, Number)>,
    width: Number,
}

impl Classifier {
    /// Of the preferential number of each interesting path, with its position and its Ball-Larus number.
    pub(super) fn new(slots: FxHashMap<Number, (usize, Number)>, width: Number) -> Self {
        Classifier { slots, width }
    }

    /// The classifier of no interesting path: every path is out of range.
    pub fn nothing() -> Self {
        Classifier {
            slots: FxHashMap::default(),
            width: Number::ZERO,
        }
    }

    /// Gives up the interesting paths whose number does not fit into an array of so many counters:
    /// they are then out of range. What the thesis does to avoid a hash table where a few paths
    /// falsely taken for uninteresting do no harm (section 3.6).
    #[must_use]
    pub fn limited(mut self, counters: usize) -> Self {
        let counters = Number::from(counters);
        self.slots.retain(|number, _| *number < counters);
        self.width = self.width.min(counters);
        self
    }

    /// The class of a path with this preferential path sum and this Ball-Larus number. O(1).
    pub fn classify(&self, sum: &Number, number: &Number) -> Class {
        match self.slots.get(sum) {
            Some((position, second)) if second == number => Class::Interesting(*position),
            Some((position, _)) => Class::Alias(*position),
            None if *sum >= Number::ZERO && *sum < self.width => Class::Hole,
            None => Class::OutOfRange,
        }
    }
}

/// What a preferential profiler collects: an array of counters for the interesting paths, and
/// how often others ran, by the reason they were distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// How often each interesting path ran, in the order of the set.
    pub interesting: Vec<u64>,
    /// How often other paths ran that had the number of an interesting one.
    pub aliases: u64,
    /// How often paths ran whose number lies inside of the interval and belongs to none.
    pub holes: u64,
    /// How often paths ran whose number lies outside of the interval.
    pub out_of_range: u64,
}

impl Profile {
    /// A profile of nothing, for so many interesting paths.
    pub fn new(interesting: usize) -> Self {
        Profile {
            interesting: vec![0; interesting],
            aliases: 0,
            holes: 0,
            out_of_range: 0,
        }
    }

    /// Counts a path that ran.
    pub fn record(&mut self, class: Class) {
        let counter = match class {
            Class::Interesting(position) => &mut self.interesting[position],
            Class::Alias(_) => &mut self.aliases,
            Class::Hole => &mut self.holes,
            Class::OutOfRange => &mut self.out_of_range,
        };
        *counter += 1;
    }
}
