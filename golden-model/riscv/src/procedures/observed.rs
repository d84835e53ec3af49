//! Where the computed jumps and calls of runs lead.
use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::{BranchKind, BranchRecord};

/// Targets of computed jumps and calls, by the address after the jump or call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    jumps: BTreeMap<u64, BTreeSet<u64>>,
    calls: BTreeMap<u64, BTreeSet<u64>>,
}

impl Targets {
    /// Adds those of a run. Linear.
    pub fn observe<'a>(&mut self, records: impl IntoIterator<Item = &'a BranchRecord>) {
        for record in records {
            let targets = match record.kind {
                BranchKind::Indirect => &mut self.jumps,
                BranchKind::IndirectCall => &mut self.calls,
                _ => continue,
            };
            targets
                .entry(record.next)
                .or_default()
                .insert(record.target);
        }
    }

    pub(super) fn jumps(&self, next: u64) -> impl Iterator<Item = u64> {
        self.jumps.get(&next).into_iter().flatten().copied()
    }

    pub(super) fn calls(&self, next: u64) -> impl Iterator<Item = u64> {
        self.calls.get(&next).into_iter().flatten().copied()
    }
}
