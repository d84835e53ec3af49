//! What a completed path does to a table.

use super::TableEntry;

/// What a completed path did to the table. `Evicted` is what is known of an entry that was evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<Evicted = TableEntry> {
    /// The path was there and its accumulator grew.
    Hit {
        /// The count did not fit: the accumulator stays at its maximum.
        saturated: bool,
    },
    /// The path was there and its count did not fit, in a table with a drain: the entry was evicted as it was, and the path's accumulator
    /// begins again with that count.
    Restarted {
        /// The path, with its accumulator before.
        evicted: Evicted,
    },
    /// The path took an empty way.
    Inserted,
    /// The path took the way of another one.
    Replaced {
        /// The other one.
        evicted: Evicted,
    },
    /// The path was not there and has count 0, or a policy did not admit it.
    Nothing,
    /// The table is frozen: the path was not looked up.
    Frozen,
}

impl<Evicted> Lookup<Evicted> {
    /// The entry that was evicted, if one was.
    #[inline(always)]
    pub fn evicted(self) -> Option<Evicted> {
        match self {
            Self::Restarted { evicted } | Self::Replaced { evicted } => Some(evicted),
            Self::Hit { .. } | Self::Inserted | Self::Nothing | Self::Frozen => None,
        }
    }
}

/// What paths did to the table, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableTally {
    /// Paths that were there.
    pub hits: u64,
    /// Paths that took the way of another one.
    pub replacements: u64,
    /// A count did not fit into its accumulator, which saturated.
    pub accumulator_saturated: bool,
}

impl TableTally {
    #[inline(always)]
    pub(super) fn add<Evicted>(&mut self, lookup: Lookup<Evicted>) {
        match lookup {
            Lookup::Hit { saturated } => {
                self.hits += 1;
                self.accumulator_saturated |= saturated;
            }
            Lookup::Restarted { .. } => self.hits += 1,
            Lookup::Replaced { .. } => self.replacements += 1,
            Lookup::Inserted | Lookup::Nothing | Lookup::Frozen => {}
        }
    }

    /// What a path did that completed several times, `lookup` the first time: it was there the others, unless it counts nothing.
    #[inline(always)]
    pub(super) fn add_repeated<Evicted>(&mut self, lookup: Lookup<Evicted>, times: u32) {
        if !matches!(lookup, Lookup::Nothing) {
            self.hits += u64::from(times) - 1;
        }
        self.add(lookup);
    }
}

impl From<Lookup> for TableTally {
    fn from(lookup: Lookup) -> Self {
        let mut tally = Self::default();
        tally.add(lookup);
        tally
    }
}
