//! Paths that a table with a drain evicted and that the profile lacks.

use hpp_golden::dump::Drained;
use serde::{Deserialize, Serialize};

/// What left a table with a drain and is not in the profile. Of all runs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// Entries that still waited in the drain.
    pub waiting: u64,
    /// Entries that found the drain full.
    pub lost: u64,
    /// What those had counted.
    pub lost_count: u64,
}

impl Missing {
    pub(super) fn of(drained: &Drained) -> Self {
        Self {
            waiting: drained.waiting.into(),
            lost: drained.lost.into(),
            lost_count: drained.lost_count,
        }
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.waiting = self.waiting.saturating_add(other.waiting);
        self.lost = self.lost.saturating_add(other.lost);
        self.lost_count = self.lost_count.saturating_add(other.lost_count);
    }
}
