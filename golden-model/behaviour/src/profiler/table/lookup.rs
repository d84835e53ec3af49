use super::TableEntry;

/// What a completed path did to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The path was there and its accumulator grew.
    Hit {
        /// The count did not fit: the accumulator stays at its maximum.
        saturated: bool,
    },
    /// The path was there and its count did not fit, in a table with a drain: the entry was evicted as it was, and the path's accumulator
    /// begins again with that count.
    Restarted {
        /// The path, with its accumulator before.
        evicted: TableEntry,
    },
    /// The path took an empty way.
    Inserted,
    /// The path took the way of another one.
    Replaced {
        /// The path that lost its way, with its accumulator.
        evicted: TableEntry,
    },
    /// The path was not there and has count 0, or a policy did not admit it.
    Nothing,
    /// The table is frozen: the path was not looked up.
    Frozen,
}

/// What a table did with a path, beyond looking it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Nothing: the path was found, its miss was not sampled, or no shadow was its.
    None,
    /// A shadow was its, and its estimate was not above the least accumulator.
    Grew,
    /// It took the entry with this number, empty or another's.
    Taken(usize),
}

impl Admission {
    /// The entry that the path took, if it took one.
    #[inline]
    pub(super) const fn taken(self) -> Option<usize> {
        match self {
            Self::Taken(at) => Some(at),
            Self::None | Self::Grew => None,
        }
    }
}

impl Lookup {
    /// The entry that was evicted, if one was.
    #[must_use]
    pub const fn evicted(self) -> Option<TableEntry> {
        match self {
            Self::Restarted { evicted } | Self::Replaced { evicted } => Some(evicted),
            Self::Hit { .. } | Self::Inserted | Self::Nothing | Self::Frozen => None,
        }
    }
}

/// What paths did to the table, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableTally {
    /// Paths that the table held.
    pub hits: u64,
    /// Paths that took the way of another one.
    pub replacements: u64,
    /// A count did not fit into its accumulator, which saturated.
    pub accumulator_saturated: bool,
}

impl TableTally {
    /// Counts one more.
    #[inline]
    pub const fn add(&mut self, lookup: Lookup) {
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
}

impl From<Lookup> for TableTally {
    fn from(lookup: Lookup) -> Self {
        let mut tally = Self::default();
        tally.add(lookup);
        tally
    }
}
